/** Who is lit: those that were searched for, in the zones and with the emotions that were chosen. */

import type { Sky } from "./sky.ts";

export class Filter {
  readonly zones = new Set<number>();
  readonly emotions = new Set<string>();
  /** What a search found; null: nobody searched. */
  hits: ReadonlySet<string> | null = null;

  get active(): boolean {
    return this.hits !== null || this.chosen;
  }

  get chosen(): boolean {
    return this.zones.size > 0 || this.emotions.size > 0;
  }

  /** Light those in a sky that it is about; how many they are. */
  apply(sky: Sky): number {
    return sky.light(this.active ? (i) => this.#wants(sky, i) : null);
  }

  #wants(sky: Sky, i: number): boolean {
    const { told } = sky;
    if (this.hits && !this.hits.has(told.ids[i] as string)) return false;
    if (this.zones.size > 0 && !this.zones.has(sky.zone[i]!)) return false;
    return this.emotions.size === 0 || feels(told.emotions[i] ?? [], this.emotions);
  }
}

function feels(emotions: readonly (readonly [string, number])[], wanted: ReadonlySet<string>): boolean {
  return emotions.length === 0 ? wanted.has("neutral") : emotions.some(([name]) => wanted.has(name));
}

/** How many feel each emotion; who feels several counts for each. */
export function emotionCounts(sky: Sky): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (let i = 0; i < sky.count; i += 1) {
    if (sky.zone[i]! < 0) continue;
    const emotions = sky.told.emotions[i] ?? [];
    if (emotions.length === 0) add("neutral");
    for (const [name] of emotions) add(name);
  }
  return counts;
}
