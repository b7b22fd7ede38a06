import { h, type Child } from "../dom.ts";

/** The top of a view: its title, one sentence, and what can be done. */
export const viewHead = (title: string, about?: Child, actions?: Child): HTMLElement =>
  h(
    "header",
    { class: "view-head" },
    h("div", null, h("h1", null, title), about ? h("p", null, about) : null),
    actions ? h("div", { class: "row" }, actions) : null,
  );
