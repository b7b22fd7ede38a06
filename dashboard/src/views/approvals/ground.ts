/** What a proposal is read against: the memories it names, and the self as it is. */

import type { Known } from "../../api/known.ts";
import type { Memory, Proposal, Self } from "../../api/index.ts";
import { islandTitle } from "../../ui/self-words.ts";
import { t } from "./texts.ts";

export interface Ground {
  readonly self: Self;
  /** What a memory says, or that it is gone. */
  said(id: string): string;
  memory(id: string): Memory | null;
  island(id: string): string;
  belief(id: string): string;
}

export async function groundOf(proposal: Proposal, self: Self, known: Known): Promise<Ground> {
  const named = proposal.changes.flatMap((change) => (change.on === "memory" ? [change.id] : [...idsIn(change.before), ...idsIn(change.after)]));
  const memories = await known.all([...named, ...proposal.evidence]);
  const proposed = new Map(proposal.changes.filter(({ on }) => on === "island").map((change) => [change.id, change.after ?? change.before]));
  return {
    self,
    memory: (id) => memories.get(id) ?? null,
    said: (id) => memories.get(id)?.content ?? t().gone,
    island: (id) => {
      const found = self.islands.find((island) => island.id === id);
      return found ? islandTitle(found) : String(proposed.get(id)?.name ?? id);
    },
    belief: (id) => self.beliefs.find((belief) => belief.id === id)?.statement ?? id,
  };
}

type Part = Readonly<Record<string, unknown>> | null;

export const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const idsIn = (part: Part): string[] => [...textsIn(part?.founders), ...textsIn(part?.supports)];

/** What a proposal is about, in a few words. */
export function headline(proposal: Proposal, said: (id: string) => string | null): string {
  const first = proposal.changes[0];
  if (!first) return t().nameless;
  if (proposal.kind === "self_rollback" && typeof proposal.reasons.version === "number") return t().version(proposal.reasons.version);
  if (first.on === "memory") return said(first.id) ?? t().gone;
  const part = first.after ?? first.before ?? {};
  if (typeof part.statement === "string") return part.statement;
  return islandTitle({ name: String(part.name ?? ""), emoji: String(part.emoji ?? "") });
}

/** Islands and beliefs as they would be. */
export function selfAfter(self: Self, proposal: Proposal): { before: Self; after: Self } {
  let islands = [...self.islands];
  let beliefs = [...self.beliefs];
  for (const { on, id, after } of proposal.changes) {
    if (on === "island") {
      const old = islands.find((island) => island.id === id);
      const made = after && {
        id,
        strength: 0.5,
        status: "active" as const,
        emoji: "",
        description: "",
        ...old,
        name: String(after.name ?? ""),
        ...("emoji" in after ? { emoji: String(after.emoji ?? "") } : {}),
        ...("description" in after ? { description: String(after.description ?? "") } : {}),
        founders: textsIn(after.founders),
      };
      islands = replaced(islands, id, made);
    } else if (on === "belief") {
      const old = beliefs.find((belief) => belief.id === id);
      const made = after && {
        id,
        confidence: 0.7,
        formed_at: proposal.proposed_at,
        ...old,
        statement: String(after.statement ?? ""),
        supports: textsIn(after.supports),
        island: typeof after.island === "string" ? after.island : null,
      };
      beliefs = replaced(beliefs, id, made);
    } else if (after === null) {
      islands = islands.map((island) => ({ ...island, founders: island.founders.filter((each) => each !== id) }));
      beliefs = beliefs.map((belief) => ({ ...belief, supports: belief.supports.filter((each) => each !== id) }));
    } else if (typeof after.island === "string") {
      islands = islands.map((island) => (island.id === after.island ? { ...island, founders: [...island.founders, id] } : island));
    }
  }
  return { before: self, after: { ...self, islands, beliefs } };
}

function replaced<Each extends { readonly id: string }>(all: readonly Each[], id: string, made: Each | null): Each[] {
  if (made === null) return all.filter((each) => each.id !== id);
  return all.some((each) => each.id === id) ? all.map((each) => (each.id === id ? made : each)) : [...all, made];
}
