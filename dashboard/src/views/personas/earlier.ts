/** Runs that were before, and those that can go on. */

import { explained, isAbort } from "../../api/index.ts";
import type { PersonaRunSummary } from "../../api/operations.ts";
import { fill, h } from "../../dom.ts";
import { number } from "../../i18n.ts";
import { button, list, relativeTime, skeleton } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { registryName } from "./ready-made.ts";
import { t } from "./texts.ts";

const SHOWN = 10;

export class Earlier {
  readonly element = h("section", { class: "stack", "aria-label": t().earlier, "data-testid": "personas-earlier" });
  readonly #context: Context;
  readonly #goOn: (session: string) => void;

  constructor(context: Context, goOn: (session: string) => void) {
    [this.#context, this.#goOn] = [context, goOn];
    fill(this.element, skeleton(2));
  }

  async load(): Promise<void> {
    try {
      const { runs } = await this.#context.api.call("personas_runs", { limit: SHOWN }, { signal: this.#context.signal });
      fill(
        this.element,
        h("h2", null, t().earlier),
        runs.length ? list({ label: t().earlier, items: runs, render: (run) => this.#row(run) }) : h("p", { class: "soft" }, t().none),
      );
    } catch (error) {
      if (!isAbort(error)) fill(this.element, h("p", { role: "alert" }, explained(error)));
    }
  }

  #row(run: PersonaRunSummary): HTMLElement {
    return h(
      "div",
      { class: "row spread persona-run" },
      h("a", { href: `#/memory/${encodeURIComponent(run.memory_id)}` }, run.question),
      h(
        "span",
        { class: "row small soft" },
        registryName(run.registry ?? ""),
        `${t().answered} ${number(run.answers)}`,
        relativeTime(run.at),
        !run.finished && t().unfinished,
        !run.finished && button({ label: t().goOn, small: true, onclick: () => this.#goOn(run.session_id) }),
      ),
    );
  }
}
