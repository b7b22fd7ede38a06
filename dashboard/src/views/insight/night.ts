/** One night, told: what it would do, what it did, and as an entry among others. */

import { Known } from "../../api/known.ts";
import type { DutyResult, NightReport } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { dateTime, number, texts } from "../../i18n.ts";
import { button, relativeTime, table, word } from "../../ui/index.ts";
import { cards } from "../../ui/cards.ts";
import { changeWord, countsWord, dutyAbout, dutyWord, outcomeWord } from "../../ui/night-words.ts";
import type { Context } from "../../view.ts";

const t = texts({
  en: {
    duty: "Duty",
    outcome: "Outcome",
    counts: "What it did",
    seconds: "Seconds",
    nothing: "nothing to do",
    quiet: "A quiet night: nothing had to change.",
    busy: "Somebody else is asleep on this memory. Wait until they are done.",
    woken: "It was woken before its work was done; the rest follows the next night.",
    nothingDue: "Nothing is due. Switch on “Also what is not due yet” to do everything now.",
    wouldNothing: "Nothing would change.",
    would: (count: string) => `${count} changes would be made. Nothing has been changed.`,
    more: (count: string) => `and ${count} more`,
    gone: "(gone)",
    letGo: "Let them go…",
    orbit: (before: string, after: string) => `In orbit: ${before} before, ${after} after`,
    took: (seconds: string) => `${seconds} s`,
    held: "Too many would leave at once, so this waits for your word:",
  },
  ko: {
    duty: "할 일",
    outcome: "결과",
    counts: "한 일",
    seconds: "초",
    nothing: "할 일 없음",
    quiet: "조용한 밤이었습니다. 바뀐 것이 없습니다.",
    busy: "다른 곳에서 이 기억을 재우는 중입니다. 끝날 때까지 기다려 주세요.",
    woken: "일이 끝나기 전에 깼습니다. 나머지는 다음 밤에 합니다.",
    nothingDue: "지금 할 일이 없습니다. 모두 지금 하려면 “아직 때가 아닌 일도 함께”를 켜세요.",
    wouldNothing: "바뀔 것이 없습니다.",
    would: (count: string) => `${count}가지가 바뀌게 됩니다. 지금은 아무것도 바꾸지 않았습니다.`,
    more: (count: string) => `그 밖에 ${count}개`,
    gone: "(사라짐)",
    letGo: "잊기…",
    orbit: (before: string, after: string) => `궤도의 기억: 전 ${before}개, 후 ${after}개`,
    took: (seconds: string) => `${seconds}초`,
    held: "한꺼번에 너무 많이 떠나게 되어 허락을 기다립니다.",
  },
});

const LISTED = 12;
const LABEL = 90;

const inOrbit = (census: NightReport["before"]): number => (census.states?.active ?? 0) + (census.states?.faded ?? 0);
const secondsOf = (night: NightReport): number => night.duties.reduce((sum, { seconds }) => sum + seconds, 0);

function dutiesTable(night: NightReport): HTMLElement {
  return cards(
    table({
      label: dateTime(night.at),
      rows: night.duties,
      columns: [
        { title: t().duty, cell: ({ duty }) => h("span", { title: dutyAbout(duty) }, dutyWord(duty)) },
        { title: t().outcome, cell: ({ outcome }) => h("span", { class: `outcome ${outcome}` }, outcomeWord(outcome)) },
        { title: t().counts, cell: ({ counts, error }) => error ?? (countsWord(counts) || h("span", { class: "faint" }, t().nothing)) },
        { title: t().seconds, end: true, cell: ({ seconds }) => number(seconds, 2) },
      ],
    }),
  );
}

