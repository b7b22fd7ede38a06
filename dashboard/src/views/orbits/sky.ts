/** The bodies of one picture as columns of numbers: what moves with every frame is never an object. */

import type { Orbits } from "../../api/index.ts";
import { bandsOf, chances, distance, pace, ranked, sectorsOf, type Band, type Sector, type Zone } from "./geometry.ts";

/** What is told of each memory; a replay knows less than the present. */
export type Told = Pick<Orbits, "ids" | "label" | "importance" | "tier" | "emotions" | "created_at"> &
  Partial<Pick<Orbits, "protection" | "state" | "recalled_at" | "recalls">>;

export interface Crowd {
  readonly all: number;
  readonly told: number;
}

export const NOWHERE = -1;
const ABSENT = 0;
const DIM = 0.1;
const FULL = 1;
const [DRIFT, FADE] = [1.7, 5]; // how quickly, a second, a body comes to its place, and to its brightness
const AFTERGLOW = 600; // seconds in which a recall goes out
const EMBER = 0.7; // how bright it is at first
const PULSE = 3.5; // seconds of the glow of something that happens now
const FROM_AFAR = 1.18;
const GOLDEN = Math.PI * (3 - Math.sqrt(5)); // from one to the next: nobody crowds, and nobody lines up
const LOOSE = 0.4;
const APPEARS = 1.08; // a little farther out than where it belongs
const CLOSE_ENOUGH = 0.0004;

export class Sky {
  readonly told: Told;
  readonly zones: readonly Zone[];
  readonly bands: readonly Band[];
  readonly count: number;
  readonly zone: Int8Array;
  readonly score: Float32Array;
  /** Which sprite; `Sprites` gives them. */
  readonly look: Uint16Array;
  /** In device pixels, of the last frame. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly alpha: Float32Array;
  /** What is left of the last recall, 1 to 0. */
  readonly glow: Float32Array;
  /** 1 for those that are searched and filtered for. */
  readonly lit: Uint8Array;
  readonly radius: Float32Array;
  readonly angle: Float32Array;
  readonly #aim: Float32Array;
  readonly #goal: Float32Array;
  readonly #scatter: Float32Array;
  readonly #pulse: Float32Array;
  /** Where each belongs beside the others of its group; null: everybody goes round. */
  #bearings: Float32Array | null = null;
  sectors: readonly Sector[] = [];
  /** By zone: how many there are, and how many of them are bodies here. */
  dust: readonly Crowd[] = [];
  /** How far each has drifted in the last week, outwards positive; null while nobody asks. */
  drift: Float32Array | null = null;
  readonly #at = new Map<string, number>();

