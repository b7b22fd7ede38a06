/** The same memories as tables, zone by zone: for those who listen, and where a picture is too small. */

import { fill, h, type Child } from "../../dom.ts";
import { number } from "../../i18n.ts";
import { button, emotionChip, relativeTime, table, tierMark, word } from "../../ui/index.ts";
import { words } from "./card.ts";
import type { Sky } from "./sky.ts";
import { t } from "./texts.ts";

const AT_FIRST = 20;
const MORE = 200;

export class Roster {
  readonly element = h("section", { class: "orbits-roster", id: "orbits-roster", hidden: true, "aria-label": t().list, "data-testid": "orbits-roster" });
  #shown: number[] = [];
  #sky: Sky | null = null;

  show(sky: Sky): void {
    this.#sky = sky;
    this.#shown = sky.zones.map((_, at) => this.#shown[at] ?? AT_FIRST);
    this.#draw();
  }

  #draw(): void {
    const sky = this.#sky;
    if (!sky || this.element.hidden) return;
    const focused = (document.activeElement as HTMLElement | null)?.dataset.key;
    const members: number[][] = sky.zones.map(() => []);
    for (let i = 0; i < sky.count; i += 1) if (sky.lit[i] && sky.zone[i]! >= 0) members[sky.zone[i]!]?.push(i);
    fill(
      this.element,
      members.map((theirs, zone) => this.#zone(sky, zone, theirs)),
    );
    if (focused) this.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #zone(sky: Sky, zone: number, members: readonly number[]): Child {
    const name = word("zone", sky.zones[zone]?.name ?? "");
    const heading = h("h2", null, t().inZone(name, members.length));
    if (members.length === 0) return h("section", null, heading, h("p", { class: "faint" }, t().nobody));
    const { told } = sky;
    const rows = members.slice(0, this.#shown[zone]);
    const columns = [
      {
        title: t().memory,
        cell: (i: number) => h("a", { href: `#/memory/${encodeURIComponent(told.ids[i] as string)}`, "data-key": told.ids[i] }, words(sky, i)),
      },
      { title: t().scoreOf, end: true, cell: (i: number) => number(sky.score[i]!, 2) },
      {
        title: t().emotion,
        cell: (i: number) => (told.emotions[i]?.length ? told.emotions[i].map(([each]) => [emotionChip(each), " "]) : emotionChip("neutral")),
      },
      { title: t().lifetime, cell: (i: number) => tierMark(told.tier[i] ?? "") },
      { title: t().age, cell: (i: number) => relativeTime(told.created_at[i] as number) },
    ];
    const left = Math.min(MORE, members.length - rows.length);
    const more =
      left > 0 &&
      button({
        label: t().more(left),
        small: true,
        onclick: () => {
          this.#shown[zone] = rows.length + left;
          this.#draw();
          const next = told.ids[members[rows.length] as number] as string;
          this.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(next)}"]`)?.focus();
        },
      });
    return h("section", null, heading, table({ label: name, columns, rows }), more);
  }
}
