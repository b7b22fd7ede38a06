/** A chart in a panel, with its numbers as a table one press away. */

import type { EChartsCoreOption } from "echarts/core";
import { chart, type Chart } from "../../charts.ts";
import { fill, h, type Child } from "../../dom.ts";
import { texts } from "../../i18n.ts";
import { button } from "../../ui/index.ts";

const t = texts({
  en: { table: "As a table", chart: "As a chart", tableOf: (title: string) => `${title}: as a table`, chartOf: (title: string) => `${title}: as a chart` },
  ko: { table: "표로 보기", chart: "그림으로 보기", tableOf: (title: string) => `${title}: 표로 보기`, chartOf: (title: string) => `${title}: 그림으로 보기` },
});

const NARROW = 560;

/** What there is to see: the chart is told the width that it has. */
export interface Shown {
  /** What it shows, in one sentence. */
  readonly label: string;
  readonly option: (width: number) => EChartsCoreOption;
  readonly table: () => HTMLElement;
  /** In pixels; as the style sheet says unless given. */
  readonly height?: (width: number) => number;
  /** Below both: what the colours mean. */
  readonly legend?: Child;
}

export interface Figure {
  readonly element: HTMLElement;
  /** Draw this, in place of what was there; nothing else moves. */
  show(shown: Shown): void;
  /** There is nothing to draw: say why, and what would change that. */
  say(...words: Child[]): void;
}

export function figure(options: { readonly title: string; readonly about: string; readonly testid: string; readonly signal: AbortSignal }): Figure {
  const { title, signal, testid } = options;
  const room = h("div", { class: "chart" });
  const other = h("div", { class: "figure-table", hidden: true });
  const legend = h("div", { class: "row figure-legend" });
  let shown: Shown | null = null;
  let drawn: Promise<Chart> | null = null;
  let tabular = false;
  let drawnFor = -1;

  const switcher = button({
    label: t().table,
    kind: "quiet",
    small: true,
    onclick: () => {
      tabular = !tabular;
      name();
      draw();
    },
  });
  switcher.dataset.testid = `${testid}-as-table`;
  const name = (): void => {
    switcher.replaceChildren(tabular ? t().chart : t().table);
    switcher.setAttribute("aria-label", tabular ? t().chartOf(title) : t().tableOf(title));
  };

  const paint = (): void => {
    const now = shown;
    const width = room.clientWidth;
    if (!now || tabular || !width || signal.aborted) return;
    if (now.height) room.style.setProperty("height", `${now.height(width)}px`);
    drawnFor = width;
    element.classList.toggle("narrow", isNarrow(width));
    const option = (): EChartsCoreOption => now.option(room.clientWidth || width);
    if (!drawn) drawn = chart(room, option, { label: now.label, signal });
    else void drawn.then((each) => each.set(option, now.label));
  };
  const draw = (): void => {
    room.hidden = tabular;
    other.hidden = !tabular;
    if (tabular && shown) {
      const focused = other.contains(document.activeElement);
      fill(other, shown.table());
      if (focused) other.querySelector<HTMLElement>("[tabindex]")?.focus({ preventScroll: true });
    }
    paint();
  };
  const watch = new ResizeObserver(() => {
    const width = room.clientWidth;
    // Drawn again only where the layout is another one; the chart itself follows small changes.
    if (width && (drawnFor < 0 || width < NARROW !== drawnFor < NARROW || shown?.height?.(width) !== shown?.height?.(drawnFor))) paint();
  });
  watch.observe(room);
  signal.addEventListener("abort", () => watch.disconnect(), { once: true });
  name();
  switcher.hidden = true;
  const body = h("div", { class: "figure-body" }, room, other, legend);
  const quiet = h("p", { class: "soft figure-quiet", hidden: true });
  const element = h(
    "section",
    { class: "panel figure", "data-testid": testid, "aria-label": title },
    h("div", { class: "row spread figure-head" }, h("div", null, h("h2", null, title), h("p", { class: "small soft" }, options.about)), switcher),
    quiet,
    body,
  );
  return {
    element,
    show(next) {
      shown = next;
      quiet.hidden = true;
      body.hidden = switcher.hidden = false;
      fill(legend, next.legend);
      draw();
    },
    say(...words) {
      shown = null;
      fill(quiet, ...words);
      quiet.hidden = false;
      body.hidden = switcher.hidden = true;
    },
  };
}

export const isNarrow = (width: number): boolean => width < NARROW;
