/** What Today is made of, asked for all at once. */

import type { Memory, Proposal } from "../../api/index.ts";
import type { MemoryStats } from "../../api/operations.ts";
import type { Context } from "../../view.ts";

const DEMO = "celestial-demo"; // the tag of made-up memories
const MOST = 60;
const WEEK = 7 * 24 * 3600 * 1000;

export interface News {
  readonly stats: MemoryStats;
  readonly people: number;
  /** How many memories are made up. */
  readonly demo: number;
  readonly learned: readonly Memory[];
  readonly changed: readonly Memory[];
  readonly waiting: readonly Proposal[];
  readonly leaving: readonly Memory[];
}

/** Memories that came, those that replaced another, and those whose lifetime ends within a week. */
export function sorted(newest: readonly Memory[], soonest: readonly Memory[], now: number): Pick<News, "learned" | "changed" | "leaving"> {
  const changed = newest.filter(({ replaces }) => replaces.length > 0);
  const ends = ({ expires_at }: Memory): number => (expires_at === null ? Infinity : Date.parse(expires_at));
  return {
    learned: newest.filter(({ replaces }) => replaces.length === 0),
    changed,
    leaving: soonest.filter((memory) => memory.protection === "none" && ends(memory) - now < WEEK),
  };
}

export async function load({ api, signal }: Context, since: number): Promise<News> {
  const [stats, newest, soonest, inbox, subjects, demo] = await Promise.all([
    api.call("memory_stats", {}, { signal }),
    api.call("memory_list", { limit: MOST, where: { since: new Date(since).toISOString() } }, { signal }),
    api.call("memory_table", { sort: "leaving", descending: false, limit: 20, current: true }, { signal }),
    api.call("inbox_list", { status: "pending" }, { signal }),
    api.call("subject_list", { limit: 1 }, { signal }),
    api.call("memory_table", { tag: DEMO, limit: 1, states: ["active", "faded", "inactive", "archived", "cliff"] }, { signal }),
  ]);
  return { stats, people: subjects.total, demo: demo.total, waiting: inbox.proposals, ...sorted(newest.memories, soonest.memories, Date.now()) };
}
