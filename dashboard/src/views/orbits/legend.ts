/** What is where, in numbers; pressing a zone or an emotion lights up those that belong to it. */

import { fill, h, svg } from "../../dom.ts";
import { number } from "../../i18n.ts";
import { button, EMOTIONS, word } from "../../ui/index.ts";
import { zoneToken } from "./backdrop.ts";
import { emotionCounts, type Filter } from "./filter.ts";
import type { Sky } from "./sky.ts";
import { t } from "./texts.ts";

interface Entry {
  readonly element: HTMLButtonElement;
  readonly count: HTMLElement;
}

export class Legend {
  readonly element: HTMLElement;
  readonly #filter: Filter;
  readonly #onchange: () => void;
  readonly #zones = h("div", { class: "orbits-entries" });
  readonly #emotions = h("div", { class: "orbits-entries" });
  readonly #meanings = h("details", { "data-testid": "orbits-meanings" });
  readonly #lit = h("span", { class: "faint small", role: "status" });
  readonly #all = button({ label: t().showAll, small: true, onclick: () => this.#clear() });
  readonly #entries = new Map<string, Entry>();
  /** What else belongs here, such as the way to take demo data out. */
  readonly foot = h("div", { class: "orbits-foot" });
  /** How the picture is arranged. */
  readonly ways = h("section", { class: "orbits-ways" });

  constructor(filter: Filter, onchange: () => void) {
    [this.#filter, this.#onchange] = [filter, onchange];
    this.#all.dataset.testid = "orbits-show-all";
    this.element = h(
      "aside",
      { class: "orbits-legend", id: "orbits-legend", "aria-label": t().legend, "data-testid": "orbits-legend" },
      h("section", null, h("h2", null, t().zones), this.#zones),
      h("section", null, h("h2", null, t().emotions), this.#emotions),
      h("div", { class: "row spread orbits-lit" }, this.#lit, this.#all),
      this.ways,
      this.#meanings,
      h("details", null, h("summary", null, t().marks), marks()),
      this.foot,
    );
  }

  /** Numbers of this sky; buttons stay, so that the focus does. */
  count(sky: Sky, lit: number): void {
    const zones = sky.counts();
    if (this.#zones.childElementCount !== zones.length) {
      fill(
        this.#zones,
        sky.zones.map((zone, at) => this.#entry(`zone ${at}`, word("zone", zone.name), zoneToken(zone), "ring", () => turn(this.#filter.zones, at), zone.name)),
      );
      fill(
        this.#meanings,
        h("summary", null, t().meanings),
        h(
          "dl",
          { class: "orbits-meaning" },
          sky.zones.map(({ name }) => (sentenceOf(name) ? [h("dt", null, word("zone", name)), h("dd", null, sentenceOf(name))] : null)),
        ),
      );
      fill(
        this.#emotions,
        EMOTIONS.map((name) => this.#entry(`emotion ${name}`, word("emotion", name), `--emotion-${name}`, "dot", () => turn(this.#filter.emotions, name))),
      );
    }
    zones.forEach((count, at) => this.#tell(`zone ${at}`, count, this.#filter.zones.has(at)));
    const feelings = emotionCounts(sky);
    for (const name of EMOTIONS) this.#tell(`emotion ${name}`, feelings.get(name) ?? 0, this.#filter.emotions.has(name));
    this.#lit.textContent = this.#filter.chosen ? t().lit(lit) : "";
    this.#all.hidden = !this.#filter.chosen;
  }

  #entry(key: string, label: string, token: string, kind: "ring" | "dot", press: () => void, zone?: string): HTMLButtonElement {
    const count = h("span", { class: "orbits-count" });
    const second: Record<string, string> = token === "--emotion-nostalgia" ? { "--second": "var(--emotion-nostalgia-second)" } : {};
    const element = h(
      "button",
      {
        type: "button",
        class: `orbits-entry ${kind}`,
        "aria-pressed": "false",
        "data-testid": `orbits-${key.replace(" ", "-")}`,
        style: { "--colour": `var(${token})`, ...second },
        onclick: () => {
          press();
          this.#onchange();
        },
      },
      h("span", { class: "orbits-dot" }),
      h("span", { class: "orbits-name" }, h("span", null, label), zone === undefined ? null : h("span", { class: "orbits-poetic" }, word("sky", zone))),
      count,
    );
    if (zone !== undefined) element.title = sentenceOf(zone);
    this.#entries.set(key, { element, count });
    return element;
  }

  #tell(key: string, count: number, pressed: boolean): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.count.textContent = number(count);
    entry.element.setAttribute("aria-pressed", String(pressed));
    entry.element.classList.toggle("nobody", count === 0);
  }

  #clear(): void {
    this.#filter.zones.clear();
    this.#filter.emotions.clear();
    this.#onchange();
    (this.#zones.firstElementChild as HTMLElement | null)?.focus();
  }
}

/** One sentence for each zone; a zone of somebody's own has none. */
function sentenceOf(zone: string): string {
  const known = { core: t().sentence_core, inner: t().sentence_inner, outer: t().sentence_outer, belt: t().sentence_belt, cloud: t().sentence_cloud };
  return known[zone as keyof typeof known] ?? "";
}

function turn<Value>(set: Set<Value>, value: Value): void {
  if (!set.delete(value)) set.add(value);
}

/** The marks as they are painted, each with its meaning. */
function marks(): HTMLElement {
  const circle = (r: number, props: Record<string, unknown> = {}) => svg("circle", { cx: 12, cy: 12, r, fill: "none", stroke: "currentColor", ...props });
  const body = (r = 4) => circle(r, { fill: "currentColor", stroke: "none" });
  const line = (label: string, ...parts: SVGElement[]) => h("li", null, svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, parts), label);
  const needles = (count: number) =>
    [0, 90, 180, 270]
      .slice(0, count)
      .map((turned) =>
        svg("path", { d: "M12 6V2.500", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", transform: `rotate(${turned} 12 12)` }),
      );
  return h(
    "ul",
    { class: "orbits-marks" },
    line(t().size, circle(2, { cx: 5, fill: "currentColor", stroke: "none" }), circle(6, { cx: 15, fill: "currentColor", stroke: "none" })),
    line(t().ringM30, body()),
    line(t().ringM90, body(), circle(7)),
    line(t().ringM365, body(), circle(7), circle(10)),
    line(t().ringM0, body(), circle(7.5, { style: { stroke: "var(--tier-M0)" }, "stroke-width": 2.5 })),
    line(t().pinned, body(), ...needles(1)),
    line(t().immutable, body(), ...needles(4)),
    line(
      t().glow,
      circle(10, { fill: "currentColor", stroke: "none", opacity: 0.18 }),
      circle(7, { fill: "currentColor", stroke: "none", opacity: 0.3 }),
      body(),
    ),
    line(t().faded, circle(5, { fill: "currentColor", stroke: "none", opacity: 0.4 })),
  );
}
