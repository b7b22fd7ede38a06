/** Every memory into one file, page by page. */

import type { Api } from "../../api/index.ts";

const PAGE = 500;

/** The JSONL of an export; `told` hears how many of how many there are so far. */
export async function takeOut(api: Api, signal: AbortSignal, told: (done: number, of: number) => void): Promise<{ count: number; file: Blob }> {
  const { states } = await api.call("server_status", {}, { signal });
  const total = Object.values(states).reduce((sum, each) => sum + each, 0);
  const parts: Blob[] = [];
  let count = 0;
  told(0, total);
  for await (const { records } of api.pages("memory_export", { limit: PAGE }, { signal })) {
    signal.throwIfAborted();
    // A blob a page: the browser may put it on disk, where a hundred thousand texts would not fit its memory.
    parts.push(new Blob(records.map((record) => `${JSON.stringify(record)}\n`)));
    count += records.length;
    told(count, total);
  }
  return { count, file: new Blob(parts, { type: "application/x-ndjson" }) };
}
