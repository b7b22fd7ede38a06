/** What was learned from feedback: how it stands, how it came there, and the way back. */

import type { Operations, PolicyVersion } from "../../api/index.ts";
import { explained, isAbort } from "../../api/index.ts";
import { fill, h, type Child } from "../../dom.ts";
import { dateTime, number, particle, percent, texts } from "../../i18n.ts";
import { colour } from "../../theme/index.ts";
import { button, confirm, errorPanel, relativeTime, skeleton, table } from "../../ui/index.ts";
import { cards } from "../../ui/cards.ts";
import type { Context } from "../../view.ts";
import { figure, type Shown } from "./figure.ts";

const t = texts({
  en: {
    curve: "Learning curve",
    curveAbout: "The mean reward of all feedback, version by version.",
    none: "There has been no feedback yet. Tell the engine what a turn was worth (the feedback operation, or a word such as “thanks”), and it learns what to save and what to fetch.",
    label: (from: string, to: string) => `The mean reward went from ${from} to ${to}.`,
    reward: "Mean reward",
    rewards: "Rewards",
    version: "Version",
    when: "When",
    standing: "How it stands",
    decides: "The learned part decides",
    rules: "The rules decide",
    follows: "The rules decide until what was learned is trusted",
    off: "Learning is switched off",
    ranks: "The learned ranking is in use",
    plain: "The plain ranking is in use",
    trust: "Trust in what was learned",
    explores: "Tries something else",
    actions: "What was decided",
    save: "Kept",
    skip: "Skipped",
    retrieve: "Fetched",
    exam: "Compared with the rules",
    learnedExam: "Learned",
    rulesExam: "Rules",
    exams: (count: string) => `${count} comparisons`,
    versions: "Versions",
    versionsAbout: "Every version is kept for a while. Going back makes a new version that knows what the old one knew.",
    back: "Go back",
    backTo: (version: string) => `Go back to version ${version}`,
    backBody: (when: string, version: string) =>
      `What was learned since ${when} no longer counts. Nothing is lost: the present version stays in the list as version ${version}, and no memory changes.`,
    went: (version: string) => `Version ${version} is in force.`,
    now: "in force",
    start: "Back to the beginning",
    startBody: "The engine forgets all it learned from feedback and goes by its rules again. The present version stays in the list; no memory changes.",
    damaged: (versions: string) => `Versions that cannot be used: ${versions}`,
    yes: "yes",
    no: "no",
    decider: "Decides",
    ranker: "Ranks",
  },
  ko: {
    curve: "학습 곡선",
    curveAbout: "버전마다 모든 피드백의 평균 보상입니다.",
    none: "아직 피드백이 없습니다. 대화가 얼마나 도움이 되었는지 알려 주면(feedback 연산이나 “고마워” 같은 말) 무엇을 저장하고 떠올릴지 배웁니다.",
    label: (from: string, to: string) => `평균 보상이 ${from}에서 ${to}${particle(to, "로", "으로")} 바뀌었습니다.`,
    reward: "평균 보상",
    rewards: "보상",
    version: "버전",
    when: "때",
    standing: "지금 상태",
    decides: "배운 것으로 결정합니다",
    rules: "규칙으로 결정합니다",
    follows: "배운 것을 믿을 수 있을 때까지 규칙으로 결정합니다",
    off: "학습이 꺼져 있습니다",
    ranks: "배운 순위를 씁니다",
    plain: "기본 순위를 씁니다",
    trust: "배운 것에 대한 신뢰",
    explores: "새로운 시도",
    actions: "결정한 것",
    save: "남김",
    skip: "넘김",
    retrieve: "찾아 줌",
    exam: "규칙과 견준 결과",
    learnedExam: "배운 것",
    rulesExam: "규칙",
    exams: (count: string) => `${count}번 비교`,
    versions: "버전",
    versionsAbout: "버전은 한동안 보관됩니다. 되돌아가면 그 버전이 알던 것으로 새 버전을 만듭니다.",
    back: "되돌아가기",
    backTo: (version: string) => `버전 ${version}${particle(version, "로", "으로")} 되돌아가기`,
    backBody: (when: string, version: string) =>
      `${when} 뒤에 배운 것은 쓰이지 않게 됩니다. 지금 버전은 버전 ${version}${particle(version, "로", "으로")} 목록에 남고, 기억은 하나도 바뀌지 않습니다.`,
    went: (version: string) => `이제 버전 ${version}${particle(version, "를", "을")} 씁니다.`,
    now: "쓰는 중",
    start: "처음으로 되돌아가기",
    startBody: "피드백으로 배운 것을 모두 잊고 규칙으로 돌아갑니다. 지금 버전은 목록에 남고, 기억은 바뀌지 않습니다.",
    damaged: (versions: string) => `쓸 수 없는 버전: ${versions}`,
    yes: "예",
    no: "아니요",
    decider: "결정",
    ranker: "순위",
  },
});

