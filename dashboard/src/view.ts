/** What a view is, and what it is given. */

import type { Api, Session } from "./api/index.ts";
import type { Text } from "./i18n.ts";
import type { Live } from "./live.ts";

export type Cleanup = () => void;

export interface ToastOptions {
  /** Shown as a button; called once if it is pressed. */
  readonly undo?: () => void | Promise<void>;
  readonly kind?: "good" | "bad";
}

/** What the search box says: with every stroke, and `submitted` on Enter. */
export interface Sought {
  readonly text: string;
  readonly submitted: boolean;
}

export interface Context {
  readonly api: Api;
  readonly live: Live;
  readonly session: Session;
  /** What follows the view's name: `#/memory/abc` gives ["abc"]. */
  readonly params: readonly string[];
  /** `#/ask?q=tea` gives q=tea. */
  readonly query: URLSearchParams;
  /** Go to another view, or to other params of this one: `navigate("memory/abc")`. */
  navigate(path: string, options?: { readonly replace?: boolean }): void;
  toast(text: string, options?: ToastOptions): void;
  /** Say it to those who cannot see it. */
  announce(text: string): void;
  /** Take the page's search box while this view is shown; true says that Enter was dealt with. Else Enter opens Ask. */
  onSearch(told: (sought: Sought) => boolean | void): void;
  /** Ends with the view: hand it to `api.call`, listeners and charts. */
  readonly signal: AbortSignal;
}

/** Mounted into an empty container; mounted again when its params or the language change. */
export interface View {
  readonly title: Text;
  mount(container: HTMLElement, context: Context): Cleanup | void | Promise<Cleanup | void>;
}
