/** Whether memories go round, or stand side by side by person or project. */

import type { MemoryGroups } from "../../api/operations.ts";
import { field, select } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import type { Sky } from "./sky.ts";
import { t } from "./texts.ts";

export type By = "nothing" | "person" | "project";

export class Grouping {
  readonly element: HTMLElement;
  readonly #context: Context;
  #by: By = "nothing";
  #names: readonly string[] = [];
  #groups = new Map<string, number>();

  constructor(context: Context, onchange: () => void, fail: (error: unknown) => void) {
    this.#context = context;
    const choice = select<By>({
      selected: "nothing",
      options: [
        ["nothing", t().groupNothing],
        ["person", t().groupPerson],
        ["project", t().groupProject],
      ],
      onchange: (by) => {
        this.#by = by;
        void this.load().then(onchange, fail);
      },
    });
    choice.dataset.testid = "orbits-grouping";
    this.element = field({ label: t().grouping, control: choice });
  }

  /** Ask again who belongs where; after memories came or went. */
  async load(): Promise<void> {
    const by = this.#by;
    if (by === "nothing") return;
    const { groups } = await this.#context.api.call("memory_groups", { by }, { signal: this.#context.signal });
    if (by === this.#by) this.#take(groups);
  }

  apply(sky: Sky): void {
    if (this.#by === "nothing") sky.scatter();
    else sky.arrange(this.#names, (id) => this.#groups.get(id) ?? -1);
  }

  #take(groups: MemoryGroups["groups"]): void {
    this.#names = [...groups.map(({ name }) => name), t().groupNobody];
    this.#groups = new Map(groups.flatMap(({ ids }, at) => ids.map((id) => [id, at] as const)));
  }
}
