/** The past as the ledger tells it: where each memory was at every frame, and the sky at any moment between. */

import type { OrbitsPast } from "../../api/index.ts";
import { NOWHERE, Sky } from "./sky.ts";

const RECALLED = 0.05; // a score that rises by so much between two frames was recalled

export class Replay {
  readonly sky: Sky;
  readonly moments: readonly number[];
  readonly gone: number;
  /** How many memories there were to choose from; the sky shows a fair sample of them. */
  readonly total: number;
  /** Frame after frame, a value for each memory. */
  readonly #zones: Int8Array;
  readonly #scores: Float32Array;
  readonly #distances: Float32Array;
  #frame = -1;

  constructor(then: OrbitsPast) {
    const { moments, ids } = then;
    [this.moments, this.gone] = [moments, then.gone];
    const everIn = then.zones.map((_, zone) => then.zone.filter((told) => told.some(([, each]) => each === zone)).length);
    this.sky = new Sky(then, then.zones, moments.at(-1) ?? 0, everIn);
    this.total = then.total;
    const [count, cells] = [ids.length, ids.length * moments.length];
    this.#zones = new Int8Array(cells);
    this.#scores = new Float32Array(cells);
    this.#distances = new Float32Array(cells);
    for (let i = 0; i < count; i += 1) {
      this.#unfoldZones(i, then.zone[i] ?? []);
      this.#unfoldScores(i, then.score[i] ?? []);
      for (let cell = i; cell < cells; cell += count) {
        if (this.#zones[cell] !== NOWHERE) this.#distances[cell] = this.sky.distance(i, this.#zones[cell]!, this.#scores[cell]!);
      }
    }
    this.show(0);
  }

  /** The moment at a share of the whole, 0 to 1. */
  momentAt(share: number): number {
    const [first, last] = [this.moments[0] ?? 0, this.moments.at(-1) ?? 0];
    return first + (last - first) * share;
  }

  /** Put everybody where they were at a share of the whole; whether somebody came or went. */
  show(share: number): boolean {
    const { sky } = this;
    const exact = Math.min(1, Math.max(0, share)) * (this.moments.length - 1);
    const frame = Math.floor(exact);
    const between = exact - frame;
    const next = Math.min(frame + 1, this.moments.length - 1);
    const forwards = frame === this.#frame + 1;
    let changed = false;
    for (let i = 0; i < sky.count; i += 1) {
      const [here, there] = [frame * sky.count + i, next * sky.count + i];
      const zone = this.#zones[here]!;
      if (zone !== sky.zone[i]) changed = true;
      if (zone === NOWHERE) {
        sky.put(i, zone, 0);
        continue;
      }
      const stays = this.#zones[there] !== NOWHERE;
      const from = this.#distances[here]!;
      const score = this.#scores[here]!;
      sky.put(i, zone, stays ? score + (this.#scores[there]! - score) * between : score, stays ? from + (this.#distances[there]! - from) * between : from);
      if (forwards && frame > 0 && this.#wasRecalled(here, sky.count)) sky.flash(i);
    }
    this.#frame = frame;
    return changed;
  }

  #wasRecalled(cell: number, count: number): boolean {
    return this.#zones[cell - count] !== NOWHERE && this.#scores[cell]! - this.#scores[cell - count]! > RECALLED;
  }

  /** [frame, zone], told where it changes: it holds until the next. */
  #unfoldZones(i: number, told: readonly (readonly [number, number])[]): void {
    const count = this.sky.count;
    let [at, zone] = [0, NOWHERE];
    for (let frame = 0; frame < this.moments.length; frame += 1) {
      while (at < told.length && told[at]![0] <= frame) zone = told[at++]![1];
      this.#zones[frame * count + i] = zone;
    }
  }

  /** [frame, score], told where it has changed: a straight line between. */
  #unfoldScores(i: number, told: readonly (readonly [number, number])[]): void {
    const count = this.sky.count;
    let at = 0;
    for (let frame = 0; frame < this.moments.length; frame += 1) {
      while (at + 1 < told.length && told[at + 1]![0] <= frame) at += 1;
      const [from, score] = told[at] ?? [0, 0];
      const [until, then] = told[at + 1] ?? [from, score];
      this.#scores[frame * count + i] = until > from ? score + (then - score) * Math.max(0, (frame - from) / (until - from)) : score;
    }
  }
}