type Status = Operations["policy_status"]["answer"];
const CHANGES = /^(learned|rewarded|reset|backup_restored)$/;

const meanOf = (version: PolicyVersion): number => (typeof version.metrics.mean_reward === "number" ? version.metrics.mean_reward : 0);
const rewardsOf = (version: PolicyVersion): number => (typeof version.metrics.rewards === "number" ? version.metrics.rewards : version.rewards);

export function learning(context: Context, signal: AbortSignal): HTMLElement {
  const { api, live } = context;
  const curve = figure({ title: t().curve, about: t().curveAbout, testid: "insight-learning", signal });
  const standing = h("section", { class: "panel stack", "data-testid": "insight-policy" });
  const versions = h("section", { class: "panel stack", "data-testid": "insight-versions" });
  const all = h("div", { class: "stack" }, curve.element, standing, versions);
  const room = h("div", null, skeleton());
  const load = async (): Promise<void> => {
    try {
      const [status, { checkpoints }] = await Promise.all([api.call("policy_status", {}, { signal }), api.call("policy_checkpoints", {}, { signal })]);
      if (!all.isConnected) fill(room, all);
      const oldestFirst = [...checkpoints].sort((one, other) => one.version - other.version);
      if (status.rewards && oldestFirst.length) curve.show(curveOf(oldestFirst));
      else curve.say(t().none);
      fill(standing, standingOf(status));
      versions.hidden = !oldestFirst.length;
      const focused = versions.contains(document.activeElement);
      fill(versions, versionsOf([...oldestFirst].reverse(), status));
      if (focused) versions.querySelector<HTMLElement>("[tabindex]")?.focus({ preventScroll: true });
    } catch (error) {
      if (!isAbort(error) && !signal.aborted)
        fill(
          room,
          errorPanel(error, () => void load()),
        );
    }
  };
  const goBack = async (version: number, title: string, body: string): Promise<void> => {
    if (!(await confirm({ title, body, action: t().back, danger: true, signal }))) return;
    try {
      const made = await api.call("policy_rollback", { version }, { signal });
      context.toast(t().went(number(made.version)), { kind: "good" });
      await load();
    } catch (error) {
      if (!isAbort(error)) context.toast(explained(error), { kind: "bad" });
    }
  };
  const versionsOf = (newestFirst: readonly PolicyVersion[], status: Status): Child => {
    const yes = (value: unknown): string => (value ? t().yes : t().no);
    const start = button({ label: t().start, kind: "quiet", small: true, onclick: () => goBack(0, t().start, t().startBody) });
    start.dataset.testid = "rollback-0";
    return [
      h("div", { class: "row spread" }, h("div", null, h("h2", null, t().versions), h("p", { class: "small soft" }, t().versionsAbout)), start),
      status.damaged.length ? h("p", { class: "warn" }, t().damaged(status.damaged.map((each) => number(each)).join(", "))) : null,
      cards(
        table({
          label: t().versions,
          rows: newestFirst,
          columns: [
            { title: t().version, cell: ({ version }) => [number(version), version === status.version ? h("span", { class: "mark inline" }, t().now) : null] },
            { title: t().when, cell: ({ at }) => relativeTime(at) },
            { title: t().rewards, end: true, cell: (each) => number(rewardsOf(each)) },
            { title: t().reward, end: true, cell: (each) => number(meanOf(each), 2) },
            { title: t().decider, cell: ({ metrics }) => yes(metrics.on) },
            { title: t().ranker, cell: ({ metrics }) => yes(metrics.reranker_on) },
            {
              title: "",
              end: true,
              cell: ({ version, at }) => {
                if (version === status.version) return null;
                const back = button({
                  label: t().back,
                  icon: "undo",
                  small: true,
                  onclick: () => goBack(version, t().backTo(number(version)), t().backBody(dateTime(at), number(status.version))),
                });
                back.setAttribute("aria-label", t().backTo(number(version)));
                back.dataset.testid = `rollback-${version}`;
                return back;
              },
            },
          ],
        }),
      ),
    ];
  };
  live.onChanges(
    (changes) => {
      if (changes.some(({ type }) => CHANGES.test(type))) void load();
    },
    signal,
    1500,
  );
  void load();
  return room;
}

