/** Hash routes: which view is shown, and with what. Views are loaded when they are first wanted. */

import type { View } from "./view.ts";

export const VIEWS = {
  today: () => import("./views/today/index.ts"),
  memories: () => import("./views/memories/index.ts"),
  people: () => import("./views/people/index.ts"),
  conversations: () => import("./views/conversations/index.ts"),
  orbits: () => import("./views/orbits/index.ts"),
  memory: () => import("./views/memory/index.ts"),
  ask: () => import("./views/ask/index.ts"),
  cliff: () => import("./views/cliff/index.ts"),
  approvals: () => import("./views/approvals/index.ts"),
  self: () => import("./views/self/index.ts"),
  personas: () => import("./views/personas/index.ts"),
  federation: () => import("./views/federation/index.ts"),
  insight: () => import("./views/insight/index.ts"),
  settings: () => import("./views/settings/index.ts"),
} satisfies Record<string, () => Promise<{ view: View }>>;

export type ViewName = keyof typeof VIEWS;

export interface Place {
  readonly name: ViewName;
  readonly params: readonly string[];
  readonly query: URLSearchParams;
}

/** The place a hash names; Today where it names none. */
export function placeOf(hash: string): Place {
  const [, path = "", query = ""] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? []; // a question may end in a second "?"
  const [name = "", ...params] = path.split("/").filter(Boolean).map(decoded);
  return { name: Object.hasOwn(VIEWS, name) ? (name as ViewName) : "today", params, query: new URLSearchParams(query) };
}

export const hashOf = (path: string): string => `#/${path.replace(/^#?\/?/, "")}`;

export function navigate(path: string, options: { readonly replace?: boolean } = {}): void {
  const hash = hashOf(path);
  if (options.replace) {
    history.replaceState(null, "", hash);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  } else {
    location.hash = hash;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a stray % is itself
  }
}
