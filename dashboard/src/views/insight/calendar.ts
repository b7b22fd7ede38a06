/** A calendar of feelings: each day in the colour of what was felt most, the stronger the more there was of it. */

import type { EChartsCoreOption } from "echarts/core";
import type { Insight } from "../../api/index.ts";
import { number, particle, texts } from "../../i18n.ts";
import { colour } from "../../theme/index.ts";
import { emotionChip, EMOTIONS, table, word } from "../../ui/index.ts";
import { isoDay, longDay } from "./days.ts";
import type { Shown } from "./figure.ts";

export const t = texts({
  en: {
    title: "Feelings",
    about: "Each day in the colour of what was felt most that day.",
    day: "Day",
    most: "Most of all",
    all: "Memories",
    sentiment: "Sentiment",
    label: (days: string, most: string) => `Feelings on ${days} days, most often ${most}.`,
    months: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    week: "S M T W T F S",
    nothing: "No memory of these days carries a feeling. Feelings are read from what is remembered.",
  },
  ko: {
    title: "감정",
    about: "그날 가장 많이 느낀 감정의 색으로 하루를 칠했습니다.",
    day: "날짜",
    most: "가장 많이",
    all: "기억",
    sentiment: "정서",
    label: (days: string, most: string) => `${days}일에 감정이 있었고, ${most}${particle(most, "가", "이")} 가장 많았습니다.`,
    months: "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
    week: "일 월 화 수 목 금 토",
    nothing: "이 기간의 기억에는 감정이 없습니다. 감정은 기억한 내용에서 읽어 냅니다.",
  },
});

type Mood = Insight["moods"][number];
interface Day {
  readonly start: number;
  readonly most: string;
  readonly count: number;
  readonly amount: number;
  readonly sentiment: number;
  readonly emotions: readonly (readonly [string, number])[];
}

const GUTTER = 34;
const TOP = 26;
const A_WEEK = 604_800;
const NARROWEST = 10;
const WIDEST = 60;
const TALLEST = 28;
type Size = readonly [wide: number, tall: number];

function felt(mood: Mood): Day | null {
  const emotions = Object.entries(mood.emotions).sort(([, one], [, other]) => other - one);
  // A day is neutral only if nothing else was felt.
  const [most, amount] = emotions.find(([name]) => name !== "neutral") ?? emotions[0] ?? [];
  if (most === undefined || amount === undefined) return null;
  return { start: mood.start, most, amount, count: emotions.reduce((sum, [, each]) => sum + each, 0), sentiment: mood.sentiment, emotions };
}

export function calendar(insight: Insight): Shown | null {
  const days = insight.moods.map(felt).filter((day) => day !== null);
  const [first, last] = [insight.days[0], insight.days.at(-1)];
  if (!days.length || !first || !last) return null;
  const tally = new Map<string, number>();
  for (const { most } of days) tally.set(most, (tally.get(most) ?? 0) + 1);
  const ranked = [...tally].sort(([, one], [, other]) => other - one).map(([name]) => name);
  const label = t().label(number(days.length), word("emotion", ranked[0] ?? "neutral"));
  const weeks = Math.ceil(insight.days.length / 7) + 1;
  // Upright, a year is long to scroll through: it begins where the feelings do.
  const begin = days[0]?.start ?? first.start;
  const feltWeeks = Math.ceil((last.start - begin) / A_WEEK) + 1;
  const across = (width: number, columns: number): number => Math.floor((width - GUTTER - 8) / columns);
  const upright = (width: number): boolean => across(width, weeks) < NARROWEST;
  const size = (width: number): Size => {
    const wide = Math.min(WIDEST, across(width, upright(width) ? 7 : weeks));
    return [wide, Math.min(TALLEST, wide)];
  };
  return {
    label,
    height: (width) => TOP + size(width)[1] * (upright(width) ? feltWeeks : 7) + 12,
    legend: ranked.map((each) => emotionChip(each)),
    table: () =>
      table({
        label,
        rows: [...days].reverse(),
        columns: [
          { title: t().day, cell: (day) => longDay(day.start) },
          { title: t().most, cell: (day) => emotionChip(day.most) },
          { title: t().all, cell: (day) => told(day) },
          { title: t().sentiment, end: true, cell: (day) => number(day.sentiment, 2) },
        ],
      }),
    option: (width) => drawn(days, [isoDay(upright(width) ? begin : first.start), isoDay(last.start)], size(width), upright(width)),
  };
}

const told = (day: Day): string => day.emotions.map(([name, count]) => `${word("emotion", name)} ${number(count)}`).join(", ");

function drawn(days: readonly Day[], range: readonly string[], size: Size, upright: boolean): EChartsCoreOption {
  const most = Math.max(...days.map((day) => day.amount));
  const gap = colour("--bg-raised");
  return {
    tooltip: {
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const day = days[dataIndex];
        return day ? `${longDay(day.start)}\n${told(day)}\n${t().sentiment} ${number(day.sentiment, 2)}` : "";
      },
    },
    visualMap: { type: "piecewise", show: false, dimension: 1, pieces: EMOTIONS.map((name, at) => ({ value: at, color: colour(`--emotion-${name}`) })) },
    calendar: {
      orient: upright ? "vertical" : "horizontal",
      range,
      cellSize: size,
      left: GUTTER,
      top: TOP,
      yearLabel: { show: false },
      splitLine: { show: false },
      itemStyle: { color: colour("--bg-hover"), borderColor: gap, borderWidth: 2 },
      monthLabel: { nameMap: t().months.split(" "), position: "start" },
      dayLabel: { nameMap: t().week.split(" "), firstDay: 1 },
    },
    series: [
      {
        type: "heatmap",
        coordinateSystem: "calendar",
        data: days.map((day) => ({
          value: [isoDay(day.start), (EMOTIONS as readonly string[]).indexOf(day.most)],
          itemStyle: {
            opacity: 0.4 + 0.6 * Math.sqrt(day.amount / most),
            borderColor: gap,
            borderWidth: 2,
            borderRadius: 4,
          },
        })),
        emphasis: { itemStyle: { borderColor: colour("--text") } },
      },
    ],
  };
}
