/** Where an operation is, and where each field of its request goes; fields that are not named are the body. */
export interface Route {
  method: string;
  path: string;
  query: string[];
  header: Record<string, string>;
}

/** The problem document (RFC 9457) that the server answered with. */
export class CelestialError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly problem: Record<string, unknown>,
  ) {
    super(String(problem.detail ?? `the server answered with ${status}`));
    this.name = "CelestialError";
  }
}

export interface Options {
  /** Of the user, for error messages: "en" or "ko". */
  language?: string;
  /** Milliseconds after which a request is given up; 60,000 unless given. */
  timeout?: number;
  fetch?: typeof fetch;
}

/** Sends requests with a token, and turns problems into errors. */
export class Transport {
  readonly #url: string;
  readonly #token: string;
  readonly #options: Options;

  constructor(url: string, token: string, options: Options = {}) {
    this.#url = url.replace(/\/+$/, "");
    this.#token = token;
    this.#options = options;
  }

  protected async call<Result>(route: Route, request: object): Promise<Result> {
    const left = new Map(Object.entries(request).filter(([, value]) => value !== undefined));
    const take = (name: string): unknown => {
      const value = left.get(name);
      left.delete(name);
      return value;
    };
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
    if (this.#options.language) headers["accept-language"] = this.#options.language;
    for (const [field, header] of Object.entries(route.header)) {
      const value = take(field);
      if (value != null) headers[header] = String(value);
    }
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(take(name))));
    const query = new URLSearchParams();
    for (const field of route.query) {
      const value = take(field);
      for (const one of Array.isArray(value) ? value : value == null ? [] : [value]) query.append(field, String(one));
    }
    const init: RequestInit = {
      method: route.method,
      headers,
      signal: AbortSignal.timeout(this.#options.timeout ?? 60_000),
    };
    if (route.method !== "GET" && route.method !== "DELETE") {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(Object.fromEntries(left));
    }
    const asked = query.size > 0 ? `?${query}` : "";
    const answer = await (this.#options.fetch ?? fetch)(`${this.#url}${path}${asked}`, init);
    const text = await answer.text();
    if (!answer.ok) throw problemOf(answer.status, text);
    return (text === "" ? undefined : JSON.parse(text)) as Result;
  }
}

function problemOf(status: number, text: string): CelestialError {
  try {
    const problem = JSON.parse(text) as Record<string, unknown>;
    return new CelestialError(status, String(problem.code), problem);
  } catch {
    return new CelestialError(status, "no_problem_document", {}); // a proxy answered
  }
}
