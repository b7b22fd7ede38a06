/** What is shown, as a file: every row of the filter, in its order. */

import type { Api, Memory } from "../../api/index.ts";
import { askOf, type TableState } from "./state.ts";

const AT_ONCE = 500;
const COLUMNS = [
  "id",
  "content",
  "attribute",
  "tier",
  "zone",
  "state",
  "importance",
  "recall_count",
  "created_at",
  "last_recalled_at",
  "expires_at",
  "source",
  "session_id",
  "tags",
] as const;

/** Quoted where it must be; a text that a spreadsheet would run as a formula is made a text. */
export function cell(value: unknown): string {
  const plain = value === null || value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value);
  const safe = /^[=+\-@\t\r]/.test(plain) && typeof value !== "number" ? `'${plain}` : plain;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csv = (memories: readonly Memory[]): string =>
  `${[COLUMNS.join(","), ...memories.map((memory) => COLUMNS.map((name) => cell(memory[name])).join(","))].join("\r\n")}\r\n`;

export const jsonLines = (memories: readonly Memory[]): string => memories.map((memory) => `${JSON.stringify(memory)}\n`).join("");

export async function allRows(api: Api, state: TableState, signal: AbortSignal): Promise<Memory[]> {
  const found: Memory[] = [];
  for (;;) {
    const { memories, total } = await api.call("memory_table", { ...askOf(state, AT_ONCE, found.length), counts: false }, { signal });
    found.push(...memories);
    if (!memories.length || found.length >= total) return found;
  }
}
