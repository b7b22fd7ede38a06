/** When a memory leaves if nothing happens to it. */

import type { Memory } from "../api/index.ts";

/** Null for what time alone does not end: it is protected, or a lasting fact, whatever its lifetime says. */
export function endsAt(memory: Memory): string | null {
  if (memory.state === "cliff") return memory.purge_at;
  return memory.protection === "none" && !memory.lasting ? memory.expires_at : null;
}
