/** What Today is made of: what is read quickly first, then what looks at every memory. */

import type { Memory, Proposal } from "../../api/index.ts";
import type { MemoryStats } from "../../api/operations.ts";
import { endsAt } from "../../ui/ends.ts";
import type { Context } from "../../view.ts";

const DEMO = "celestial-demo"; // the tag of made-up memories
// Six of each are shown; the rest is only counted, up to here.
const NEWEST = 30;
const SOONEST = 12;
const MANY = 20_000; // memories of which the server keeps no rows for the next question
const WEEK = 7 * 24 * 3600 * 1000;

export interface News {
  readonly stats: MemoryStats;
  readonly learned: readonly Memory[];
  /** There are more new ones than were read. */
  readonly hasMore: boolean;
  readonly changed: readonly Memory[];
  readonly waiting: readonly Proposal[];
  /** Null until it is there. */
  readonly rest: Rest | null;
}

export interface Rest {
  /** Null where counting them would take long. */
  readonly people: number | null;
  /** How many memories are made up. */
  readonly demo: number;
  readonly leaving: readonly Memory[];
  /** There are more that leave than were read. */
  readonly moreLeave: boolean;
}

/** Memories that came and still hold, and those that replaced another. */
export function sorted(newest: readonly Memory[]): Pick<News, "learned" | "changed"> {
  return {
    learned: newest.filter(({ replaces, valid_until }) => replaces.length === 0 && valid_until === null),
    changed: newest.filter(({ replaces }) => replaces.length > 0),
  };
}

/** Those whose lifetime ends within a week. */
export function leavingSoon(soonest: readonly Memory[], now: number): readonly Memory[] {
  const ends = (memory: Memory): number => Date.parse(endsAt(memory) ?? "") || Infinity;
  return soonest.filter((memory) => ends(memory) - now < WEEK);
}

export async function load({ api, signal }: Context, since: number, rest: Rest | null = null): Promise<News> {
  const [stats, newest, inbox] = await Promise.all([
    api.call("memory_stats", {}, { signal }),
    api.call("memory_list", { limit: NEWEST, where: { since: new Date(since).toISOString() } }, { signal }),
    api.call("inbox_list", { status: "pending" }, { signal }),
  ]);
  return { stats, waiting: inbox.proposals, ...sorted(newest.memories), hasMore: newest.next !== null, rest };
}

/** One after the other: each of them is reckoned from the same rows, which the server keeps for the next. */
export async function loadRest({ api, signal }: Context, total: number): Promise<Rest> {
  const soonest = await api.call("memory_table", { sort: "leaving", descending: false, limit: SOONEST, current: true, counts: false }, { signal });
  const leaving = leavingSoon(soonest.memories, Date.now());
  const moreLeave = leaving.length === soonest.memories.length && soonest.total > leaving.length;
  // Each of the others takes seconds where there are very many.
  if (total > MANY) return { people: null, demo: 0, leaving, moreLeave };
  const demo = await api.call("memory_table", { tag: DEMO, limit: 1, counts: false, states: ["active", "faded", "inactive", "archived", "cliff"] }, { signal });
  const subjects = await api.call("subject_list", { limit: 1 }, { signal });
  return { people: subjects.total, demo: demo.total, leaving, moreLeave };
}
