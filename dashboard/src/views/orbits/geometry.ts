/** Where a memory belongs: its distance from the sun, out of its zone and score. The outermost orbit ends at 1. */

export interface Zone {
  readonly name: string;
  /** The lowest score that belongs here; null: any. */
  readonly lower: number | null;
}

export interface Band {
  readonly inner: number;
  readonly outer: number;
}

export const SUN = 0.062;
const FIRST = 0.115;
const GAP = 0.12; // of a band's width, free between two bands
const NARROWEST = 0.055; // with room for its name
const EMPTY = 0.02; // a zone in which nobody is has its ring all the same
const BEST = 0.7; // no score reaches it
const LOWEST_SPAN = 0.35; // below the last bound scores have no end: they come closer and closer to the rim
const SCATTER = 0.3; // of a band's width: equal scores do not lie on one line
const CENTRAL_YEAR = 48; // seconds for the innermost orbit

/** The bands of the zones, from the sun outwards: the more live in one, the wider it is, so that a real memory fills the sky. */
export function bandsOf(populations: readonly number[]): readonly Band[] {
  const roots = populations.map((count) => Math.sqrt(count));
  const all = roots.reduce((sum, each) => sum + each, 0);
  const least = roots.map((root) => (root || !all ? NARROWEST : EMPTY));
  const spare = 1 - FIRST - least.reduce((sum, each) => sum + each, 0);
  let edge = FIRST;
  return roots.map((root, at) => {
    const inner = edge;
    edge += (least[at] as number) + spare * (all ? root / all : 1 / populations.length);
    return { inner: at === 0 ? inner : inner + (edge - inner) * GAP, outer: edge };
  });
}

/** The distance by rank within a zone, 0 the most central: whoever is nearer matters more, however close the scores are. */
export function ranked(rank: number, of: number, chance: number, band: Band): number {
  const share = (rank + 0.25 + 0.5 * chance) / Math.max(1, of);
  return band.inner + (band.outer - band.inner) * (0.05 + 0.9 * share);
}

/** The distance for a zone and a score; `chance` (0 to 1) scatters a little, the same way every time. */
export function distance(zone: number, score: number, chance: number, zones: readonly Zone[], bands: readonly Band[]): number {
  const band = bands[Math.min(zone, bands.length - 1)] as Band;
  const above = zone === 0 ? BEST : (zones[zone - 1]?.lower ?? BEST);
  const lower = zones[zone]?.lower ?? null;
  const fallen = lower === null ? 1 - Math.exp((score - above) / LOWEST_SPAN) : (above - score) / (above - lower);
  const share = Math.min(1, Math.max(0, fallen)) * (1 - SCATTER) + chance * SCATTER;
  return band.inner + (band.outer - band.inner) * (0.06 + 0.88 * share);
}

export interface Sector {
  readonly name: string;
  /** The place of its group. */
  readonly group: number;
  /** Radians, clockwise from the right. */
  readonly from: number;
  readonly to: number;
}

const BETWEEN = 0.06; // radians, free between two sectors
const TOP = -Math.PI / 2;

/** A sector for each group, the larger the wider; nobody's is the last, if there are any. */
export function sectorsOf(groups: readonly { readonly name: string; readonly count: number }[]): readonly Sector[] {
  const there = groups.map((group, at) => ({ ...group, at })).filter(({ count }) => count > 0);
  const weights = there.map(({ count }) => Math.sqrt(count));
  const all = weights.reduce((sum, each) => sum + each, 0);
  const room = 2 * Math.PI - BETWEEN * there.length;
  let edge = TOP;
  return there.map(({ name, at: group }, at) => {
    const from = edge + BETWEEN / 2;
    const to = from + (room * (weights[at] as number)) / all;
    edge = to + BETWEEN / 2;
    return { name, group, from, to };
  });
}

/** How far a memory has come since then, along its radius: positive is outwards. Both places by score, so that ranks of others play no part. */
export function drifted(then: number, now: number): number {
  const by = now - then;
  return Math.abs(by) < LEAST_DRIFT ? 0 : by;
}

const LEAST_DRIFT = 0.012; // less is not seen

const SWIFTNESS = ((2 * Math.PI) / CENTRAL_YEAR) * FIRST ** 1.5;

/** Radians a second, by Kepler's third law: who is closer goes faster. */
export const pace = (radius: number): number => SWIFTNESS / (radius * Math.sqrt(radius));

/** Two numbers from 0 to 1 out of an id, always the same: where it starts, and how it is scattered. */
export function chances(id: string): readonly [number, number] {
  let hash = 2166136261;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 16777619);
  return [mixed(hash), mixed(hash ^ 0x5bd1e995)];
}

function mixed(seed: number): number {
  let value = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 4294967296;
}
