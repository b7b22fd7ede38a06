/** When this browser last looked at Today: what came later is new. */

const KEPT = "celestial.visit";
const WEEK = 7 * 24 * 3600 * 1000;
/** Coming back within this time is the same visit. */
const SAME_VISIT = 30 * 60 * 1000;

export interface Visit {
  /** Where this visit's news begin. */
  readonly since: number;
  /** When the page was last looked at. */
  readonly seen: number;
}

/** The visit at `now`: a new one begins half an hour after the last look. */
export function visitAt(last: Visit | null, now: number): Visit {
  if (!last) return { since: now - WEEK, seen: now };
  return now - last.seen < SAME_VISIT ? { since: last.since, seen: now } : { since: last.seen, seen: now };
}

export function read(text: string | null): Visit | null {
  try {
    const found = JSON.parse(text ?? "null") as Visit | null;
    return found && Number.isFinite(found.since) && Number.isFinite(found.seen) ? found : null;
  } catch {
    return null;
  }
}

/** One entry per owner: two memories in one browser are two readers. */
export function visit(owner: string, now = Date.now()): { readonly visit: Visit; readonly isFirst: boolean } {
  const key = `${KEPT}.${owner}`;
  try {
    const last = read(localStorage.getItem(key));
    const next = visitAt(last, now);
    localStorage.setItem(key, JSON.stringify(next));
    return { visit: next, isFirst: last === null || next.since === now - WEEK };
  } catch {
    return { visit: visitAt(null, now), isFirst: true };
  }
}
