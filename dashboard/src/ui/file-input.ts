/** A file to choose, in the language of the page: the browser's own button speaks the browser's. */

import { h, type Props } from "../dom.ts";
import { texts } from "../i18n.ts";
import "./file-input.css";

const t = texts({
  en: { choose: "Choose a file", none: "No file chosen" },
  ko: { choose: "파일 고르기", none: "고른 파일 없음" },
});

export interface FileInput {
  readonly element: HTMLElement;
  readonly control: HTMLInputElement;
  /** Nothing is chosen any more. */
  clear(): void;
}

/** `onfile` hears of each file that is chosen; the control lies over its button, so that a file can be dropped on it as well. */
export function fileInput(accept: string, props: Props = {}, onfile: (file: File) => void = () => {}): FileInput {
  const name = h("span", { class: "small faint file-name", role: "status" }, t().none);
  const tell = (): void => {
    const [file] = control.files ?? [];
    name.textContent = file?.name ?? t().none;
    if (file) onfile(file);
  };
  const control = h("input", { "aria-label": t().choose, ...props, type: "file", accept, onchange: tell });
  const clear = (): void => {
    control.value = "";
    tell();
  };
  return { element: h("div", { class: "row file-input" }, h("span", { class: "button file-button" }, t().choose, control), name), control, clear };
}
