/** What one types or chooses into, each with its label. */

import { freshId, h, type Child, type Props } from "../dom.ts";

/** A label, the control, and a hint that belongs to it. */
export function field(options: { readonly label: string; readonly control: HTMLElement; readonly hint?: Child }): HTMLElement {
  const id = options.control.id || freshId("field");
  options.control.id = id;
  if (options.hint) options.control.setAttribute("aria-describedby", `${id}-hint`);
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, options.label),
    options.control,
    options.hint ? h("p", { class: "hint", id: `${id}-hint` }, options.hint) : null,
  );
}

export const input = (props: Props = {}): HTMLInputElement => h("input", { type: "text", ...props, class: "input" });

export const textarea = (props: Props = {}): HTMLTextAreaElement => h("textarea", { ...props, class: "input" });

export function select<Value extends string>(options: {
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly selected?: Value;
  readonly onchange?: (value: Value) => void;
}): HTMLSelectElement {
  const element = h(
    "select",
    { class: "input", onchange: () => options.onchange?.(element.value as Value) },
    options.options.map(([value, label]) => h("option", { value, selected: value === options.selected }, label)),
  );
  return element;
}

export function toggle(options: { readonly label: string; readonly on: boolean; readonly onchange: (on: boolean) => void }): HTMLElement {
  const box = h("input", { type: "checkbox", role: "switch", checked: options.on, onchange: () => options.onchange(box.checked) });
  return h("label", { class: "switch" }, box, options.label);
}
