/** Which memories are asked at all. */

import { h } from "../../dom.ts";
import { button, EMOTIONS, field, input, select, TIERS, word, ZONES, type WordKind } from "../../ui/index.ts";
import { narrowed, type Narrowing, type Question } from "./question.ts";
import { t } from "./texts.ts";

export interface Filters {
  readonly element: HTMLElement;
  readonly clear: () => void;
}

/** Told with every change; text waits until it is finished, so that the list does not jump at every stroke. */
export function filters(question: Question, onchange: (narrowing: Narrowing) => void): Filters {
  const choice = (name: "zone" | "tier" | "emotion", names: readonly string[]) => {
    const element = select({
      options: [["", t().any], ...names.map((each) => [each, word(name satisfies WordKind, each)] as const)],
      selected: question[name],
      onchange: tell,
    });
    element.dataset.testid = `filter-${name}`;
    return element;
  };
  const typed = (name: "since" | "until" | "tags" | "project", type = "text") =>
    input({ type, name, value: question[name], onchange: tell, autocomplete: "off", "data-testid": `filter-${name}` });
  const controls = {
    zone: choice("zone", ZONES),
    tier: choice("tier", TIERS),
    emotion: choice("emotion", EMOTIONS),
    since: typed("since", "date"),
    until: typed("until", "date"),
    tags: typed("tags"),
    project: typed("project"),
  };
  const on = h("span", { class: "filters-on small" });
  const count = (): void => {
    const active = narrowed({ q: "", ...values() });
    on.textContent = active ? t().active(active) : "";
    clearing.hidden = active === 0;
  };
  const values = (): Narrowing => Object.fromEntries(Object.entries(controls).map(([name, control]) => [name, control.value.trim()])) as unknown as Narrowing;
  function tell(): void {
    count();
    onchange(values());
  }
  const clear = (): void => {
    for (const control of Object.values(controls)) control.value = "";
    summary.focus();
    tell();
  };
  const clearing = button({ label: t().clear, kind: "quiet", small: true, onclick: clear });
  clearing.dataset.testid = "filter-clear";
  const summary = h("summary", null, t().filters, on);
  controls.tags.placeholder = t().tagsHint;
  const element = h(
    "details",
    { class: "filters", open: narrowed(question) > 0, "data-testid": "ask-filters" },
    summary,
    h(
      "div",
      { class: "filters-room" },
      Object.entries(controls).map(([name, control]) => field({ label: t()[name as keyof Narrowing], control })),
    ),
    clearing,
  );
  count();
  return { element, clear };
}
