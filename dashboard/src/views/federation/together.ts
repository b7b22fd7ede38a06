/** Learning together: whether this memory takes part, its peers, what was rejected and why, privacy and gain. */

import type { Operations } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { number, texts } from "../../i18n.ts";
import { confirm, relativeTime, table } from "../../ui/index.ts";
import { cards } from "../../ui/cards.ts";
import { copyButton } from "../../ui/copy.ts";
import { withCode } from "../../ui/code.ts";
import type { Context } from "../../view.ts";
import { action, facts, into, section } from "../settings/section.ts";
import { reasonOf } from "./reasons.ts";

const t = texts({
  en: {
    title: "How it stands",
    about:
      "Off until you take part. What it brings is small and uncertain: simulated newcomers earned 2 to 3% more, and between real processes the gain was within chance.",
    how: "How it works",
    step1: "You and people you know add each other's address and key at the machine.",
    step2: "Every minute, numbers that your turns taught go to them and theirs come to you. No text, no name and no memory is sent.",
    step3: "Whoever predicts what you liked in your own turns counts most. What does worse than your own policy is switched off; leaving deletes all of it.",
    on: "Take part",
    off: "Pause",
    leave: "Leave",
    sure: "Leave, and delete what came from others?",
    sureBody: "Peers and everything that came from them are deleted. What your own turns taught stays.",
    enabled: "Takes part",
    yes: "yes",
    no: "no",
    key: "Your key",
    rounds: "Rounds",
    used: "Peers that count",
    weight: "How much it counts",
    trust: "Suits you",
    decides: "Decides turns",
    ranks: "Ranks memories",
    message: "Size of a message",
    bytes: (count: string) => `${count} bytes`,
    gain: "Gain over your own policy",
    exams: (count: string) => `in ${count} exams`,
    none: "not known yet",
    privacy: "Privacy spent",
    epsilon: (spent: string, limit: string) => `epsilon ${spent} of ${limit}`,
    unbounded: "no bound: sent without noise",
    nothing: "nothing was sent",
    declined: "Not used because",
    too_few: "too few peers have sent anything",
    too_few_turns: "too few of your turns were praised or blamed yet",
    worse_on_own_turns: "it suits your turns worse",
    worse_in_exams: "it did worse in exams",
    switched_off: "you take no part",
    peers: "Peers",
    peer: "Peer",
    state: "State",
    share: "Suits you",
    until: "until",
    accepted: "Accepted",
    rejected: "Rejected",
    seen: "Last seen",
    never: "never",
    strangers: "Refused, from nobody known",
    new: "Nothing yet",
    active: "Active",
    other_rules: "Other rules, ignored",
    quarantined: "In quarantine",
    add: "Peers are added at the machine: `celestial gossip peer add URL KEY`.",
    noAdmin: "Changing this needs the admin scope.",
  },
  ko: {
    title: "지금 상태",
    about:
      "참여하기 전에는 꺼져 있습니다. 효과는 작고 확실하지 않습니다. 모의 실험에서는 새로 시작한 사람이 2~3% 나아졌지만, 실제로 주고받게 했을 때는 우연과 구별되지 않았습니다.",
    how: "어떻게 배우나요",
    step1: "아는 사람과 서로의 주소와 키를 이 컴퓨터에서 추가합니다.",
    step2: "1분마다 내 대화에서 배운 수치를 보내고 상대의 수치를 받습니다. 글도, 이름도, 기억도 보내지 않습니다.",
    step3: "내 대화에서 내가 무엇을 좋아했는지 잘 맞힌 상대일수록 많이 반영합니다. 내 정책보다 못하면 끄고, 나가면 모두 지웁니다.",
    on: "참여하기",
    off: "멈추기",
    leave: "나가기",
    sure: "나가고, 남에게서 온 것을 지울까요?",
    sureBody: "상대 목록과 남에게서 온 것을 모두 지웁니다. 내 대화에서 배운 것은 그대로 남습니다.",
    enabled: "참여",
    yes: "예",
    no: "아니요",
    key: "내 키",
    rounds: "주고받은 횟수",
    used: "반영된 상대",
    weight: "반영 비율",
    trust: "나와 맞을 확률",
    decides: "대화 판단에 씀",
    ranks: "기억 순위에 씀",
    message: "한 번에 보내는 크기",
    bytes: (count: string) => `${count}바이트`,
    gain: "내 정책보다 나은 정도",
    exams: (count: string) => `${count}번 비교`,
    none: "아직 모름",
    privacy: "쓴 개인정보 예산",
    epsilon: (spent: string, limit: string) => `엡실론 ${spent} / ${limit}`,
    unbounded: "한계 없음: 잡음 없이 보냈습니다",
    nothing: "보낸 것 없음",
    declined: "쓰지 않는 이유",
    too_few: "수치를 보낸 상대가 너무 적음",
    too_few_turns: "평가된 내 대화가 아직 너무 적음",
    worse_on_own_turns: "내 대화에 덜 맞음",
    worse_in_exams: "비교에서 더 못함",
    switched_off: "참여하지 않음",
    peers: "상대",
    peer: "상대",
    state: "상태",
    share: "나와 맞음",
    until: "해제:",
    accepted: "받음",
    rejected: "거절",
    seen: "마지막 연락",
    never: "없음",
    strangers: "모르는 곳에서 와서 거절한 것",
    new: "아직 없음",
    active: "참여 중",
    other_rules: "규칙이 달라 무시함",
    quarantined: "격리 중",
    add: "상대는 이 컴퓨터에서 추가합니다: `celestial gossip peer add 주소 키`.",
    noAdmin: "바꾸려면 admin 권한이 필요합니다.",
  },
});

