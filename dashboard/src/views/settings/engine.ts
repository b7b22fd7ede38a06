/** What the engine works with: models, the schedule of the night, and what is never stored. */

import type { ServerStatus, Operations } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { language, number, texts } from "../../i18n.ts";
import { linkButton, relativeTime, table } from "../../ui/index.ts";
import { cards } from "../../ui/cards.ts";
import { withCode } from "../../ui/code.ts";
import { dutyAbout, dutyWord } from "../../ui/night-words.ts";
import type { Context } from "../../view.ts";
import { unwanted } from "./unwanted.ts";
import { action, facts, into, section, tell } from "./section.ts";

const t = texts({
  en: {
    models: "Models",
    modelsAbout: "What finds memories by meaning, and who may be asked to write.",
    embedder: "Vectors",
    none: "none: words alone find memories",
    words: "Words",
    dimensions: (count: string) => `${count} dimensions`,
    without: "Without a vector",
    reindex: "Give them vectors",
    reindexed: (done: string, failed: string) => `${done} memories have a vector now; ${failed} failed.`,
    language: "Language model",
    noModel: "none: nothing leaves this machine",
    uses: "Used for",
    today: "Asked today",
    spent: (calls: string, tokens: string) => `${calls} calls, ${tokens} tokens`,
    everybody: "of all owners",
    change: "Which models are used is set where the engine runs: `celestial config`, or the environment.",
    schedule: "Schedule of the night",
    scheduleAbout: "Each duty is done once it is due, while the engine is served or when you let it sleep.",
    duty: "Duty",
    last: "Last done",
    next: "Next",
    due: "due now",
    never: "never",
    toSleep: "Sleep and its reports",
    guard: "What is never stored",
    guardAbout: (version: string) => `Secrets are found before anything is stored. Rules of version ${version}.`,
    kind: "Kind",
    what: "What happens",
    stands: "What stands in its place",
    redact: "Redacted: the rest is stored",
    block: "Blocked: nothing is stored",
    allow: "Stored as it is",
    password: "Password",
    api_key: "API key",
    jwt: "Token (JWT)",
    private_key: "Private key",
    connection: "Password in an address",
    card: "Card number",
    resident_number: "Resident number",
    bank_account: "Bank account",
    identity_number: "Passport, licence, social security",
    security_code: "Recovery or one-time code",
    seed_phrase: "Seed phrase",
    phone: "Phone number",
    email: "E-mail address",
  },
  ko: {
    models: "모델",
    modelsAbout: "뜻으로 기억을 찾는 모델과, 글을 맡길 수 있는 모델입니다.",
    embedder: "벡터",
    none: "없음: 낱말로만 찾습니다",
    words: "낱말",
    dimensions: (count: string) => `${count}차원`,
    without: "벡터가 없는 기억",
    reindex: "벡터 만들기",
    reindexed: (done: string, failed: string) => `기억 ${done}개에 벡터를 만들었고 ${failed}개는 실패했습니다.`,
    language: "언어 모델",
    noModel: "없음: 아무것도 이 컴퓨터 밖으로 나가지 않습니다",
    uses: "쓰이는 곳",
    today: "오늘 물어본 것",
    spent: (calls: string, tokens: string) => `${calls}번, 토큰 ${tokens}개`,
    everybody: "모든 주인을 합한 것",
    change: "어떤 모델을 쓸지는 엔진이 실행되는 곳에서 정합니다: `celestial config` 또는 환경 변수.",
    schedule: "밤의 일정",
    scheduleAbout: "서버가 켜져 있거나 재우면, 때가 된 일을 합니다.",
    duty: "할 일",
    last: "마지막",
    next: "다음",
    due: "지금 할 때",
    never: "아직 없음",
    toSleep: "잠과 보고서",
    guard: "저장하지 않는 것",
    guardAbout: (version: string) => `저장하기 전에 비밀을 찾아냅니다. 규칙 버전 ${version}입니다.`,
    kind: "종류",
    what: "하는 일",
    stands: "대신 남는 것",
    redact: "가림: 나머지는 저장",
    block: "막음: 아무것도 저장하지 않음",
    allow: "그대로 저장",
    password: "비밀번호",
    api_key: "API 키",
    jwt: "토큰(JWT)",
    private_key: "개인 키",
    connection: "주소 속 비밀번호",
    card: "카드 번호",
    resident_number: "주민등록번호",
    bank_account: "계좌번호",
    identity_number: "여권·면허·사회보장 번호",
    security_code: "복구 코드·인증 번호",
    seed_phrase: "시드 문구",
    phone: "전화번호",
    email: "이메일 주소",
  },
});

