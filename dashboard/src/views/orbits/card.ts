/** What a body is: said in a line for those who listen, and in a card beside it for those who look. */

import { fill, h, type Child } from "../../dom.ts";
import { fromNow, number } from "../../i18n.ts";
import { emotionChip, place, tierMark, word, zoneMark } from "../../ui/index.ts";
import type { Cluster } from "./clusters.ts";
import type { Picture } from "./picture.ts";
import type { Sky } from "./sky.ts";
import { t } from "./texts.ts";

const CUT = 80; // labels end here

export const words = (sky: Sky, i: number): string => {
  const label = sky.told.label[i] ?? "";
  return label.trim() === "" ? t().noWords : label.length >= CUT ? `${label}…` : label;
};

export const zoneName = (sky: Sky, i: number): string => sky.zones[sky.zone[i]!]?.name ?? "";

const feelings = (sky: Sky, i: number): readonly (readonly [string, number?])[] =>
  sky.told.emotions[i]?.length ? (sky.told.emotions[i] as readonly (readonly [string, number])[]) : [["neutral"]];

/** All of it in one sentence. */
export function described(sky: Sky, i: number): string {
  const { told } = sky;
  const guard = told.protection?.[i] ?? "none";
  return [
    words(sky, i),
    word("zone", zoneName(sky, i)),
    t().score(number(sky.score[i]!, 2)),
    feelings(sky, i)
      .map(([name]) => word("emotion", name))
      .join(", "),
    word("tier", told.tier[i] ?? ""),
    guard === "none" ? "" : word("protection", guard),
    told.recalls?.[i] ? t().recalled(told.recalls[i]) : "",
    t().stored(fromNow(told.created_at[i] as number)),
  ]
    .filter(Boolean)
    .join(", ");
}

/** A bubble in one sentence. */
export const describedCluster = (sky: Sky, { zone, count, first, group }: Cluster): string =>
  [group, t().together(count), word("zone", sky.zones[zone]?.name ?? ""), `${t().nearest}: ${words(sky, first[0] ?? 0)}`].filter(Boolean).join(", ");

export class Card {
  readonly element = h("div", { class: "hovercard orbits-card", "aria-hidden": "true", "data-testid": "orbits-card", popover: "manual" });
  readonly #signal: AbortSignal;
  #shown = -1;
  #cluster: Cluster | null = null;
  #x = 0;
  #y = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.element.remove(), { once: true });
  }

  /** Show it for a body, beside it; -1 puts it away. `touched`: there is no pointer, so that it has a way on. */
  show(picture: Picture, i: number, touched: boolean): void {
    this.#cluster = null;
    if (i < 0 || this.#signal.aborted) {
      this.#shown = -1;
      this.element.remove();
      return;
    }
    this.#shown = i;
    this.#fill(contentOf(picture.sky, i, touched), touched);
  }

  /** Of many at once: how many, and the most central of them. */
  showCluster(picture: Picture, at: number): void {
    const cluster = picture.clusters[at];
    if (!cluster || this.#signal.aborted) return;
    [this.#shown, this.#cluster] = [-1, cluster];
    this.#fill(clusterContent(picture.sky, cluster), false);
  }

  #fill(content: Child, touched: boolean): void {
    fill(this.element, content);
    this.element.classList.toggle("touched", touched);
    document.body.append(this.element);
    this.element.showPopover();
    this.#x = NaN;
  }

  /** Stay beside the body. */
  follow(picture: Picture, canvas: HTMLCanvasElement): void {
    if (this.#shown < 0 && !this.#cluster) return;
    const { x, y, reach } = this.#cluster ? picture.clusterSpot(this.#cluster) : picture.spot(this.#shown);
    if (Math.abs(x - this.#x) < 0.5 && Math.abs(y - this.#y) < 0.5) return;
    [this.#x, this.#y] = [x, y];
    const room = canvas.getBoundingClientRect();
    place(this.element, { left: room.left + x + reach, top: room.top + y - reach, bottom: room.top + y + reach });
  }
}

function clusterContent(sky: Sky, { zone, count, first, group }: Cluster): Child {
  return [
    h("p", { class: "orbits-words" }, group ? `${group} · ${t().together(count)}` : t().together(count)),
    h("div", { class: "row" }, zoneMark(sky.zones[zone]?.name ?? "")),
    h(
      "ul",
      { class: "orbits-first" },
      first.map((i) => h("li", null, words(sky, i))),
    ),
    h("p", { class: "faint" }, t().pressToApproach),
  ];
}

function contentOf(sky: Sky, i: number, touched: boolean): Child {
  const { told } = sky;
  const guard = told.protection?.[i] ?? "none";
  return [
    h("p", { class: "orbits-words" }, words(sky, i)),
    h(
      "div",
      { class: "row" },
      zoneMark(zoneName(sky, i)),
      tierMark(told.tier[i] ?? ""),
      guard === "none" ? null : h("span", { class: "mark" }, word("protection", guard)),
      feelings(sky, i).map(([name, share]) => emotionChip(name, share)),
    ),
    h(
      "p",
      { class: "faint" },
      [t().score(number(sky.score[i]!, 2)), told.recalls?.[i] ? t().recalled(told.recalls[i]) : "", t().stored(fromNow(told.created_at[i] as number))]
        .filter(Boolean)
        .join(" · "),
    ),
    touched
      ? h(
          "a",
          {
            class: "button small",
            href: `#/memory/${encodeURIComponent(told.ids[i] as string)}`,
            tabindex: -1,
            onmousedown: (event) => event.preventDefault(),
          },
          t().open,
        )
      : null, // the sky keeps the focus, else the card would go first
  ];
}
