/** Charts, loaded when the first one is wanted; in the page's colours, readable aloud, still for who wants it still. */

import type { EChartsCoreOption, ECharts } from "echarts/core";
import { colour, onTheme, reducedMotion } from "./theme/index.ts";

export interface ChartOptions {
  /** What it shows, in one sentence, for those who cannot see it. */
  readonly label: string;
  /** Ends the chart: the view's signal. */
  readonly signal: AbortSignal;
  /** Called when a part is pressed. */
  readonly onclick?: (part: { readonly name: string; readonly data: unknown; readonly dataIndex: number; readonly seriesName?: string }) => void;
}

export interface Chart {
  /** Draw something else with the same frame, and say what it shows now. */
  set(option: () => EChartsCoreOption, label: string): void;
  /** The chart itself, for what is not offered here; another one after each change of theme. */
  readonly echarts: () => ECharts;
}

/**
 * Draw into a container that has a height (class "chart" gives one).
 * The option is a function, so that it takes its colours again (`colour("--accent")`) when the theme changes.
 */
export async function chart(container: HTMLElement, option: () => EChartsCoreOption, options: ChartOptions): Promise<Chart> {
  const { init } = await import("./charts-parts.ts");
  let wanted = option;
  let says = options.label;
  let drawn: ECharts | null = null;
  const draw = (): ECharts => {
    drawn?.dispose();
    drawn = init(container, look(), { renderer: "canvas" });
    drawn.setOption(dressed(wanted(), says));
    const { onclick } = options;
    if (onclick) drawn.on("click", (part) => onclick(part as never));
    return drawn;
  };
  container.setAttribute("role", "img");
  container.setAttribute("aria-label", says);
  const current = (): ECharts => drawn ?? draw();
  if (options.signal.aborted) return { set: () => {}, echarts: current };
  draw();
  onTheme(draw, options.signal);
  const room = new ResizeObserver(() => drawn?.resize());
  room.observe(container);
  options.signal.addEventListener(
    "abort",
    () => {
      room.disconnect();
      drawn?.dispose();
    },
    { once: true },
  );
  return {
    set: (next, label) => {
      if (options.signal.aborted) return;
      [wanted, says] = [next, label];
      container.setAttribute("aria-label", says);
      current().setOption(dressed(next(), says), true);
    },
    echarts: current,
  };
}

/** Tooltips are drawn on the canvas, never as markup: memory text stays text. */
function dressed(option: EChartsCoreOption, label: string): EChartsCoreOption {
  const tip = option.tooltip as Record<string, unknown> | undefined;
  return {
    animation: !reducedMotion(),
    animationDuration: 500,
    ...option,
    aria: { enabled: true, label: { description: label } },
    tooltip: { confine: true, ...tip, renderMode: "richText" },
  };
}

/** The palette and the frame, out of the page's own tokens. */
function look(): object {
  const [text, soft, line, raised] = [colour("--text"), colour("--text-soft"), colour("--line"), colour("--bg-raised")];
  const axis = {
    axisLine: { lineStyle: { color: colour("--line-strong") } },
    axisTick: { show: false },
    axisLabel: { color: soft },
    splitLine: { lineStyle: { color: line } },
  };
  return {
    color: ["--accent", "--zone-core", "--emotion-envy", "--emotion-nostalgia", "--emotion-disgust", "--emotion-fear", "--emotion-anxiety"].map(colour),
    backgroundColor: "transparent",
    textStyle: { color: text, fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 12 },
    legend: { textStyle: { color: soft }, icon: "circle", itemWidth: 9, itemHeight: 9 },
    tooltip: { backgroundColor: raised, borderColor: line, textStyle: { color: text, fontSize: 13 } },
    categoryAxis: { ...axis, splitLine: { show: false } },
    valueAxis: { ...axis, axisLine: { show: false } },
    timeAxis: { ...axis, splitLine: { show: false } },
    calendar: {
      itemStyle: { color: "transparent", borderColor: line },
      splitLine: { lineStyle: { color: colour("--line-strong") } },
      dayLabel: { color: soft },
      monthLabel: { color: soft },
      yearLabel: { color: soft },
    },
  };
}
