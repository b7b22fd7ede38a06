/** Draw a section anew without taking the focus from who is in it. */

import { fill, type Child } from "../../dom.ts";

const nameOf = (element: Element | null): string | null => element?.getAttribute("data-testid") ?? element?.getAttribute("data-focus") ?? null;

/** What had the focus has it again if it is still there; what was opened stays open. */
export function refill(section: HTMLElement, ...children: Child[]): void {
  const active = section.contains(document.activeElement) ? document.activeElement : null;
  const name = nameOf(active);
  fill(section, ...children);
  if (!active) return;
  const again = name && [...section.querySelectorAll<HTMLElement>("[data-testid], [data-focus]")].find((each) => nameOf(each) === name);
  if (again) return again.focus({ preventScroll: true });
  section.tabIndex = -1;
  section.focus({ preventScroll: true });
}