  constructor(told: Told, zones: readonly Zone[], now: number, populations: readonly number[]) {
    const count = told.ids.length;
    [this.told, this.zones, this.bands, this.count] = [told, zones, bandsOf(populations), count];
    const column = (): Float32Array => new Float32Array(count);
    [this.score, this.x, this.y, this.alpha, this.glow] = [column(), column(), column(), column(), column()];
    [this.radius, this.angle, this.#aim, this.#goal] = [column(), column(), column(), column()];
    [this.#scatter, this.#pulse] = [column(), column()];
    this.radius.fill(1);
    this.#aim.fill(1); // who is not there waits at the rim: nobody is ever in the sun
    this.zone = new Int8Array(count).fill(NOWHERE);
    this.look = new Uint16Array(count);
    this.lit = new Uint8Array(count).fill(1);
    for (let i = 0; i < count; i += 1) {
      const id = told.ids[i] as string;
      const [turn, scatter] = chances(id);
      this.#at.set(id, i);
      this.angle[i] = (i * GOLDEN + turn * LOOSE) % (2 * Math.PI);
      this.#scatter[i] = scatter;
      if (told.recalls?.[i]) this.glow[i] = EMBER * Math.max(0, 1 - (now - (told.recalled_at?.[i] ?? 0)) / AFTERGLOW);
    }
  }

  /** What there is now; of more than are told one by one, the others are dust. */
  static of(orbits: Orbits): Sky {
    const populations = orbits.population;
    const sky = new Sky(orbits, orbits.zones, orbits.at, populations);
    const told = orbits.zones.map((_, zone) => orbits.zone.reduce((sum, each) => sum + (each === zone ? 1 : 0), 0));
    sky.dust = populations.map((all, zone) => ({ all, told: told[zone] ?? 0 }));
    const before = populations.map(() => 0); // told from the most central outwards: the rank is the place in its zone
    for (let i = 0; i < sky.count; i += 1) {
      const zone = orbits.zone[i] as number;
      const rank = before[zone] ?? 0;
      before[zone] = rank + 1;
      sky.put(
        i,
        zone,
        orbits.score[i] as number,
        ranked(rank, populations[zone] ?? 1, sky.#scatter[i]!, sky.bands[Math.min(zone, sky.bands.length - 1)] as Band),
      );
      sky.radius[i] = 0.3 + 0.7 * sky.#aim[i]!; // they unfold from the middle
      sky.alpha[i] = FULL;
    }
    return sky;
  }

  find(id: string): number {
    return this.#at.get(id) ?? -1;
  }

  /** Where a body belongs from now on; it goes there by and by. */
  put(i: number, zone: number, score: number, aim?: number): void {
    if (zone === NOWHERE) this.#goal[i] = ABSENT;
    else this.#aim[i] = aim ?? this.distance(i, zone, score);
    if (this.zone[i] === NOWHERE && this.alpha[i]! < DIM) this.radius[i] = this.#aim[i]! * APPEARS;
    this.zone[i] = zone;
    this.score[i] = score;
  }

  distance(i: number, zone: number, score: number): number {
    return distance(zone, score, this.#scatter[i]!, this.zones, this.bands);
  }

  /** Side by side by group: `groupOf` gives the place in `names`, -1 for those of nobody, who come last. */
  arrange(names: readonly string[], groupOf: (id: string) => number): void {
    const group = this.told.ids.map((id) => {
      const at = groupOf(id);
      return at < 0 ? names.length - 1 : at;
    });
    const counts = names.map((name, at) => ({ name, count: group.reduce((sum, each) => sum + (each === at ? 1 : 0), 0) }));
    this.sectors = sectorsOf(counts);
    const byGroup = new Map(this.sectors.map((sector) => [sector.group, sector]));
    const bearings = new Float32Array(this.count);
    for (let i = 0; i < this.count; i += 1) {
      const sector = byGroup.get(group[i] as number);
      if (sector) bearings[i] = sector.from + (sector.to - sector.from) * chances(this.told.ids[i] as string)[0];
    }
    this.#bearings = bearings;
  }

  /** Everybody goes round again. */
  scatter(): void {
    this.#bearings = null;
    this.sectors = [];
  }

  get arranged(): boolean {
    return this.#bearings !== null;
  }

  /** Something happened to it: it shines for a moment. */
  flash(i: number): void {
    this.#pulse[i] = 1;
  }

  /** Go on from where the same bodies were in another picture; who was not there comes from afar. */
  continueFrom(other: Sky): void {
    for (let i = 0; i < this.count; i += 1) {
      const was = other.find(this.told.ids[i] as string);
      if (was < 0) {
        this.radius[i] = this.zone[i] === NOWHERE ? this.#aim[i]! : FROM_AFAR;
        this.alpha[i] = 0;
        continue;
      }
      [this.radius[i], this.angle[i], this.alpha[i]] = [other.radius[was]!, other.angle[was]!, other.alpha[was]!];
      this.#pulse[i] = other.#pulse[was]!;
    }
  }

  /** Which are lit: `wanted` says it of each; nobody asked, everybody is. */
  light(wanted: ((i: number) => boolean) | null): number {
    let count = 0;
    for (let i = 0; i < this.count; i += 1) {
      const there = this.zone[i] !== NOWHERE;
      const lit = there && (wanted === null || wanted(i));
      this.lit[i] = lit ? 1 : 0;
      this.#goal[i] = !there ? ABSENT : lit ? FULL : DIM;
      if (lit) count += 1;
    }
    return count;
  }

  /** Everything at its place at once, for who wants no motion. */
  settle(): void {
    this.radius.set(this.#aim);
    if (this.#bearings) this.angle.set(this.#bearings);
    this.alpha.set(this.#goal);
  }

  /**
   * One step: `moving` is how fast the orbits turn (0: not at all). Writes where each is on the screen.
   * Gives whether anything is still on its way.
   */
  step(seconds: number, moving: number, left: number, top: number, scale: number, tilt: number): boolean {
    const [drift, fade] = [1 - Math.exp(-DRIFT * seconds), 1 - Math.exp(-FADE * seconds)];
    const [out, turn, high] = [seconds / PULSE, seconds * moving, scale * tilt];
    const { angle, radius, alpha, x, y, count } = this;
    const [aims, goals, pulse, bearings] = [this.#aim, this.#goal, this.#pulse, this.#bearings];
    let busy = false;
    for (let i = 0; i < count; i += 1) {
      let r = radius[i]!;
      const away = aims[i]! - r;
      if (away > CLOSE_ENOUGH || away < -CLOSE_ENOUGH) {
        r += away * drift;
        radius[i] = r;
        busy = true;
      }
      const change = goals[i]! - alpha[i]!;
      if (change > 0.01 || change < -0.01) {
        alpha[i]! += change * fade;
        busy = true;
      } else alpha[i] = goals[i]!;
      if (pulse[i]! > 0) {
        pulse[i] = Math.max(0, pulse[i]! - out);
        busy = true;
      }
      let a = angle[i]!;
      if (bearings) {
        // The shorter way round; who has a place keeps it.
        const off = Math.atan2(Math.sin(bearings[i]! - a), Math.cos(bearings[i]! - a));
        if (off > CLOSE_ENOUGH || off < -CLOSE_ENOUGH) {
          a += off * drift;
          angle[i] = a;
          busy = true;
        }
      } else if (turn !== 0) {
        a += turn * pace(r);
        angle[i] = a;
      }
      x[i] = left + Math.cos(a) * r * scale;
      y[i] = top + Math.sin(a) * r * high;
    }
    return busy;
  }

  /** How bright the moment is in which something happened to it, 1 to 0. */
  pulse(i: number): number {
    return this.#pulse[i]!;
  }

  /** How many are in each zone, dust too. */
  counts(): readonly number[] {
    if (this.dust.some(({ all, told }) => all > told)) return this.dust.map(({ all }) => all);
    const counts = this.zones.map(() => 0);
    for (const zone of this.zone) if (zone >= 0) counts[zone] = (counts[zone] ?? 0) + 1;
    return counts;
  }
}
