/** What is asked, as the address tells it: a question and the memories it is about. */

import type { MemoryFilter } from "../../api/operations.ts";

/** Every field as text, as forms and addresses have it; empty for nothing. */
export interface Question {
  readonly q: string;
  readonly zone: string;
  readonly tier: string;
  readonly emotion: string;
  readonly since: string;
  readonly until: string;
  readonly tags: string;
  readonly project: string;
}

export type Narrowing = Omit<Question, "q">;
export const NARROWINGS = ["zone", "tier", "emotion", "since", "until", "tags", "project"] as const satisfies readonly (keyof Narrowing)[];

export function questionOf(query: URLSearchParams): Question {
  const of = (name: string): string => query.get(name)?.trim() ?? "";
  return {
    q: of("q"),
    zone: of("zone"),
    tier: of("tier"),
    emotion: of("emotion"),
    since: of("since"),
    until: of("until"),
    tags: of("tags"),
    project: of("project"),
  };
}

export function addressOf(question: Question): string {
  const query = new URLSearchParams(Object.entries(question).filter(([, value]) => value));
  return query.size ? `ask?${query}` : "ask";
}

export const narrowed = (question: Question): number => NARROWINGS.filter((name) => question[name]).length;

/** The filter as the API has it; days are days of this place, the last one whole. */
export function filterOf(question: Question): MemoryFilter | null {
  if (!narrowed(question)) return null;
  const { zone, tier, emotion, since, until, tags, project } = question;
  return {
    ...(zone ? { zone: zone as NonNullable<MemoryFilter["zone"]> } : {}),
    ...(tier ? { tier: tier as NonNullable<MemoryFilter["tier"]> } : {}),
    ...(emotion ? { emotion: emotion as NonNullable<MemoryFilter["emotion"]> } : {}),
    ...(project ? { project } : {}),
    ...(since ? { since: startOf(since, 0) } : {}),
    ...(until ? { until: startOf(until, 1) } : {}),
    ...(tags
      ? {
          tags: tags
            .split(",")
            .map((each) => each.trim())
            .filter(Boolean),
        }
      : {}),
  };
}

function startOf(day: string, after: number): string {
  const at = new Date(`${day}T00:00:00`);
  if (Number.isNaN(at.getTime())) return day; // the server says what is wrong with it
  at.setDate(at.getDate() + after);
  return at.toISOString();
}