function standingOf(status: Status): Child {
  const fact = (label: string, value: string) => h("div", { class: "tile" }, h("dt", null, label), h("dd", null, value));
  const decided = Object.values(status.actions).reduce((sum, each) => sum + each, 0);
  const share = (action: "save" | "skip" | "retrieve") => fact(t()[action], decided ? percent((status.actions[action] ?? 0) / decided) : "–");
  // Without trust there is no turn at which it may depart from the rules.
  const departs = status.on && status.rewards > 0 && status.band_high > status.band_low;
  const said = !status.enabled ? t().off : departs ? t().decides : status.rewards ? t().follows : t().rules;
  const examined = [
    ["learned", t().learnedExam],
    ["rules", t().rulesExam],
  ] as const;
  const exams = examined.map(([name, label]) => ({ label, stood: status.exams[name] })).filter(({ stood }) => stood && stood.exams > 0);
  return [
    h(
      "div",
      null,
      h("h2", null, t().standing),
      h("p", { class: "small soft" }, `${said} · ${status.reranker_on && status.reranker_updates ? t().ranks : t().plain}`),
    ),
    h(
      "dl",
      { class: "tiles" },
      fact(t().rewards, number(status.rewards)),
      fact(t().reward, number(status.mean_reward, 2)),
      fact(t().trust, percent(status.trust)),
      fact(t().explores, percent(status.epsilon)),
    ),
    h("h3", null, t().actions),
    h("dl", { class: "tiles" }, share("save"), share("skip"), share("retrieve")),
    exams.length
      ? [
          h("h3", null, t().exam),
          h(
            "dl",
            { class: "tiles" },
            exams.map(({ label, stood }) => fact(`${label} (${t().exams(number(stood?.exams ?? 0))})`, number(stood?.mean_reward ?? 0, 2))),
          ),
        ]
      : null,
  ];
}

function curveOf(versions: readonly PolicyVersion[]): Shown {
  const label = t().label(number(meanOf(versions[0] as PolicyVersion), 2), number(meanOf(versions.at(-1) as PolicyVersion), 2));
  return {
    label,
    height: () => 240,
    table: () =>
      table({
        label,
        rows: [...versions].reverse(),
        columns: [
          { title: t().version, cell: ({ version }) => number(version) },
          { title: t().when, cell: ({ at }) => dateTime(at) },
          { title: t().rewards, end: true, cell: (each) => number(rewardsOf(each)) },
          { title: t().reward, end: true, cell: (each) => number(meanOf(each), 2) },
        ],
      }),
    option: () => ({
      grid: { left: 44, right: 44, top: 34, bottom: 24 },
      legend: { top: 0, left: 0 },
      tooltip: { trigger: "axis", valueFormatter: (value: unknown) => number(Number(value), 2) },
      xAxis: { type: "category", data: versions.map(({ version }) => `${t().version} ${version}`), axisLabel: { hideOverlap: true } },
      yAxis: [
        { type: "value", min: -1, max: 1, splitNumber: 4 },
        { type: "value", minInterval: 1, splitLine: { show: false } },
      ],
      series: [
        {
          name: t().rewards,
          type: "bar",
          yAxisIndex: 1,
          barMaxWidth: 26,
          itemStyle: { color: colour("--zone-belt"), opacity: 0.4, borderRadius: [4, 4, 0, 0] },
          data: versions.map(rewardsOf),
        },
        {
          name: t().reward,
          type: "line",
          symbolSize: 7,
          lineStyle: { width: 2.5, color: colour("--accent") },
          itemStyle: { color: colour("--accent") },
          data: versions.map(meanOf),
        },
      ],
    }),
  };
}
