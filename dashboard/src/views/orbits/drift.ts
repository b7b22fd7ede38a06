/** Which way memories have gone in the last week: towards the sun, or outwards. */

import type { OrbitsPast } from "../../api/index.ts";
import { h } from "../../dom.ts";
import { toggle } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { drifted } from "./geometry.ts";
import { NOWHERE, type Sky } from "./sky.ts";
import { t } from "./texts.ts";

type Place = readonly [zone: number, score: number];

const WEEK = 7 * 86_400_000;
const MOST = 2000; // as in a replay: of more, an even sample

export class Drift {
  readonly element: HTMLElement;
  readonly #context: Context;
  readonly #said = h("p", { class: "small faint", role: "status", "data-testid": "orbits-drift-said" });
  #on = false;
  #ends = new Map<string, readonly [then: Place, now: Place]>();

  constructor(context: Context, onchange: () => void, fail: (error: unknown) => void) {
    this.#context = context;
    const box = toggle({
      label: t().drift,
      on: false,
      onchange: (on) => {
        this.#on = on;
        void this.load().then(onchange, fail);
      },
    });
    box.dataset.testid = "orbits-drift";
    this.element = h("div", null, box, this.#said);
  }

  async load(): Promise<void> {
    if (!this.#on) return;
    const start = new Date(Date.now() - WEEK).toISOString();
    this.#take(await this.#context.api.call("orbits_past", { start, frames: 2, limit: MOST }, { signal: this.#context.signal }));
  }

  apply(sky: Sky): void {
    sky.drift = this.#on ? new Float32Array(sky.count) : null;
    let [closer, outwards] = [0, 0];
    for (let i = 0; sky.drift && i < sky.count; i += 1) {
      const [then, now] = this.#ends.get(sky.told.ids[i] as string) ?? [];
      if (!then || !now || then[0] === NOWHERE || now[0] === NOWHERE) continue;
      const by = drifted(sky.distance(i, ...then), sky.distance(i, ...now));
      sky.drift[i] = by;
      if (by < 0) closer += 1;
      if (by > 0) outwards += 1;
    }
    this.#said.textContent = this.#on ? t().drifting(closer, outwards) : "";
  }

  /** Both ends as the ledger tells them: the present knows more, such as what is talked about just now. */
  #take({ ids, zone, score }: OrbitsPast): void {
    const first = (told: readonly (readonly [number, number])[]): number | undefined => told.find(([frame]) => frame === 0)?.[1];
    const place = (i: number): readonly [Place, Place] => {
      const [zones, scores] = [zone[i] ?? [], score[i] ?? []];
      return [
        [first(zones) ?? NOWHERE, first(scores) ?? 0],
        [zones.at(-1)?.[1] ?? NOWHERE, scores.at(-1)?.[1] ?? 0],
      ];
    };
    this.#ends = new Map(ids.map((id, i) => [id, place(i)]));
  }
}
