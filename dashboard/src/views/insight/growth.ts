/** What came and went, day by day, and how many there were. */

import type { EChartsCoreOption } from "echarts/core";
import type { Insight } from "../../api/index.ts";
import { number, texts } from "../../i18n.ts";
import { colour } from "../../theme/index.ts";
import { table } from "../../ui/index.ts";
import { longDay, shortDay } from "./days.ts";
import { isNarrow, type Shown } from "./figure.ts";

export const t = texts({
  en: {
    title: "Growth",
    about: "Memories in orbit, and what came and went each day.",
    stored: "Remembered",
    restored: "Restored",
    forgotten: "Let go",
    recalled: "Recalled",
    purged: "Gone for good",
    total: "In orbit",
    day: "Day",
    label: (days: number, first: string, last: string) => `Over ${days} days the memories in orbit went from ${first} to ${last}.`,
    nothing: "Nothing happened in these days.",
  },
  ko: {
    title: "성장",
    about: "궤도에 있는 기억의 수와 날마다 오고 간 기억입니다.",
    stored: "기억함",
    restored: "되살림",
    forgotten: "잊음",
    recalled: "떠올림",
    purged: "완전 삭제",
    total: "궤도에 있음",
    day: "날짜",
    label: (days: number, first: string, last: string) => `${days}일 동안 궤도의 기억이 ${first}개에서 ${last}개로 바뀌었습니다.`,
    nothing: "이 기간에는 아무 일도 없었습니다.",
  },
});

export function growth({ days }: Insight): Shown {
  const label = t().label(days.length, number(days[0]?.total ?? 0), number(days.at(-1)?.total ?? 0));
  return { label, table: () => rows(days, label), height: () => 340, option: (width) => drawn(days, isNarrow(width)) };
}

function rows(days: Insight["days"], label: string): HTMLElement {
  const told = [...days].reverse().filter((day) => day.stored || day.recalled || day.forgotten || day.restored || day.purged);
  const counts = ["stored", "recalled", "restored", "forgotten", "purged", "total"] as const;
  return table({
    label,
    rows: told,
    columns: [
      { title: t().day, cell: (day) => longDay(day.start) },
      ...counts.map((each) => ({ title: t()[each], end: true, cell: (day: Insight["days"][number]) => number(day[each]) })),
    ],
  });
}

function drawn(days: Insight["days"], narrow: boolean): EChartsCoreOption {
  const at = days.map((day) => shortDay(day.start));
  const [accent, fresh, bad, good] = [colour("--accent"), colour("--emotion-envy"), colour("--bad"), colour("--good")];
  const axis = { type: "category", data: at, axisLabel: { hideOverlap: true } };
  const value = { type: "value", minInterval: 1, splitNumber: 3 };
  const bar = { type: "bar", xAxisIndex: 1, yAxisIndex: 1, stack: "day", barMaxWidth: 14 };
  const left = narrow ? 36 : 48;
  return {
    legend: { top: 0, left: 0 },
    axisPointer: { link: [{ xAxisIndex: "all" }] },
    tooltip: { trigger: "axis", valueFormatter: (told: unknown) => number(Math.abs(Number(told))) },
    grid: [
      { left, right: 8, top: 34, height: "42%" },
      { left, right: 8, top: "66%", bottom: 24 },
    ],
    xAxis: [
      { ...axis, axisLabel: { show: false }, axisLine: { show: false } },
      { ...axis, gridIndex: 1, axisLine: { onZero: true } },
    ],
    yAxis: [
      { ...value, gridIndex: 0 },
      { ...value, gridIndex: 1, splitNumber: 2, axisLabel: { hideOverlap: true, formatter: (told: number) => number(Math.abs(told)) } },
    ],
    series: [
      {
        name: t().total,
        type: "line",
        data: days.map((day) => day.total),
        showSymbol: false,
        lineStyle: { width: 2.5, color: accent },
        itemStyle: { color: accent },
        areaStyle: { opacity: 0.14, color: accent },
      },
      { ...bar, name: t().stored, data: days.map((day) => day.stored), itemStyle: { color: fresh, borderRadius: [3, 3, 0, 0] } },
      { ...bar, name: t().restored, data: days.map((day) => day.restored), itemStyle: { color: good } },
      { ...bar, name: t().forgotten, data: days.map((day) => -day.forgotten), itemStyle: { color: bad, borderRadius: [0, 0, 3, 3] } },
    ],
  };
}
