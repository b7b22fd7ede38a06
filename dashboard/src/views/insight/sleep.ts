/** The nights: what each did, what the next one would do, and one right now. */

import type { NightReport, SleepSchedule } from "../../api/index.ts";
import { explained, isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { number, texts } from "../../i18n.ts";
import { button, confirm, errorPanel, progress, relativeTime, skeleton, toggle } from "../../ui/index.ts";
import { dutyWord } from "../../ui/night-words.ts";
import { refill } from "../../ui/refill.ts";
import type { Context } from "../../view.ts";
import { nightDone, nightEntry, nightPlan } from "./night.ts";

const t = texts({
  en: {
    title: "The night's work",
    about: "While nobody asks anything, the memory sorts itself. Nothing leaves but over the cliff, where it can be restored for seven days.",
    due: (count: string) => `${count} duties are due now.`,
    oneDue: "One duty is due now.",
    none: "Nothing is due; next:",
    asleep: "Somebody is asleep on this memory just now.",
    plan: "What would happen?",
    now: "Sleep now",
    all: "Also what is not due yet",
    sure: "Sleep now?",
    sureBody: "Memories may be merged, promoted, faded, or go over the cliff. Each can be restored or undone; “What would happen?” lists them first.",
    sureAll: "Everything is done now, whatever the calendar says.",
    go: "Sleep",
    sleeping: (duty: string) => `Asleep: ${duty}`,
    working: "Asleep…",
    ended: "The night is over.",
    nights: "The last nights",
    nothing: "No night yet. The engine sleeps once a day by itself while it is being served, or when you press “Sleep now”.",
    letGo: "Let them go",
    letGoBody: "Many memories would leave at once, so the engine waits for your word. They go over the cliff and can be restored for seven days.",
    read: "Read-only: this session may not change anything.",
  },
  ko: {
    title: "밤의 정리",
    about: "아무도 묻지 않는 동안 기억은 스스로 정리합니다. 떠나는 기억은 반드시 절벽을 거치고, 7일 동안 되살릴 수 있습니다.",
    due: (count: string) => `지금 할 일이 ${count}가지 있습니다.`,
    oneDue: "지금 할 일이 한 가지 있습니다.",
    none: "지금 할 일은 없습니다. 다음:",
    asleep: "지금 이 기억은 자는 중입니다.",
    plan: "무슨 일이 생길까요?",
    now: "지금 재우기",
    all: "아직 때가 아닌 일도 함께",
    sure: "지금 재울까요?",
    sureBody: "기억이 합쳐지거나 승급하거나 흐려지거나 절벽으로 갈 수 있습니다. 모두 되살리거나 되돌릴 수 있고, “무슨 일이 생길까요?”로 먼저 볼 수 있습니다.",
    sureAll: "일정과 상관없이 모든 일을 지금 합니다.",
    go: "재우기",
    sleeping: (duty: string) => `자는 중: ${duty}`,
    working: "자는 중…",
    ended: "밤이 끝났습니다.",
    nights: "지난 밤들",
    nothing: "아직 지난 밤이 없습니다. 서버가 켜져 있으면 하루에 한 번 스스로 자고, “지금 재우기”를 눌러도 됩니다.",
    letGo: "잊기",
    letGoBody: "많은 기억이 한꺼번에 떠나게 되어 허락을 기다립니다. 절벽으로 가며 7일 동안 되살릴 수 있습니다.",
    read: "읽기만 할 수 있는 접속입니다.",
  },
});

const LOOK = 600;
const SHOWN = 30;

export function sleep(context: Context, signal: AbortSignal): HTMLElement {
  const { api, live } = context;
  let force = false;
  let asleep = false;
  const status = h("p", { class: "soft", "data-testid": "sleep-status" });
  const told = h("div", { class: "stack", "data-testid": "sleep-result", "aria-live": "polite" });
  const plan = button({ label: t().plan, onclick: () => doing(async () => fill(told, await nightPlan(await run(true, false), context, signal, letGo))) });
  const now = button({ label: t().now, kind: "primary", onclick: () => sleepNow() });
  plan.dataset.testid = "sleep-plan";
  now.dataset.testid = "sleep-now";
  const mayWrite = context.session.scopes.includes("write");
  const work = h(
    "section",
    { class: "panel stack", "data-testid": "insight-sleep" },
    h("div", null, h("h2", null, t().title), h("p", { class: "small soft" }, t().about)),
    status,
    mayWrite
      ? h(
          "div",
          { class: "row" },
          plan,
          now,
          toggle({
            label: t().all,
            on: false,
            onchange: (on) => {
              force = on;
            },
          }),
        )
      : h("p", { class: "faint" }, t().read),
    told,
  );
  const nights = h("section", { class: "panel stack", "data-testid": "sleep-reports" }, skeleton());
  const room = h("div", { class: "stack" }, work, nights);

  const run = (dry: boolean, allowLarge: boolean): Promise<NightReport> =>
    api.call("sleep_cycle_run", { dry_run: dry, force, allow_large: allowLarge }, { signal });
  const doing = async (what: () => Promise<void>): Promise<void> => {
    try {
      await what();
    } catch (error) {
      if (!isAbort(error) && !signal.aborted) fill(told, h("p", { class: "bad", role: "alert" }, explained(error)));
    }
  };
  const sleepNow = async (): Promise<void> => {
    if (await confirm({ title: t().sure, body: [h("p", null, t().sureBody), force ? h("p", null, t().sureAll) : null], action: t().go, signal }))
      await doing(() => night(false));
  };
  const letGo = async (): Promise<void> => {
    if (await confirm({ title: t().letGo, body: t().letGoBody, action: t().letGo, danger: true, signal })) await doing(() => night(true));
  };
  /** The engine notes each duty as it is done, so that looking now and then tells how far it is. */
  const night = async (allowLarge: boolean): Promise<void> => {
    const begun = await api.call("sleep_status", {}, { signal });
    const wanted = begun.duties.filter((duty) => force || duty.due);
    const before = new Map(begun.duties.map((duty) => [duty.duty, duty.last_run]));
    const bar = progress({ label: t().working, share: 0.02 });
    const line = h("p", { class: "small soft" }, t().working);
    fill(told, line, bar.element);
    asleep = true;
    const look = window.setInterval(
      () =>
        void api.call("sleep_status", {}, { signal }).then(
          ({ duties }) => {
            const left = wanted.filter((one) => duties.find(({ duty }) => duty === one.duty)?.last_run === before.get(one.duty));
            bar.set(Math.max(0.02, 1 - left.length / Math.max(1, wanted.length)));
            if (left[0] && asleep) line.textContent = t().sleeping(dutyWord(left[0].duty));
          },
          () => {},
        ),
      LOOK,
    );
    try {
      const done = await run(false, allowLarge);
      fill(told, nightDone(done, letGo));
      context.announce(t().ended);
    } finally {
      asleep = false;
      window.clearInterval(look);
    }
    await load();
  };
  const load = async (): Promise<void> => {
    try {
      const [schedule, reports] = await Promise.all([api.call("sleep_status", {}, { signal }), api.call("sleep_reports", { limit: SHOWN }, { signal })]);
      fill(status, ...dueOf(schedule, asleep));
      refill(
        nights,
        h("h2", null, t().nights),
        reports.nights.length ? h("div", null, reports.nights.map(nightEntry)) : h("p", { class: "soft" }, t().nothing),
      );
    } catch (error) {
      if (!isAbort(error) && !signal.aborted)
        fill(
          nights,
          errorPanel(error, () => void load()),
        );
    }
  };
  live.onChanges(
    (changes) => {
      if (!asleep && changes.some(({ type }) => type === "slept" || type === "reset")) void load();
    },
    signal,
    800,
  );
  void load();
  return room;
}

function dueOf({ duties, asleep }: SleepSchedule, mine: boolean): (HTMLElement | string)[] {
  if (asleep !== null && !mine) return [t().asleep];
  const due = duties.filter((duty) => duty.due).length;
  if (due) return [due === 1 ? t().oneDue : t().due(number(due))];
  const next = duties.reduce((soonest, { next_run }) => (soonest === "" || next_run < soonest ? next_run : soonest), "");
  return next ? [t().none, " ", relativeTime(next)] : [];
}
