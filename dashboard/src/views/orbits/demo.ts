/** The first look: an empty sky that says what it is for, demo data with one click, and out again with another. */

import { explained } from "../../api/index.ts";
import { h } from "../../dom.ts";
import { language } from "../../i18n.ts";
import { button } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import type { Sky } from "./sky.ts";
import { t } from "./texts.ts";

const DEMO = "demo-"; // how the ids of made-up memories begin

export const hasDemo = (sky: Sky): boolean => sky.told.ids.some((id) => id.startsWith(DEMO));

/** What can be done about demo data; `changed` after it was. */
export class Demo {
  readonly #context: Context;
  readonly #changed: () => Promise<void>;

  constructor(context: Context, changed: () => Promise<void>) {
    [this.#context, this.#changed] = [context, changed];
  }

  /** In the middle of an empty sky. */
  invitation(): HTMLElement {
    const add = button({ label: t().demo, kind: "primary", onclick: () => this.#add() });
    add.dataset.testid = "orbits-demo-add";
    return h(
      "div",
      { class: "orbits-nothing", "data-testid": "orbits-empty" },
      h("h2", null, t().nothing),
      h("p", null, t().teach),
      add,
      h("p", { class: "faint small" }, t().demoNote),
    );
  }

  /** Below the legend, while made-up memories are there. */
  notice(): HTMLElement {
    const remove = button({ label: t().demoRemove, small: true, onclick: () => this.#remove() });
    remove.dataset.testid = "orbits-demo-remove";
    return h("div", { class: "stack orbits-demo" }, h("p", { class: "small soft" }, t().demoHere), remove);
  }

  async #add(): Promise<void> {
    await this.#tried(async () => {
      const { added } = await this.#context.api.call("demo_add", { language: language() });
      await this.#changed();
      this.#context.toast(t().demoAdded(added), { kind: "good" });
    });
  }

  async #remove(): Promise<void> {
    await this.#tried(async () => {
      const { removed, kept } = await this.#context.api.call("demo_remove");
      await this.#changed();
      const told = kept ? `${t().demoRemoved(removed)}. ${t().demoKept(kept)}` : t().demoRemoved(removed);
      this.#context.toast(told, { kind: "good", undo: () => this.#add() });
    });
  }

  async #tried(doing: () => Promise<void>): Promise<void> {
    try {
      await doing();
    } catch (error) {
      if (!this.#context.signal.aborted) this.#context.toast(explained(error), { kind: "bad" });
    }
  }
}
