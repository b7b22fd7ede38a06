import { texts } from "../i18n.ts";
import { button } from "./button.ts";

const t = texts({
  en: { copy: "Copy", copied: "Copied", failed: "Select it and press Ctrl+C" },
  ko: { copy: "복사", copied: "복사했습니다", failed: "선택해서 Ctrl+C로 복사하세요" },
});

const SHOWN = 2000;

/** Puts a text on the clipboard and says so on itself. */
export function copyButton(text: () => string, label: string = t().copy): HTMLButtonElement {
  let timer = 0;
  const element = button({ label, small: true, onclick: async () => {
    const told = await navigator.clipboard.writeText(text()).then(() => t().copied, () => t().failed);
    element.lastChild?.replaceWith(told);
    element.setAttribute("aria-live", "polite");
    window.clearTimeout(timer);
    timer = window.setTimeout(() => element.lastChild?.replaceWith(label), SHOWN);
  } });
  return element;
}
