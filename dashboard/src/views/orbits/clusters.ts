/** The sky from afar: memories that lie together are one bubble with their number, until somebody comes nearer. */

import type { Band, Sector } from "./geometry.ts";

/** Below this zoom there are bubbles. */
export const FAR = 0.8;
const FEWEST = 30; // bodies in the whole sky: fewer need no bubbles
const LEAST = 3; // fewer stay bodies
const FULL_TURN = 2 * Math.PI;
const [WEDGES_LEAST, WEDGES_MOST] = [3, 12];
const WEDGE = 0.42; // of the sky's radius along the ring

export interface Cluster {
  readonly zone: number;
  /** Radians; where it lies, and how far out. */
  readonly angle: number;
  readonly radius: number;
  readonly count: number;
  /** The most central of its memories, the nearest first. */
  readonly first: readonly number[];
  /** The person or project of its sector, if memories stand side by side. */
  readonly group: string | null;
}

/** What of a sky clusters are made of. */
export interface Bodies {
  readonly count: number;
  readonly zone: ArrayLike<number>;
  readonly angle: ArrayLike<number>;
  readonly lit: ArrayLike<number>;
  readonly bands: readonly Band[];
  readonly sectors: readonly Sector[];
}

const SHOWN = 4;

/** Zone by zone, wedge by wedge; of equal skies always the same. Only what is lit counts. */
export function clustersOf(sky: Bodies): readonly Cluster[] {
  if (sky.count < FEWEST) return [];
  const cells = new Map<number, { count: number; first: number[]; from: number; to: number; group: string | null }>();
  for (let i = 0; i < sky.count; i += 1) {
    const zone = sky.zone[i] ?? -1;
    const band = sky.bands[zone];
    if (!band || !sky.lit[i]) continue;
    const [wedge, from, to, group] = wedgeOf(sky.angle[i] ?? 0, band, sky.sectors);
    if (wedge < 0) continue;
    const key = zone * 1000 + wedge;
    const cell = cells.get(key) ?? { count: 0, first: [], from, to, group };
    cell.count += 1;
    if (cell.first.length < SHOWN) cell.first.push(i); // bodies come from the sun outwards
    cells.set(key, cell);
  }
  return [...cells]
    .filter(([, { count }]) => count >= LEAST)
    .map(([key, { count, first, from, to, group }]) => {
      const zone = Math.floor(key / 1000);
      const band = sky.bands[zone] as Band;
      return { zone, angle: (from + to) / 2, radius: (band.inner + band.outer) / 2, count, first, group };
    })
    .sort((one, other) => one.zone - other.zone || one.angle - other.angle);
}

function wedgeOf(angle: number, band: Band, sectors: readonly Sector[]): readonly [at: number, from: number, to: number, group: string | null] {
  if (sectors.length) {
    const at = sectors.findIndex(({ from, to }) => turned(angle, from) <= to - from);
    const sector = sectors[at];
    return sector ? [at, sector.from, sector.to, sector.name] : [-1, 0, 0, null];
  }
  const around = (Math.PI * (band.inner + band.outer)) / WEDGE;
  const wedges = Math.min(WEDGES_MOST, Math.max(WEDGES_LEAST, Math.round(around)));
  const at = Math.min(wedges - 1, Math.floor((turned(angle, 0) / FULL_TURN) * wedges));
  return [at, (at * FULL_TURN) / wedges, ((at + 1) * FULL_TURN) / wedges, null];
}

/** How far it is from one angle on to another, 0 to a full turn. */
const turned = (angle: number, from: number): number => (((angle - from) % FULL_TURN) + FULL_TURN) % FULL_TURN;

/** How large a bubble is, in CSS pixels: by its share of the largest. */
export const bubble = (count: number, most: number): number => 11 + 15 * Math.sqrt(count / Math.max(1, most));
