/** Turns by day and conversation, newest first. */

import type { DecidedTurn } from "../../api/operations.ts";

export interface Talk {
  readonly session: string | null;
  readonly turns: readonly DecidedTurn[];
}

export interface Day {
  /** Its first moment, as the reader's clock has it. */
  readonly day: string;
  readonly talks: readonly Talk[];
}

const dayOf = (at: string): string => {
  const when = new Date(at);
  return `${when.getFullYear()}-${String(when.getMonth() + 1).padStart(2, "0")}-${String(when.getDate()).padStart(2, "0")}`;
};

/** A conversation that goes on past midnight is listed under both days. */
export function byDay(turns: readonly DecidedTurn[]): Day[] {
  const days = new Map<string, Map<string | null, DecidedTurn[]>>();
  for (const turn of turns) {
    const talks = days.get(dayOf(turn.at)) ?? new Map<string | null, DecidedTurn[]>();
    talks.set(turn.session_id, [...(talks.get(turn.session_id) ?? []), turn]);
    days.set(dayOf(turn.at), talks);
  }
  return [...days].map(([day, talks]) => ({ day, talks: [...talks].map(([session, some]) => ({ session, turns: some })) }));
}

/** Kept, skipped, memories given, both, or memory asked and nothing given. */
export type Did = "save" | "skip" | "retrieve" | "both" | "asked";

/** What became of a turn, whatever was decided: one that was skipped may have been given memories, too. */
export function didOf({ action, fetched }: DecidedTurn): Did {
  if (action === "save") return fetched.length ? "both" : "save";
  if (fetched.length) return "retrieve";
  return action === "retrieve" ? "asked" : "skip";
}

export function counted(turns: readonly DecidedTurn[]): { readonly kept: number; readonly skipped: number; readonly fetched: number } {
  const did = turns.map(didOf);
  return {
    kept: did.filter((each) => each === "save" || each === "both").length,
    skipped: did.filter((each) => each === "skip").length,
    fetched: did.filter((each) => each === "retrieve" || each === "both").length,
  };
}
