/** A view of several parts: a tab each, whose name stands in the address. */

import { fill } from "../dom.ts";
import { hashOf, placeOf } from "../router.ts";
import type { Context } from "../view.ts";
import { viewHead } from "./head.ts";
import { tabs } from "./lists.ts";

export interface Part {
  readonly label: string;
  readonly panel: (context: Context, signal: AbortSignal) => HTMLElement;
}

/** `name` is the view's own; the first part is shown where the address names none. A part's signal ends with it. */
export function parts(
  container: HTMLElement,
  context: Context,
  given: {
    readonly name: string;
    readonly title: string;
    readonly about: string;
    readonly label: string;
    readonly parts: Readonly<Record<string, Part>>;
  },
): void {
  // A tab changes the address without mounting again, so the address is the one that knows.
  const named = placeOf(location.hash).params[0] ?? "";
  const all = Object.entries(given.parts);
  const selected = Object.hasOwn(given.parts, named) ? named : (all[0]?.[0] ?? "");
  let ending = new AbortController();
  const shown = (part: Part): HTMLElement => {
    ending.abort();
    ending = new AbortController();
    return part.panel(context, AbortSignal.any([context.signal, ending.signal]));
  };
  container.classList.add(given.name);
  fill(
    container,
    viewHead(given.title, given.about),
    tabs({
      label: given.label,
      selected,
      tabs: all.map(([id, part]) => ({ id, label: part.label, panel: () => shown(part) })),
      onselect: (id) => history.replaceState(null, "", hashOf(`${given.name}/${id}`)),
    }),
  );
}
