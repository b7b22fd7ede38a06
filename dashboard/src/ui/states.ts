/** What is shown in place of content: nothing yet, still loading, went wrong, so far along. */

import { explained } from "../api/index.ts";
import { h, type Child } from "../dom.ts";
import { texts } from "../i18n.ts";
import { button } from "./button.ts";
import { icon, type IconName } from "./icons.ts";

const t = texts({
  en: { loading: "Loading", failed: "That did not work", retry: "Try again" },
  ko: { loading: "불러오는 중", failed: "잘되지 않았습니다", retry: "다시 시도" },
});

export interface EmptyOptions {
  readonly icon?: IconName;
  readonly title: string;
  /** What would be here, and how it comes to be. */
  readonly body: Child;
  readonly action?: Child;
}

export const empty = (options: EmptyOptions): HTMLElement =>
  h("div", { class: "empty" }, options.icon && icon(options.icon), h("h2", null, options.title), h("p", null, options.body), options.action);

export const skeleton = (lines = 4): HTMLElement =>
  h(
    "div",
    { class: "skeleton", role: "status" },
    h("span", { class: "unseen" }, t().loading),
    Array.from({ length: lines }, (_, at) => h("div", { "aria-hidden": "true", style: { width: `${92 - ((at * 23) % 41)}%` } })),
  );

export const errorPanel = (error: unknown, retry: () => void): HTMLElement =>
  h("div", { class: "panel fault", role: "alert" }, h("h2", null, t().failed), h("p", null, explained(error)), button({ label: t().retry, onclick: retry }));

export interface Progress {
  readonly element: HTMLElement;
  set(share: number): void;
}

/** How far along, from 0 to 1; `colour` is a token such as "--emotion-joy". */
export function progress(options: { readonly label: string; readonly share: number; readonly colour?: string }): Progress {
  const done = h("div");
  const element = h("div", { class: "progress", role: "progressbar", "aria-label": options.label, "aria-valuemin": 0, "aria-valuemax": 100 }, done);
  if (options.colour) element.style.setProperty("--progress", `var(${options.colour})`);
  const set = (share: number): void => {
    const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
    done.style.setProperty("width", `${percent}%`);
    element.setAttribute("aria-valuenow", String(percent));
  };
  set(options.share);
  return { element, set };
}
