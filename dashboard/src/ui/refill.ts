/** Draw something again under a reader: the focus stays where it was, and what was opened stays open. */

import { fill, type Child } from "../dom.ts";

const NAMED = "[data-testid], [data-focus]";

const nameOf = (element: HTMLElement): string | undefined => element.dataset.focus ?? element.dataset.testid;

/** What is the same before and after is known by `data-focus`, else by `data-testid`. */
export const refill = (room: HTMLElement, ...children: Child[]): void => redraw(room, () => fill(room, ...children));

/** The same for any way of drawing. */
export function redraw(room: HTMLElement, draw: () => void): void {
  const active = room.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
  const holder = active?.closest<HTMLElement>(NAMED);
  const focused = holder && room.contains(holder) ? nameOf(holder) : undefined;
  const open = new Set([...room.querySelectorAll<HTMLElement>("details[open]")].map(nameOf));
  draw();
  for (const each of room.querySelectorAll<HTMLDetailsElement>("details")) if (nameOf(each) && open.has(nameOf(each))) each.open = true;
  if (!active || active === document.activeElement) return;
  const again = focused === undefined ? undefined : [...room.querySelectorAll<HTMLElement>(NAMED)].find((each) => nameOf(each) === focused);
  const stop = (active.tagName === "SUMMARY" && again?.querySelector<HTMLElement>("summary")) || again || room;
  if (stop === room) room.tabIndex = -1;
  stop.focus({ preventScroll: true });
}
