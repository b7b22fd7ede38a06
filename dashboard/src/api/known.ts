/** Memories by their ids, each asked for once while a view is shown; those that are gone are null. */

import type { Api } from "./client.ts";
import { ApiError } from "./error.ts";
import type { Memory } from "./operations.ts";

const AT_ONCE = 6;

export class Known {
  readonly #api: Api;
  readonly #signal: AbortSignal;
  readonly #found = new Map<string, Promise<Memory | null>>();

  constructor(api: Api, signal: AbortSignal) {
    [this.#api, this.#signal] = [api, signal];
  }

  /** What is known already needs not be asked for. */
  learn(memories: readonly Memory[]): void {
    for (const memory of memories) this.#found.set(memory.id, Promise.resolve(memory));
  }

  forget(id: string): void {
    this.#found.delete(id);
  }

  async all(ids: readonly string[]): Promise<Map<string, Memory | null>> {
    const wanted = [...new Set(ids)];
    const told = new Map<string, Memory | null>();
    for (let at = 0; at < wanted.length; at += AT_ONCE) {
      const some = wanted.slice(at, at + AT_ONCE);
      const memories = await Promise.all(some.map((id) => this.#one(id)));
      some.forEach((id, place) => told.set(id, memories[place] ?? null));
    }
    return told;
  }

  #one(id: string): Promise<Memory | null> {
    const known = this.#found.get(id);
    if (known) return known;
    const asked = this.#api.call("memory_get", { id }, { signal: this.#signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      this.#found.delete(id);
      throw error;
    });
    this.#found.set(id, asked);
    return asked;
  }
}
