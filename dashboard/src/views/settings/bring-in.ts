/** An export back in: read as it streams, sent by pages, and of a page that is refused all but the bad lines. */

import type { Api } from "../../api/index.ts";
import { ApiError } from "../../api/index.ts";

const MOST_RECORDS = 200;
/** Well below what the server takes at once. */
const MOST_CHARACTERS = 400_000;

export interface Skipped {
  readonly line: number;
  /** What the server said of it, if it was read at all. */
  readonly why: "not_json" | "not_record" | ApiError;
}

export interface Progress {
  readonly share: number;
  readonly added: number;
  readonly known: number;
}

interface Line {
  readonly line: number;
  readonly record: Readonly<Record<string, unknown>>;
}

export async function bringIn(
  api: Api,
  file: File,
  signal: AbortSignal,
  told: (now: Progress) => void,
): Promise<Progress & { readonly skipped: readonly Skipped[] }> {
  const skipped: Skipped[] = [];
  let [added, known, read, line] = [0, 0, 0, 0];
  let page: Line[] = [];
  let weight = 0;
  const now = (): Progress => ({ share: file.size ? Math.min(1, read / file.size) : 1, added, known });

  const send = async (some: readonly Line[]): Promise<void> => {
    if (!some.length) return;
    try {
      const done = await api.call("memory_import", { records: some.map(({ record }) => record) }, { signal });
      added += done.added;
      known += done.known;
    } catch (error) {
      // A refusal is about a record; anything else (no server, no room, no session) ends it.
      if (!(error instanceof ApiError) || ![400, 409, 413, 422].includes(error.status)) throw error;
      const [only] = some;
      if (some.length === 1 && only) {
        skipped.push({ line: only.line, why: error });
        return;
      }
      const half = some.length >> 1;
      await send(some.slice(0, half));
      await send(some.slice(half));
    }
  };
  const flush = async (): Promise<void> => {
    await send(page);
    [page, weight] = [[], 0];
    told(now());
  };
  const take = (text: string): void => {
    line += 1;
    if (!text.trim()) return;
    let record: unknown;
    try {
      record = JSON.parse(text);
    } catch {
      skipped.push({ line, why: "not_json" });
      return;
    }
    if (typeof record !== "object" || record === null || Array.isArray(record)) {
      skipped.push({ line, why: "not_record" });
      return;
    }
    page.push({ line, record: record as Line["record"] });
    weight += text.length;
  };

  const decoder = new TextDecoder(); // a mark of the byte order is left out
  const reader = file.stream().getReader();
  let rest = "";
  told(now());
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = await reader.read();
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const lines = rest.split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const text of lines) {
      take(text);
      if (page.length >= MOST_RECORDS || weight >= MOST_CHARACTERS) await flush();
    }
    read += value?.byteLength ?? 0;
    told(now());
    if (done) break;
  }
  await flush();
  return { ...now(), skipped };
}
