/** The days in numbers and pictures. */

import type { Insight } from "../../api/index.ts";
import { explained, isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { number, texts } from "../../i18n.ts";
import { button, empty, linkButton, select, skeleton } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { calendar, t as calendarTexts } from "./calendar.ts";
import { utcOffset } from "./days.ts";
import { figure } from "./figure.ts";
import { flows, t as flowTexts } from "./flows.ts";
import { growth, t as growthTexts } from "./growth.ts";
import { MOST, t as zoneTexts, zoneAreas } from "./zones.ts";

const t = texts({
  en: {
    period: "Period",
    days: (days: string) => `${days} days`,
    year: "A year",
    here: "In orbit",
    stored: "Remembered",
    recalled: "Recalled",
    forgotten: "Let go",
    restored: "Restored",
    nothing: "Nothing to tell yet",
    teach:
      "Once something is remembered, this page shows how the memory grows, what it feels, and what it lets go. The demo data gives you two months to look at.",
    toSettings: "Add demo data",
    retry: "Try again",
  },
  ko: {
    period: "기간",
    days: (days: string) => `${days}일`,
    year: "1년",
    here: "궤도에 있음",
    stored: "기억함",
    recalled: "떠올림",
    forgotten: "잊음",
    restored: "되살림",
    nothing: "아직 보여 줄 것이 없습니다",
    teach: "무언가를 기억하면 기억이 어떻게 자라고, 무엇을 느끼고, 무엇을 잊는지 이곳에 나타납니다. 예시 데이터를 넣으면 두 달 치를 둘러볼 수 있습니다.",
    toSettings: "예시 데이터 넣기",
    retry: "다시 시도",
  },
});

const PERIODS = ["30", "90", "180", "365"] as const;
type Period = (typeof PERIODS)[number];
const FRAMES = 60;
const GATHER = 3000;
const KEPT = "celestial.insight.days";
const SECONDS_OF_A_DAY = 86_400;

function kept(): Period {
  try {
    const found = sessionStorage.getItem(KEPT);
    return PERIODS.find((each) => each === found) ?? "90";
  } catch {
    return "90";
  }
}

function keep(period: Period): void {
  try {
    sessionStorage.setItem(KEPT, period);
  } catch {
    // it holds until the page is closed
  }
}

export function overview({ api, live }: Context, signal: AbortSignal): HTMLElement {
  let period = kept();
  const made = (words: { title: string; about: string }, testid: string) => figure({ ...words, testid, signal });
  const figures = {
    growth: made(growthTexts(), "insight-growth"),
    calendar: made(calendarTexts(), "insight-calendar"),
    zones: made(zoneTexts(), "insight-zones"),
    flows: made(flowTexts(), "insight-flows"),
  };
  const tiles = h("dl", { class: "tiles", "data-testid": "insight-tiles" });
  const periods = select({
    selected: period,
    options: PERIODS.map((each) => [each, each === "365" ? t().year : t().days(each)] as const),
    onchange: (next) => {
      period = next;
      keep(next);
      void load();
    },
  });
  periods.setAttribute("aria-label", t().period);
  periods.dataset.testid = "insight-period";
  const all = h(
    "div",
    { class: "stack side-by-side" },
    h("div", { class: "row spread insight-top" }, tiles, h("div", { class: "insight-period" }, periods)),
    Object.values(figures).map(({ element }) => element),
  );
  const room = h("div", { "data-testid": "insight-overview" }, skeleton(8));

  const show = (insight: Insight): void => {
    const things = insight.days.some((day) => day.stored || day.recalled || day.forgotten) || Object.values(insight.zones).some(Boolean);
    if (!things) {
      fill(room, empty({ icon: "insight", title: t().nothing, body: t().teach, action: linkButton({ label: t().toSettings, href: "#/settings/general" }) }));
      return;
    }
    if (!all.isConnected) fill(room, all);
    fill(tiles, facts(insight));
    figures.growth.show(growth(insight));
    for (const [each, shown, nothing] of [
      [figures.flows, flows(insight), flowTexts().nothing],
      [figures.calendar, calendar(insight), calendarTexts().nothing],
    ] as const) {
      if (shown) each.show(shown);
      else each.say(nothing);
    }
  };
  const showZones = async (days: number): Promise<void> => {
    const start = new Date(Date.now() - days * SECONDS_OF_A_DAY * 1000).toISOString();
    const then = await api.call("orbits_past", { start, frames: Math.min(FRAMES, days + 1), limit: MOST }, { signal });
    const shown = zoneAreas(then);
    if (shown) figures.zones.show(shown);
    else figures.zones.say(growthTexts().nothing);
  };
  let asked = 0;
  let answered = 0;
  const load = async (): Promise<void> => {
    const turn = (asked += 1);
    const days = Number(period);
    try {
      const insight = await api.call("insight", { days, utc_offset: utcOffset() }, { signal });
      if (turn !== asked) return;
      show(insight);
      if (all.isConnected)
        await showZones(days).catch((error: unknown) => {
          if (isAbort(error)) throw error;
          figures.zones.say(explained(error));
        });
    } catch (error) {
      if (isAbort(error) || signal.aborted || turn !== asked) return;
      fill(
        room,
        h("div", { class: "panel stack", role: "alert" }, h("p", null, explained(error)), h("div", null, button({ label: t().retry, onclick: load }))),
      );
    } finally {
      answered += 1;
    }
  };
  // A slow answer is not asked for twice: the changes meanwhile are in the next one.
  live.onChanges(
    () => {
      if (answered === asked) void load();
    },
    signal,
    GATHER,
  );
  void load();
  return room;
}

function facts(insight: Insight): HTMLElement[] {
  const sum = (name: "stored" | "recalled" | "forgotten" | "restored"): number => insight.days.reduce((total, day) => total + day[name], 0);
  const tile = (label: string, value: number) => h("div", { class: "tile" }, h("dt", null, label), h("dd", null, number(value)));
  return [
    tile(t().here, insight.days.at(-1)?.total ?? 0),
    ...(["stored", "recalled", "forgotten", "restored"] as const).map((each) => tile(t()[each], sum(each))),
  ];
}
