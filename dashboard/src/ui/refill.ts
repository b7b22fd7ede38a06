/** Draw something anew under a reader: the focus stays where it was, and what was opened stays open, by `data-testid`. */

import { fill, type Child } from "../dom.ts";

export function refill(room: HTMLElement, ...children: Child[]): void {
  const active = room.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
  const focused = active?.closest<HTMLElement>("[data-testid]")?.dataset.testid;
  const inside = active?.tagName === "SUMMARY" ? "summary" : null;
  const open = new Set([...room.querySelectorAll<HTMLElement>("details[open][data-testid]")].map((each) => each.dataset.testid));
  fill(room, ...children);
  for (const each of room.querySelectorAll<HTMLDetailsElement>("details[data-testid]")) if (open.has(each.dataset.testid)) each.open = true;
  if (!active) return;
  const again = focused === undefined ? null : [...room.querySelectorAll<HTMLElement>("[data-testid]")].find((each) => each.dataset.testid === focused);
  const stop = (inside && again?.querySelector<HTMLElement>(inside)) || again || room;
  if (stop === room) room.tabIndex = -1;
  stop.focus({ preventScroll: true });
}
