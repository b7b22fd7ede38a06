/** From lifetime to lifetime, and away: a Sankey of promotions and departures. */

import type { EChartsCoreOption } from "echarts/core";
import type { Insight } from "../../api/index.ts";
import { h } from "../../dom.ts";
import { number, texts } from "../../i18n.ts";
import { colour } from "../../theme/index.ts";
import { table, TIERS, word } from "../../ui/index.ts";
import { isNarrow, type Shown } from "./figure.ts";

export const t = texts({
  en: {
    title: "Flows",
    about: "Promotions between lifetimes, departures by reason, and who is still in orbit.",
    here: "In orbit now",
    gone: "Since gone",
    from: "From",
    to: "To",
    count: "Memories",
    label: (promoted: string, left: string) => `Promotions: ${promoted}. Departures: ${left}.`,
    nothing: "Nobody was promoted and nobody left in these days.",
  },
  ko: {
    title: "흐름",
    about: "수명 사이의 승급, 이유별로 떠난 기억, 아직 궤도에 있는 기억입니다.",
    here: "지금 궤도에 있음",
    gone: "이미 사라짐",
    from: "어디에서",
    to: "어디로",
    count: "기억",
    label: (promoted: string, left: string) => `승급 ${promoted}번, 떠남 ${left}번입니다.`,
    nothing: "이 기간에는 승급하거나 떠난 기억이 없습니다.",
  },
});

interface Edge {
  readonly source: string;
  readonly target: string;
  readonly value: number;
}

/** Upwards only: a circle cannot be drawn, and lifetimes only ever become longer. */
function edges({ promotions, departures, tiers }: Insight): Edge[] {
  const rank = (tier: string): number => (TIERS as readonly string[]).indexOf(tier);
  const upwards = promotions.filter(({ source, target }) => rank(source) < rank(target));
  return [
    ...upwards.map(({ source, target, count }) => ({ source: `tier.${source}`, target: `tier.${target}`, value: count })),
    ...departures.map(({ source, target, count }) => ({ source: `tier.${source}`, target: `reason.${target}`, value: count })),
    ...Object.entries(tiers).map(([tier, count]) => ({ source: `tier.${tier}`, target: "here", value: count })),
  ].filter(({ value }) => value > 0);
}

function called(node: string): string {
  if (node === "here") return t().here;
  const [kind, name = ""] = node.split(".");
  return name === "" ? t().gone : word(kind === "tier" ? "tier" : "reason", name);
}

function painted(node: string): string {
  if (node === "here") return "--accent";
  const [kind, name = ""] = node.split(".");
  if (name === "") return "--text-faint";
  return kind === "tier" ? `--tier-${name}` : "--bad";
}

const sum = (all: readonly { readonly count: number }[]): string => number(all.reduce((total, each) => total + each.count, 0));

export function flows(insight: Insight): Shown | null {
  const all = edges(insight);
  if (!all.length) return null;
  const label = t().label(sum(insight.promotions), sum(insight.departures));
  return {
    label,
    table: () =>
      table({
        label,
        rows: all,
        columns: [
          { title: t().from, cell: ({ source }) => called(source) },
          { title: t().to, cell: ({ target }) => called(target) },
          { title: t().count, end: true, cell: ({ value }) => number(value) },
        ],
      }),
    option: (width) => drawn(all, isNarrow(width)),
    height: () => 300,
    legend: [narrowKey(all), h("span", { class: "small soft" }, label)],
  };
}

/** The names and counts of all that is drawn, where there is no room for them in the picture. */
function narrowKey(all: readonly Edge[]): HTMLElement {
  const through = (name: string): number =>
    Math.max(...(["source", "target"] as const).map((end) => all.filter((edge) => edge[end] === name).reduce((total, { value }) => total + value, 0)));
  return h(
    "span",
    { class: "row flow-key", "data-testid": "flow-key" },
    nodesOf(all).map((name) => h("span", { class: "chip", style: { "--colour": `var(${painted(name)})` } }, `${called(name)} ${number(through(name))}`)),
  );
}

const nodesOf = (all: readonly Edge[]): string[] => [...new Set(all.flatMap(({ source, target }) => [source, target]))];

function drawn(all: readonly Edge[], narrow: boolean): EChartsCoreOption {
  return {
    tooltip: {
      trigger: "item",
      formatter: (part: { dataType: string; value: number; data: Edge & { name: string } }) =>
        part.dataType === "edge"
          ? `${called(part.data.source)} → ${called(part.data.target)}: ${number(part.value)}`
          : `${called(part.data.name)}: ${number(part.value)}`,
    },
    series: [
      {
        type: "sankey",
        left: 2,
        right: narrow ? 2 : 140,
        top: 10,
        bottom: 10,
        nodeWidth: 14,
        nodeGap: 16,
        draggable: false,
        emphasis: { focus: "adjacency" },
        label: { show: !narrow, color: colour("--text"), formatter: ({ name, value }: { name: string; value: number }) => `${called(name)} ${number(value)}` },
        lineStyle: { color: "gradient", opacity: 0.32, curveness: 0.5 },
        data: nodesOf(all).map((name) => ({ name, itemStyle: { color: colour(painted(name)), borderWidth: 0 } })),
        links: all,
      },
    ],
  };
}
