/** Where views come and go: one at a time, each with its own end, and a way on when one fails. */

import { ApiError, isAbort } from "../api/index.ts";
import { fill, h } from "../dom.ts";
import { said } from "../i18n.ts";
import { VIEWS, type Place } from "../router.ts";
import { errorPanel, skeleton } from "../ui/states.ts";
import type { Cleanup, Context, Sought } from "../view.ts";
import { t } from "./texts.ts";

type Given = Omit<Context, "params" | "query" | "signal" | "onSearch">;

/** After so many milliseconds a view that failed tries again by itself. */
const WAITS = [3000, 6000, 12_000, 30_000] as const;

export class Stage {
  #failures = 0;
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
      onSearch: (told) => {
        if (!signal.aborted) this.#search = told;
      },
    };
    try {
      const { view } = await VIEWS[place.name]();
      if (signal.aborted) return;
      const title = said(view.title);
      document.title = `${title} · ${t().brand}`;
      this.#given.announce(title);
      container.replaceChildren();
      const mounted = await view.mount(container, context);
      this.#failures = 0;
      if (signal.aborted) mounted?.();
      else cleanup = mounted;
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      console.error(error);
      fill(
        container,
        errorPanel(error, () => void this.show(place)),
      );
      if (canPass(error)) this.#tryAgain(place, signal);
    }
  }

  /** When the time is up, or sooner if the connection is there again. */
  #tryAgain(place: Place, signal: AbortSignal): void {
    const again = (): void => {
      window.clearTimeout(timer);
      if (!signal.aborted) void this.show(place);
    };
    const timer = window.setTimeout(again, WAITS[Math.min(this.#failures, WAITS.length - 1)]);
    this.#failures += 1;
    let first = true; // the state of now is told at once
    this.#given.live.onState((state) => {
      if (!first && state === "live") again();
      first = false;
    }, signal);
    signal.addEventListener("abort", () => window.clearTimeout(timer), { once: true });
  }
}

/** A server that is away or busy comes back; a refusal stays one. */
const canPass = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
