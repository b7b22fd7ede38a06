/** Where views come and go: one at a time, each with its own end, and a way on when one fails. */

import { isAbort } from "../api/index.ts";
import { fill, h } from "../dom.ts";
import { said } from "../i18n.ts";
import { VIEWS, type Place } from "../router.ts";
import { errorPanel, skeleton } from "../ui/states.ts";
import type { Cleanup, Context, Sought } from "../view.ts";
import { t } from "./texts.ts";

type Given = Omit<Context, "params" | "query" | "signal" | "onSearch">;

export class Stage {
  readonly #room: HTMLElement;
  readonly #given: Given;
  #end: () => void = () => {};
  #search: ((sought: Sought) => boolean | void) | null = null;

  constructor(room: HTMLElement, given: Given) {
    [this.#room, this.#given] = [room, given];
  }

  /** Whether the view that is shown dealt with it. */
  sought(sought: Sought): boolean {
    return this.#search?.(sought) === true;
  }

  end(): void {
    this.#end();
    this.#end = () => {};
    this.#search = null;
  }

  async show(place: Place): Promise<void> {
    this.end();
    const ending = new AbortController();
    const { signal } = ending;
    let cleanup: Cleanup | void;
    this.#end = () => {
      ending.abort();
      cleanup?.();
    };
    const container = h("div", { class: "view" }, skeleton());
    fill(this.#room, container);
    const context: Context = {
      ...this.#given,
      params: place.params,
      query: place.query,
      signal,
      onSearch: (told) => { if (!signal.aborted) this.#search = told; },
    };
    try {
      const { view } = await VIEWS[place.name]();
      if (signal.aborted) return;
      const title = said(view.title);
      document.title = `${title} · ${t().brand}`;
      this.#given.announce(title);
      container.replaceChildren();
      const mounted = await view.mount(container, context);
      if (signal.aborted) mounted?.();
      else cleanup = mounted;
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      console.error(error);
      fill(container, errorPanel(error, () => void this.show(place)));
    }
  }
}
