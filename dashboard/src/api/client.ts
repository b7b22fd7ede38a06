/** The REST API that everybody gets, typed by its operations. */

import { ApiError } from "./error.ts";
import { ROUTES, type Operations, type Route } from "./operations.ts";

export interface Session {
  readonly owner: { readonly user_id: string; readonly agent_id: string };
  readonly csrf: string;
  readonly version: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  /** Opened for all owners: it can be switched to another one. */
  readonly switches_owner: boolean;
}

export interface Speed {
  readonly operation: string;
  readonly answers: number;
  readonly failed: number;
  readonly median_ms: number;
  /** Nineteen of twenty are faster. */
  readonly slow_ms: number;
}

export interface OwnerCount {
  readonly user_id: string;
  readonly agent_id: string;
  readonly memories: number;
}

type Name = keyof Operations;
type Ask<Each extends Name> = Operations[Each]["ask"];
type Answer<Each extends Name> = Operations[Each]["answer"];
/** Operations that answer by pages. */
type Paged = { [Each in Name]: Answer<Each> extends { next: string | null } ? Each : never }[Name];

export interface Calling {
  readonly signal?: AbortSignal;
}

/** The session, the operations, and the few requests that are none. */
export class Api {
  #csrf = "";
  #owner = "";
  readonly #signedOut: () => void;
  readonly #otherOwner: () => void;

  /** `otherOwner` is called when the browser's session has become somebody else's: this page shows the wrong memory. */
  constructor(signedOut: () => void = () => {}, otherOwner: () => void = () => {}) {
    [this.#signedOut, this.#otherOwner] = [signedOut, otherOwner];
  }

  /** Who is signed in; null for nobody. */
  async session(): Promise<Session | null> {
    try {
      const found = (await this.#fetch("GET", "/dashboard/session", {})) as Session;
      const owner = JSON.stringify(found.owner);
      this.#owner ||= owner;
      if (owner === this.#owner) this.#csrf = found.csrf;
      else this.#otherOwner();
      return found;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  }

  /** How fast the server answers, by operation. */
  async speed(calling?: Calling): Promise<readonly Speed[]> {
    const found = (await this.#fetch("GET", "/dashboard/speed", {}, undefined, calling)) as { readonly operations: readonly Speed[] };
    return found.operations;
  }

  /** The owners that this session may be switched to. */
  async owners(calling?: Calling): Promise<readonly OwnerCount[]> {
    const found = (await this.#fetch("GET", "/dashboard/owners", {}, undefined, calling)) as { readonly owners: readonly OwnerCount[] };
    return found.owners;
  }

  /** Another session takes the place of this one: the page is to be opened again after it. */
  async switchOwner({ user_id, agent_id }: Omit<OwnerCount, "memories">): Promise<void> {
    await this.#fetch("POST", "/dashboard/owner", { "Content-Type": "application/json" }, JSON.stringify({ user_id, agent_id }));
  }

  async signOut(): Promise<void> {
    await this.#fetch("POST", "/dashboard/logout", {});
    this.#signedOut();
  }

  /** Ask an operation: `api.call("memory_search", {query: "coffee"})`. */
  async call<Each extends Name>(
    name: Each,
    ...[ask, calling]: Record<never, never> extends Ask<Each> ? [ask?: Ask<Each>, calling?: Calling] : [ask: Ask<Each>, calling?: Calling]
  ): Promise<Answer<Each>> {
    const route: Route = ROUTES[name];
    return this.send(route, (ask ?? {}) as Record<string, unknown>, calling) as Promise<Answer<Each>>;
  }

  /** Ask an operation that tells what happens while it runs; what it answers with comes last. */
  async events<Each extends Name>(name: Each, ask: Ask<Each>, told: (event: string, data: unknown) => void, calling?: Calling): Promise<Answer<Each>> {
    const [method, path] = ROUTES[name] as Route;
    const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
    const response = await this.#respond(method, `/v1${path}`, headers, JSON.stringify(ask), calling);
    for await (const [event, data] of messages(response)) {
      if (event === "result") return data as Answer<Each>;
      if (event === "problem") throw await ApiError.of(new Response(JSON.stringify(data), { status: (data as { status: number }).status }));
      told(event, data);
    }
    throw ApiError.unreachable();
  }

  /** Every page of an operation that answers by pages, one after the other. */
  async *pages<Each extends Paged>(name: Each, ask: Ask<Each>, calling?: Calling): AsyncGenerator<Answer<Each>> {
    let cursor: string | null = null;
    do {
      const asked = cursor === null ? ask : { ...ask, cursor };
      const page = (await this.send(ROUTES[name], asked as Record<string, unknown>, calling)) as Answer<Each>;
      yield page;
      cursor = (page as { next: string | null }).next;
    } while (cursor !== null);
  }

  /** Send to a route under /v1: path fields, headers, query or body come from the fields by name. */
  async send(route: Route, fields: Readonly<Record<string, unknown>>, calling?: Calling): Promise<unknown> {
    const [method, template, headerOf = {}] = route;
    const rest = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = rest.get(name);
      rest.delete(name);
      return encodeURIComponent(String(value));
    });
    const headers: Record<string, string> = {};
    for (const [name, header] of Object.entries(headerOf)) {
      const value = rest.get(name);
      rest.delete(name);
      if (value !== undefined && value !== null) headers[header] = header === "If-Match" ? `"${String(value)}"` : String(value);
    }
    if (method !== "GET" && method !== "DELETE") {
      headers["Content-Type"] = "application/json";
      return this.#fetch(method, `/v1${path}`, headers, JSON.stringify(Object.fromEntries(rest)), calling);
    }
    const query = new URLSearchParams();
    for (const [name, value] of rest) {
      for (const each of Array.isArray(value) ? value : [value]) if (each !== null) query.append(name, String(each));
    }
    const asked = query.size ? `?${query}` : "";
    return this.#fetch(method, `/v1${path}${asked}`, headers, undefined, calling);
  }

  async #fetch(method: string, path: string, headers: Record<string, string>, body?: string, calling?: Calling): Promise<unknown> {
    const response = await this.#respond(method, path, headers, body, calling);
    return response.status === 204 ? null : response.json();
  }

  async #respond(method: string, path: string, headers: Record<string, string>, body?: string, calling?: Calling, again = false): Promise<Response> {
    if (method !== "GET") headers["X-CSRF-Token"] = this.#csrf;
    const response = await fetch(path, {
      method,
      headers,
      credentials: "same-origin",
      cache: "no-store",
      ...(body === undefined ? {} : { body }),
      ...(calling?.signal ? { signal: calling.signal } : {}),
    }).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw ApiError.unreachable();
    });
    if (!response.ok) {
      if (response.status === 401 && path !== "/dashboard/session") this.#signedOut();
      const refused = await ApiError.of(response);
      // Another tab has signed in: the session is a new one, and was asked with the old one's word. Nothing is sent
      // again if it is of another owner, whose word is not taken over.
      if (refused.code !== "csrf" || again) throw refused;
      const before = this.#csrf;
      await this.session();
      if (before === this.#csrf) throw refused;
      return this.#respond(method, path, headers, body, calling, true);
    }
    return response;
  }
}

/** Server-sent events of a response: their names, and their data as JSON. */
async function* messages(response: Response): AsyncGenerator<readonly [event: string, data: unknown]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return;
    const blocks = (rest + part.value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const of = (name: string): string => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
      if (of("event")) yield [of("event"), JSON.parse(of("data")) as unknown];
    }
  }
}