type Rules = Operations["guard_rules"]["answer"];
type Rule = Rules["rules"][number];

export function engine(context: Context, signal: AbortSignal): HTMLElement {
  const { api, live, session } = context;
  const [models, schedule, guard] = [h("div", { class: "stack" }), h("div", { class: "stack" }), h("div", { class: "stack" })];
  const told = h("div", { role: "status" });
  const guardAbout = h("span");
  const load = () =>
    into(models, signal, async () => {
      const status = await api.call("server_status", {}, { signal });
      return modelFacts(status);
    });
  const modelFacts = (status: ServerStatus): Child => {
    const admin = session.scopes.includes("admin");
    const reindex = action("reindex", {
      label: t().reindex,
      small: true,
      onclick: () =>
        tell(told, signal, async () => {
          const { embedded, failed } = await api.call("reindex", {}, { signal });
          await load();
          return h("p", { class: failed ? "warn" : "good" }, t().reindexed(number(embedded), number(failed)));
        }),
    });
    return [
      facts([
        [t().embedder, status.embedder ? `${status.embedder}${status.dimensions ? ` · ${t().dimensions(number(status.dimensions))}` : ""}` : t().none],
        [t().without, h("span", { class: "row" }, number(status.without_vector), status.without_vector && status.embedder && admin ? reindex : null)],
        [t().words, status.words ?? "–"],
        [t().language, status.model ?? t().noModel],
        ...(status.model_uses.length ? [[t().uses, status.model_uses.join(", ")] as const] : []),
        ...(status.model ? [[t().today, `${t().spent(number(status.model_calls_today), number(status.model_tokens_today))} (${t().everybody})`] as const] : []),
      ]),
      h("p", { class: "small faint" }, withCode(t().change)),
    ];
  };
  const loadSchedule = () =>
    into(schedule, signal, async () => {
      const { duties } = await api.call("sleep_status", {}, { signal });
      return [
        cards(
          table({
            label: t().schedule,
            rows: duties,
            columns: [
              { title: t().duty, cell: ({ duty }) => [h("strong", null, dutyWord(duty)), h("div", { class: "small soft" }, dutyAbout(duty))] },
              { title: t().last, cell: ({ last_run }) => (last_run ? relativeTime(last_run) : h("span", { class: "faint small" }, t().never)) },
              { title: t().next, cell: ({ due, next_run }) => (due ? h("span", { class: "mark" }, t().due) : relativeTime(next_run)) },
            ],
          }),
        ),
        h("div", null, linkButton({ label: t().toSleep, href: "#/insight/sleep", small: true })),
      ];
    });
  void load();
  void loadSchedule();
  void into(guard, signal, async () => {
    const rules = await api.call("guard_rules", {}, { signal });
    guardAbout.textContent = t().guardAbout(String(rules.version));
    return ruleTable(rules);
  });
  live.onChanges(
    (changes) => {
      if (changes.some(({ type }) => type === "slept" || type === "reset")) void loadSchedule();
      if (changes.some(({ type }) => type === "reindexed" || type === "reset")) void load();
    },
    signal,
    1500,
  );
  return h(
    "div",
    { class: "stack side-by-side" },
    section("settings-models", t().models, t().modelsAbout, models, told),
    unwanted(context, signal),
    section("settings-guard", t().guard, guardAbout, guard),
    section("settings-schedule", t().schedule, t().scheduleAbout, schedule),
  );
}

const kindOf = (kind: string): string => (Object.hasOwn(t(), kind) ? String(t()[kind as "password"]) : kind);
const actionOf = (does: string): string => (does === "redact" || does === "block" || does === "allow" ? t()[does] : does);

const ruleTable = ({ rules }: Rules): HTMLElement =>
  cards(
    table<Rule>({
      label: t().guard,
      rows: rules,
      columns: [
        { title: t().kind, cell: ({ kind }) => h("strong", null, kindOf(kind)) },
        { title: t().what, cell: ({ action: does }) => h("span", { class: `does ${does}` }, actionOf(does)) },
        { title: t().stands, cell: (rule) => (rule.action === "redact" ? h("code", null, language() === "ko" ? rule.marker_ko : rule.marker) : null) },
      ],
    }),
  );
