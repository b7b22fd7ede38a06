/** The page's search box, over the sky: what is found lights up, and nothing is recalled by it. */

import { isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { button, linkButton } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { t } from "./texts.ts";

const PATIENCE = 280;
const MOST = 100;
const ENOUGH = 0.5; // of what fits best: the rest is only remotely about it

export interface SeekingOptions {
  /** These were found; null: nobody searches any more. Gives how many of them are in the picture. */
  readonly found: (ids: ReadonlySet<string> | null) => number;
  /** Enter was pressed, and these were found, the best first. */
  readonly go: (ids: readonly string[]) => void;
  readonly fail: (error: unknown) => void;
}

export class Seeking {
  readonly element = h("div", { class: "orbits-hits", role: "status", hidden: true, "data-testid": "orbits-hits" });
  readonly #context: Context;
  readonly #options: SeekingOptions;
  #asking = new AbortController();
  #timer = 0;

  constructor(context: Context, options: SeekingOptions) {
    [this.#context, this.#options] = [context, options];
    context.onSearch(({ text, submitted }) => {
      this.seek(text, submitted);
      return true;
    });
    context.signal.addEventListener("abort", () => this.#stop(), { once: true });
  }

  seek(text: string, atOnce: boolean): void {
    this.#stop();
    if (text === "") return this.#clear();
    if (atOnce) void this.#ask(text, true);
    else this.#timer = window.setTimeout(() => void this.#ask(text, false), PATIENCE);
  }

  #stop(): void {
    window.clearTimeout(this.#timer);
    this.#asking.abort();
  }

  #clear(): void {
    this.element.hidden = true;
    this.#options.found(null);
  }

  async #ask(text: string, go: boolean): Promise<void> {
    this.#asking = new AbortController();
    try {
      const { hits } = await this.#context.api.call("memory_search", { query: text, limit: MOST, reinforce: false }, { signal: this.#asking.signal });
      const best = hits[0]?.relevance ?? 0;
      const found = hits.filter(({ relevance }) => relevance >= best * ENOUGH).map(({ memory }) => memory.id);
      const count = this.#options.found(new Set(found));
      const clear = button({ label: t().clear, kind: "quiet", small: true, onclick: () => this.#forget() });
      clear.dataset.testid = "orbits-clear-hits";
      fill(
        this.element,
        h("span", null, t().litFor(count, text)),
        h("span", { class: "row" }, linkButton({ label: t().ask, kind: "quiet", small: true, href: `#/ask?q=${encodeURIComponent(text)}` }), clear),
      );
      this.element.hidden = false;
      if (go && count > 0) this.#options.go(found);
    } catch (error) {
      if (!isAbort(error)) this.#options.fail(error);
    }
  }

  #forget(): void {
    const box = document.querySelector<HTMLInputElement>(".seek input");
    if (box) box.value = "";
    this.#clear();
    box?.focus();
  }
}
