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
  /** Nobody looked before: these are the news of a week. */
  readonly first: boolean;
}

/** The visit at `now`: a new one begins half an hour after the last look. */
export function visitAt(last: Visit | null, now: number): Visit {
  if (!last) return { since: now - WEEK, seen: now, first: true };
  return now - last.seen < SAME_VISIT ? { ...last, seen: now } : { since: last.seen, seen: now, first: false };
}

export function read(text: string | null): Visit | null {
  try {
    const found = JSON.parse(text ?? "null") as Visit | null;
    return found && Number.isFinite(found.since) && Number.isFinite(found.seen) ? { ...found, first: found.first === true } : null;
  } catch {
    return null;
  }
}

/** One entry per owner: two memories in one browser are two readers. */
export function visit(owner: string, now = Date.now()): Visit {
  const key = `${KEPT}.${owner}`;
  try {
    const next = visitAt(read(localStorage.getItem(key)), now);
    localStorage.setItem(key, JSON.stringify(next));
    return next;
  } catch {
    return visitAt(null, now);
  }
}
