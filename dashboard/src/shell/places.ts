/** Where one can go: the rail on wide screens, the bar at the bottom of narrow ones. */

import { h } from "../dom.ts";
import { number } from "../i18n.ts";
import type { ViewName } from "../router.ts";
import { dialog } from "../ui/dialog.ts";
import { icon } from "../ui/icons.ts";
import { t } from "./texts.ts";

/** What belongs together stands together. */
const GROUPS = [
  ["today", "memories", "people", "conversations", "ask"],
  ["orbits", "cliff", "insight"],
  ["approvals", "self", "personas"],
  ["federation", "settings"],
] as const;
export const PLACES = GROUPS.flat();
export type PlaceName = (typeof PLACES)[number];
/** `g` and then this letter. */
export const KEYS: Readonly<Record<PlaceName, string>> = {
  today: "t",
  memories: "m",
  people: "w",
  conversations: "v",
  ask: "a",
  orbits: "o",
  cliff: "c",
  insight: "i",
  approvals: "p",
  self: "s",
  personas: "r",
  federation: "f",
  settings: "e",
};
const ON_THE_BAR = 4;

function place(name: PlaceName, current: ViewName, label: string = t()[name]): HTMLAnchorElement {
  return h(
    "a",
    { class: "place", href: `#/${name}`, "data-place": name, "aria-current": name === current ? "page" : null },
    icon(name),
    h("span", null, label),
  );
}

export const railPlaces = (current: ViewName): HTMLElement =>
  h(
    "nav",
    { class: "rail-places", "aria-label": t().places },
    GROUPS.map((names) =>
      h(
        "div",
        { class: "rail-group" },
        names.map((name) => place(name, current)),
      ),
    ),
  );

/** `switches`: what stands in the top bar of wide screens, and has no room there on narrow ones. */
export function bottomBar(current: ViewName, switches: () => readonly HTMLElement[]): HTMLElement {
  const others = PLACES.slice(ON_THE_BAR);
  const openMore = (): void => {
    const links = others.map((name) => place(name, current));
    const switching = switches();
    const sheet = dialog({
      title: t().more,
      body: [h("div", { class: "stack", style: { gap: "2px" } }, links), h("div", { class: "more-switches" }, switching)],
    });
    for (const each of [...links, ...switching]) each.addEventListener("click", sheet.close);
  };
  const onMore = (others as readonly string[]).includes(current);
  return h(
    "nav",
    { class: "bottom", "aria-label": t().places },
    PLACES.slice(0, ON_THE_BAR).map((name) => place(name, current, name === "people" ? t().peopleShort : t()[name])),
    h(
      "button",
      { type: "button", class: "place", "aria-haspopup": "dialog", "aria-current": onMore ? "page" : null, onclick: openMore },
      icon("more"),
      h("span", null, t().more),
    ),
  );
}

/** How many proposals wait, on every mark of the approvals. */
export function showWaiting(root: ParentNode, count: number): void {
  for (const mark of root.querySelectorAll("[data-place=approvals]")) {
    mark.querySelector(".badge")?.remove();
    if (count) {
      mark.append(h("span", { class: "badge" }, h("span", { "aria-hidden": "true" }, number(count)), h("span", { class: "unseen" }, t().waiting(count))));
    }
  }
}
