import { h } from "../dom.ts";
import { icon, type IconName } from "./icons.ts";

export interface ButtonOptions {
  readonly label: string;
  readonly onclick?: (event: MouseEvent) => void | Promise<void>;
  readonly kind?: "primary" | "danger" | "quiet";
  readonly icon?: IconName;
  /** The icon alone; the label is what screen readers say and the tooltip shows. */
  readonly bare?: boolean;
  readonly small?: boolean;
  readonly disabled?: boolean;
}

const classOf = (options: Omit<ButtonOptions, "label">): string =>
  ["button", options.kind, options.bare && "bare", options.small && "small"].filter(Boolean).join(" ");

const BUSY = ["aria-busy", "aria-disabled"];

/** While what it does is under way, it is busy and cannot be pressed again. */
export function button(options: ButtonOptions): HTMLButtonElement {
  const element = h(
    "button",
    {
      type: "button",
      class: classOf(options),
      disabled: options.disabled,
      ...(options.bare ? { "aria-label": options.label, title: options.label } : {}),
      onclick: (event) => {
        if (element.getAttribute("aria-busy") === "true") return event.preventDefault();
        const doing = options.onclick?.(event);
        if (!(doing instanceof Promise)) return;
        for (const state of BUSY) element.setAttribute(state, "true");
        void doing.finally(() => {
          for (const state of BUSY) element.removeAttribute(state);
        });
      },
    },
    options.icon && icon(options.icon),
    !options.bare && options.label,
  );
  return element;
}

/** A link that looks like a button. */
export const linkButton = (options: Omit<ButtonOptions, "onclick" | "disabled"> & { readonly href: string }): HTMLAnchorElement =>
  h("a", { class: classOf(options), href: options.href }, options.icon && icon(options.icon), options.label);
