/** How full each zone was, as time went by. */

import type { EChartsCoreOption } from "echarts/core";
import type { OrbitsPast } from "../../api/index.ts";
import { dateTime, language, number, texts } from "../../i18n.ts";
import { colour } from "../../theme/index.ts";
import { table, word } from "../../ui/index.ts";
import { isNarrow, type Shown } from "./figure.ts";

export const t = texts({
  en: {
    title: "Zones",
    about: "How full each zone was, from the sun outwards.",
    when: "When",
    label: (counts: string) => `At the end: ${counts}.`,
    most: (count: string) => `Of the ${count} most central memories.`,
  },
  ko: {
    title: "궤도",
    about: "태양에서 바깥까지, 각 궤도에 기억이 얼마나 있었는지입니다.",
    when: "때",
    label: (counts: string) => `마지막: ${counts}.`,
    most: (count: string) => `가장 가까운 기억 ${count}개만 센 것입니다.`,
  },
});

/** The most that are replayed. */
export const MOST = 3000;

/** For each zone, how many were in it at each moment: the changes of every memory, added up. */
export function populations({ moments, zones, zone }: OrbitsPast): number[][] {
  const change = zones.map(() => new Array<number>(moments.length).fill(0));
  const add = (where: number, frame: number, by: number): void => {
    const row = change[where];
    if (row && frame < row.length) row[frame] = (row[frame] ?? 0) + by;
  };
  for (const changes of zone) {
    let from = -1;
    for (const [frame, to] of changes) {
      add(from, frame, -1);
      add(to, frame, 1);
      from = to;
    }
  }
  return change.map((row) => {
    let sum = 0;
    return row.map((by) => (sum += by));
  });
}

export function zoneAreas(then: OrbitsPast): Shown | null {
  const counts = populations(then);
  if (!counts.some((row) => row.some(Boolean))) return null;
  const last = then.moments.length - 1;
  const label = t().label(then.zones.map((zone, at) => `${word("zone", zone.name)} ${number(counts[at]?.[last] ?? 0)}`).join(", "));
  return {
    label,
    table: () =>
      table({
        label,
        rows: then.moments.map((at, frame) => ({ at, frame })).reverse(),
        columns: [
          { title: t().when, cell: ({ at }) => dateTime(at) },
          ...then.zones.map((zone, place) => ({
            title: word("zone", zone.name),
            end: true,
            cell: ({ frame }: { frame: number }) => number(counts[place]?.[frame] ?? 0),
          })),
        ],
      }),
    option: (width) => drawn(then, counts, isNarrow(width)),
    ...(then.ids.length >= MOST ? { legend: t().most(number(MOST)) } : {}),
  };
}

function drawn(then: OrbitsPast, counts: readonly (readonly number[])[], narrow: boolean): EChartsCoreOption {
  const day = new Intl.DateTimeFormat(language() === "ko" ? "ko-KR" : "en-GB", { month: "short", day: "numeric" });
  const series = then.zones.map((zone, place) => {
    const paint = colour(`--zone-${zone.name}`);
    return {
      name: word("zone", zone.name),
      type: "line",
      stack: "zones",
      showSymbol: false,
      color: paint,
      lineStyle: { width: 0 },
      areaStyle: { color: paint, opacity: 0.72 },
      data: then.moments.map((at, frame) => [at * 1000, counts[place]?.[frame] ?? 0]),
    };
  });
  return {
    legend: { top: 0, left: 0, data: series.map(({ name }) => name) },
    tooltip: {
      trigger: "axis",
      order: "seriesDesc",
      valueFormatter: (told: unknown) => number(Number(told)),
      axisPointer: { label: { formatter: ({ value }: { value: number }) => dateTime(new Date(value)) } },
    },
    grid: { left: narrow ? 36 : 48, right: 8, top: narrow ? 64 : 40, bottom: 24 }, // narrow: the legend takes two lines
    xAxis: { type: "time", splitNumber: narrow ? 3 : 6, axisLabel: { hideOverlap: true, formatter: (at: number) => day.format(at) } },
    yAxis: { type: "value", minInterval: 1, splitNumber: 4 },
    series: series.reverse(),
  };
}
