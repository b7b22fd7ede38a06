/** Where it is going: the score of the coming days if nobody recalls it, and the moments it drifts outward. */

import type { EChartsCoreOption } from "echarts/core";
import type { ZoneBounds, Outlook } from "../../api/operations.ts";
import { chart, type Chart } from "../../charts.ts";
import { h, type Child } from "../../dom.ts";
import { dateTime, fromNow, language, number, texts } from "../../i18n.ts";
import { colour } from "../../theme/index.ts";
import { select, word, zoneMark } from "../../ui/index.ts";

const t = texts({
  en: {
    title: "The coming days",
    about: "If nobody recalls it. Every recall starts this again.",
    days: (days: string) => (days === "1" ? "1 day" : `${days} days`),
    span: "How far ahead",
    label: (now: string, end: string) => `The score falls from ${now} to ${end}.`,
    crossing: "drifts to",
    expires: "its lifetime ends",
    stays: (zone: string) => `It stays in ${zone} for all of this time.`,
    never: "It never expires.",
    score: "Score",
  },
  ko: {
    title: "앞으로의 며칠",
    about: "아무도 떠올리지 않을 때의 예상입니다. 떠올리면 처음부터 다시 시작합니다.",
    days: (days: string) => `${days}일`,
    span: "내다볼 기간",
    label: (now: string, end: string) => `점수가 ${now}에서 ${end}까지 내려갑니다.`,
    crossing: "이동",
    expires: "수명이 끝남",
    stays: (zone: string) => `이 기간 내내 ${zone}에 머무릅니다.`,
    never: "수명이 끝나지 않습니다.",
    score: "점수",
  },
});

const SPANS = ["1", "7", "30", "90", "365"] as const;
const MARGIN = 0.04;

export interface OutlookSection {
  readonly element: HTMLElement;
  show(outlook: Outlook, zones: readonly ZoneBounds[]): void;
}

/** The chart is made once and drawn again: nothing jumps when the memory changes. */
export function outlookSection(days: string, onspan: (days: string) => void, signal: AbortSignal): OutlookSection {
  const room = h("div", { class: "chart memory-outlook", "data-testid": "memory-outlook" });
  const crossings = h("ul", { class: "crossings", "data-testid": "memory-crossings" });
  const span = select({ options: SPANS.map((each) => [each, t().days(each)] as const), selected: days as (typeof SPANS)[number], onchange: onspan });
  span.setAttribute("aria-label", t().span);
  span.dataset.testid = "outlook-days";
  const element = h(
    "div",
    { class: "stack tight" },
    h(
      "div",
      { class: "row spread" },
      h("div", null, h("h2", null, t().title), h("p", { class: "small soft" }, t().about)),
      h("div", { class: "narrow" }, span),
    ),
    room,
    crossings,
  );
  let drawn: Promise<Chart> | null = null;
  return {
    element,
    show(outlook, zones) {
      const option = () => optionOf(outlook, zones);
      const [first, last] = [outlook.points[0]?.[1] ?? 0, outlook.points.at(-1)?.[1] ?? 0];
      const label = t().label(number(first, 2), number(last, 2));
      crossings.replaceChildren(...told(outlook, zones));
      if (drawn) void drawn.then((each) => each.set(option, label));
      else drawn = chart(room, option, { label, signal });
    },
  };
}

function told(outlook: Outlook, zones: readonly ZoneBounds[]): HTMLElement[] {
  const line = (at: number, what: Child) => h("li", null, h("time", { datetime: new Date(at * 1000).toISOString(), title: dateTime(at) }, fromNow(at)), what);
  const lines = outlook.crossings.map(([at, , to]) => line(at, [h("span", { class: "soft" }, t().crossing), zoneMark(zones[to]?.name ?? "")]));
  const now = zones.find((each) => each.lower === null || outlook.breakdown.score >= each.lower)?.name ?? "";
  if (!lines.length) lines.push(h("li", { class: "soft" }, t().stays(word("zone", now))));
  lines.push(outlook.expires_at === null ? h("li", { class: "soft" }, t().never) : line(outlook.expires_at, h("span", { class: "soft" }, t().expires)));
  return lines;
}

const day = (at: number, clock: boolean): string =>
  new Intl.DateTimeFormat(language() === "ko" ? "ko-KR" : "en-GB", clock ? { hour: "2-digit", minute: "2-digit" } : { month: "short", day: "numeric" }).format(
    at,
  );

function optionOf(outlook: Outlook, zones: readonly ZoneBounds[]): EChartsCoreOption {
  const points = outlook.points.map(([at, score]) => [at * 1000, score] as const);
  const scores = points.map(([, score]) => score);
  const [least, most] = [Math.min(...scores) - MARGIN, Math.max(...scores) + MARGIN];
  const [start, end] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  const brief = end - start <= 2 * 86_400_000;
  const bands = zones
    .map((zone, at) => [
      {
        name: word("zone", zone.name),
        yAxis: Math.max(least, zone.lower ?? least),
        itemStyle: { color: colour(`--zone-${zone.name}`), opacity: 0.16 },
        label: { show: true, position: "insideTopRight", color: colour("--text-soft"), fontSize: 11 },
      },
      { yAxis: Math.min(most, zones[at - 1]?.lower ?? most) },
    ])
    .filter(([from, to]) => (to?.yAxis ?? 0) - (from?.yAxis ?? 0) > 0);
  // A sliver has no room for its name.
  for (const [from, to] of bands) if (from && "label" in from && from.label && (to?.yAxis ?? 0) - from.yAxis < (most - least) * 0.12) from.label.show = false;
  const marks = outlook.crossings.map(([at, , to]) => ({ xAxis: at * 1000, lineStyle: { color: colour(`--zone-${zones[to]?.name ?? "cloud"}`) } }));
  const expiry = outlook.expires_at === null ? null : outlook.expires_at * 1000;
  if (expiry !== null && expiry <= end) marks.push({ xAxis: expiry, lineStyle: { color: colour("--bad") } });
  return {
    grid: { left: 8, right: 12, top: 12, bottom: 4, containLabel: true },
    tooltip: {
      trigger: "axis",
      valueFormatter: (value: unknown) => number(Number(value), 3),
      axisPointer: { label: { formatter: ({ value }: { value: number }) => dateTime(new Date(value)) } },
    },
    xAxis: { type: "time", min: start, max: end, splitNumber: 5, axisLabel: { hideOverlap: true, formatter: (at: number) => day(at, brief) } },
    yAxis: { type: "value", min: least, max: most, axisLabel: { showMinLabel: false, showMaxLabel: false, formatter: (value: number) => number(value, 2) } },
    series: [
      {
        name: t().score,
        type: "line",
        data: points,
        showSymbol: false,
        lineStyle: { width: 2.5, color: colour("--accent") },
        itemStyle: { color: colour("--accent") },
        markArea: { silent: true, data: bands },
        markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { type: "dashed", width: 1.5 }, data: marks },
      },
    ],
  };
}