/** A night of the past: its sum in one line, its duties when opened. */
export function nightEntry(night: NightReport): HTMLElement {
  const sums: Record<string, number> = {};
  for (const { duty, counts } of night.duties)
    if (duty !== "report") for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  const bad = night.duties.filter(({ outcome }) => outcome === "held" || outcome === "failed");
  return h(
    "details",
    { class: "night", "data-testid": `night-${night.at}` },
    h(
      "summary",
      null,
      h("span", { class: "night-when" }, h("time", { datetime: night.at }, dateTime(night.at))),
      h("span", { class: "soft small night-sum" }, countsWord(sums) || t().quiet),
      bad.map(({ duty, outcome }) => h("span", { class: `outcome ${outcome} small` }, `${dutyWord(duty)}: ${outcomeWord(outcome)}`)),
      h("span", { class: "faint small" }, t().took(number(secondsOf(night), 1))),
    ),
    h(
      "div",
      { class: "stack night-body" },
      h("p", { class: "small soft" }, t().orbit(number(inOrbit(night.before)), number(inOrbit(night.after))), " · ", relativeTime(night.at)),
      night.woken ? h("p", { class: "warn small" }, t().woken) : null,
      dutiesTable(night),
    ),
  );
}

/** The night that was just slept. */
export function nightDone(night: NightReport, letGo: () => Promise<void>): Child {
  if (night.busy !== null) return h("p", { class: "warn" }, t().busy);
  if (!night.duties.length) return h("p", { class: "soft" }, t().nothingDue);
  return [
    h("p", null, t().orbit(number(inOrbit(night.before)), number(inOrbit(night.after)))),
    night.woken ? h("p", { class: "warn" }, t().woken) : null,
    heldOf(night, letGo),
    dutiesTable(night),
  ];
}

function heldOf(night: NightReport, letGo: () => Promise<void>): Child {
  const held = night.duties.filter(({ outcome }) => outcome === "held");
  if (!held.length) return null;
  const go = button({ label: t().letGo, kind: "danger", small: true, onclick: letGo });
  go.dataset.testid = "sleep-let-go";
  return h(
    "div",
    { class: "row warn" },
    h("span", null, `${t().held} ${held.map(({ duty, planned }) => `${dutyWord(duty)} (${number(planned.length)})`).join(", ")}`),
    go,
  );
}

/** What a night would do, with the memories' own words. */
export async function nightPlan(night: NightReport, { api }: Context, signal: AbortSignal, letGo: () => Promise<void>): Promise<Child> {
  if (!night.duties.length) return h("p", { class: "soft" }, t().nothingDue);
  const planned = night.duties.filter((duty) => duty.planned.length);
  const total = planned.reduce((sum, duty) => sum + duty.planned.length, 0);
  if (!total) return h("p", { class: "soft", "data-testid": "sleep-nothing" }, t().wouldNothing);
  const ids = planned.flatMap((duty) => duty.planned.slice(0, LISTED).flatMap(({ id, other }) => [id, ...(isTier(other) || other === null ? [] : [other])]));
  const known = await new Known(api, signal).all(ids);
  const named = (id: string): Child => {
    const memory = known.get(id);
    const words = memory ? memory.content.slice(0, LABEL) : t().gone;
    return h("a", { href: `#/memory/${encodeURIComponent(id)}` }, words);
  };
  const line = ({ id, change, other }: DutyResult["planned"][number]): HTMLElement =>
    h(
      "li",
      null,
      named(id),
      " ",
      h("span", { class: "soft" }, changeWord(change)),
      " ",
      other === null ? null : isTier(other) ? word("tier", other) : named(other),
    );
  return [
    h("p", null, t().would(number(total))),
    heldOf(night, letGo),
    planned.map((duty) =>
      h(
        "div",
        { class: "plan" },
        h("h3", null, `${dutyWord(duty.duty)} · ${number(duty.planned.length)}`),
        h("p", { class: "small soft" }, dutyAbout(duty.duty)),
        h(
          "ul",
          null,
          duty.planned.slice(0, LISTED).map(line),
          duty.planned.length > LISTED ? h("li", { class: "faint" }, t().more(number(duty.planned.length - LISTED))) : null,
        ),
      ),
    ),
  ];
}

const isTier = (other: string | null): boolean => other !== null && /^M\d+$/.test(other);
