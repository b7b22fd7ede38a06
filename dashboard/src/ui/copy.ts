import { texts } from "../i18n.ts";
import { button, type ButtonOptions } from "./button.ts";

const t = texts({
  en: { copy: "Copy", copied: "Copied", failed: "Select it and press Ctrl+C", selected: "Selected: press Ctrl+C" },
  ko: { copy: "복사", copied: "복사했습니다", failed: "선택해서 Ctrl+C로 복사하세요", selected: "선택했습니다. Ctrl+C를 누르세요" },
});

const SHOWN = 2000;

export interface CopyOptions {
  readonly label?: string;
  readonly kind?: ButtonOptions["kind"];
  /** Where the text stands: selected, if the browser lets nobody copy. */
  readonly from?: () => Element | null;
}

/** Puts a text on the clipboard and says so on itself; null for no text after all. */
export function copyButton(text: () => string | Promise<string | null>, { label = t().copy, kind, from }: CopyOptions = {}): HTMLButtonElement {
  let timer = 0;
  const element = button({
    label,
    small: true,
    ...(kind && { kind }),
    onclick: async () => {
      const found = await text();
      if (found === null) return;
      const told = await copied(found, from?.() ?? null);
      element.lastChild?.replaceWith(told);
      element.setAttribute("aria-live", "polite");
      window.clearTimeout(timer);
      timer = window.setTimeout(() => element.lastChild?.replaceWith(label), SHOWN);
    },
  });
  return element;
}

/** There is no clipboard where the page came over plain http from another machine. */
async function copied(text: string, from: Element | null): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return t().copied;
  } catch {
    if (from instanceof HTMLInputElement) from.select();
    else if (from) getSelection()?.selectAllChildren(from);
    return from ? t().selected : t().failed;
  }
}