type Status = Operations["gossip_status"]["answer"];
type Peer = Status["peers"][number];

export function together(context: Context, signal: AbortSignal): HTMLElement {
  const { api, session } = context;
  const room = h("div", { class: "stack", "data-testid": "together" });
  const show = (load: () => Promise<Status>): Promise<void> => into(room, signal, async () => drawn(await load()));
  const change = (name: "gossip_on" | "gossip_off" | "gossip_leave") => (): Promise<void> => show(() => api.call(name, {}, { signal }));
  const leave = async (): Promise<void> => {
    if (await confirm({ title: t().sure, body: h("p", null, t().sureBody), action: t().leave, danger: true, signal })) await change("gossip_leave")();
  };
  const drawn = (status: Status): Child => [
    facts(factsOf(status)),
    session.scopes.includes("admin")
      ? h(
          "div",
          { class: "row" },
          status.enabled
            ? action("together-off", { label: t().off, onclick: change("gossip_off") })
            : action("together-on", { label: t().on, kind: "primary", onclick: change("gossip_on") }),
          status.enabled || status.rounds || status.releases || status.peers.length
            ? action("together-leave", { label: t().leave, kind: "quiet", onclick: leave })
            : null,
        )
      : h("p", { class: "faint" }, t().noAdmin),
    status.peers.length ? peersOf(status.peers) : null,
    h("p", { class: "small soft" }, withCode(t().add)),
  ];
  void show(() => api.call("gossip_status", {}, { signal }));
  const how = h(
    "section",
    { class: "panel stack", "data-testid": "together-how" },
    h("h2", null, t().how),
    h(
      "ol",
      { class: "stack" },
      [t().step1, t().step2, t().step3].map((step) => h("li", null, step)),
    ),
  );
  return h("div", { class: "stack" }, section("settings-together", t().title, t().about, room), how);
}

function factsOf(status: Status): (readonly [string, Child])[] {
  const strangers = reasons(status.rejected);
  return [
    [t().enabled, status.enabled ? t().yes : t().no],
    ...(status.key
      ? [
          [
            t().key,
            h(
              "span",
              { class: "row tight" },
              h("span", { class: "mono small" }, `${status.key.slice(0, 16)}…`),
              copyButton(() => status.key),
            ),
          ] as const,
        ]
      : []),
    [t().rounds, [number(status.rounds), status.last_round ? [" · ", relativeTime(status.last_round)] : null]],
    [t().used, number(status.used_updates)],
    ...(status.used_updates
      ? [
          [t().trust, percent(status.trust)] as const,
          [t().weight, percent(status.weight)] as const,
          [t().decides, status.candidate_on ? t().yes : t().no] as const,
          [t().ranks, status.reranker_on ? t().yes : t().no] as const,
        ]
      : []),
    [t().gain, status.gain === null ? t().none : `${status.gain > 0 ? "+" : ""}${status.gain.toFixed(3)} · ${t().exams(number(status.exams))}`],
    [t().privacy, privacyOf(status)],
    [t().message, t().bytes(number(status.message_bytes))],
    ...(status.declined ? [[t().declined, declinedOf(status.declined)] as const] : []),
    ...(strangers ? [[t().strangers, strangers] as const] : []),
  ];
}

function privacyOf(status: Status): string {
  if (!status.releases) return t().nothing;
  return status.epsilon === null ? t().unbounded : t().epsilon(status.epsilon.toFixed(2), String(status.epsilon_limit));
}

function declinedOf(declined: string): string {
  const why = declined.split(" ")[0];
  return why === "too_few" || why === "too_few_turns" || why === "worse_on_own_turns" || why === "worse_in_exams" || why === "switched_off"
    ? t()[why]
    : declined;
}

function stateOf(state: string): string {
  return state === "new" || state === "active" || state === "other_rules" || state === "quarantined" ? t()[state] : state;
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;

const reasons = (rejected: Peer["rejected"]): string =>
  Object.entries(rejected)
    .map(([reason, count]) => `${reasonOf(reason)} ${number(count)}`)
    .join(", ");

const peersOf = (peers: readonly Peer[]): HTMLElement =>
  cards(
    table({
      label: t().peers,
      rows: peers,
      columns: [
        { title: t().peer, cell: ({ url, key }) => [h("strong", null, url), h("div", { class: "faint small mono" }, key.slice(0, 16))] },
        {
          title: t().state,
          cell: ({ state, quarantined_until }) => [stateOf(state), quarantined_until ? [" ", t().until, " ", relativeTime(quarantined_until)] : null],
        },
        { title: t().share, end: true, cell: ({ share }) => percent(share) },
        { title: t().accepted, end: true, cell: ({ accepted }) => number(accepted) },
        { title: t().rejected, cell: ({ rejected }) => h("span", { class: "small" }, reasons(rejected)) },
        { title: t().seen, cell: ({ last_seen }) => (last_seen ? relativeTime(last_seen) : h("span", { class: "faint small" }, t().never)) },
      ],
    }),
  );
