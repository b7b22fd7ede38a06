/** Tokens: who may enter, what they may do, and the end of it. */

import type { Operations } from "../../api/index.ts";
import { explained, isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { dateTime, texts } from "../../i18n.ts";
import { button, confirm, dialog, field, input, relativeTime, table } from "../../ui/index.ts";
import { cards } from "../../ui/cards.ts";
import { copyButton } from "../../ui/copy.ts";
import { refill } from "../../ui/refill.ts";
import type { Context } from "../../view.ts";
import { action, into, section } from "./section.ts";

const t = texts({
  en: {
    title: "Tokens and sessions",
    about: "A program comes in with a token, a browser with a session. Only a digest of each is kept.",
    name: "Name",
    scopes: "May",
    created: "Made",
    used: "Last used",
    state: "State",
    never: "never",
    valid: "Valid",
    revoked: "Revoked",
    ended: "Ended",
    until: (when: string) => `Session until ${when}`,
    create: "New token",
    revoke: "Revoke",
    revokeOf: (name: string) => `Revoke ${name}`,
    sure: (name: string) => `Revoke “${name}”?`,
    sureBody: "Whoever uses it is turned away at once. It cannot be given back; make a new one instead.",
    sureSession: "This is a browser's session. If it is the one you are in, you are signed out.",
    done: (name: string) => `“${name}” no longer opens anything.`,
    newTitle: "New token",
    nameHint: "What to know it by later, such as “laptop” or “home assistant”.",
    allows: "What it may do",
    make: "Make token",
    read: "read",
    readHint: "search, show, list",
    write: "write",
    writeHint: "remember, change, let go; also reads",
    approve: "approve",
    approveHint: "give your own word: core memories, the self, imports",
    admin: "admin",
    adminHint: "tokens, backups, repairs, the whole database",
    nameNeeded: "Give it a name.",
    scopeNeeded: "Choose at least one.",
    once: "Your token",
    onceBody: "This is shown once and kept nowhere. Copy it now.",
    use: "Send it as a header:",
    finished: "I have copied it",
    noAdmin: "Seeing and making tokens needs the admin scope, which this session does not have.",
    none: "Nobody has been given a token yet.",
    ended_: "Show what has ended",
  },
  ko: {
    title: "토큰과 접속",
    about: "프로그램은 토큰으로, 브라우저는 접속으로 들어옵니다. 저장되는 것은 지문뿐입니다.",
    name: "이름",
    scopes: "할 수 있는 일",
    created: "만든 때",
    used: "마지막 사용",
    state: "상태",
    never: "없음",
    valid: "유효",
    revoked: "폐기됨",
    ended: "끝남",
    until: (when: string) => `접속 · ${when}까지`,
    create: "새 토큰",
    revoke: "폐기",
    revokeOf: (name: string) => `${name} 폐기`,
    sure: (name: string) => `“${name}”의 권한을 폐기할까요?`,
    sureBody: "쓰고 있던 쪽은 바로 들어올 수 없게 됩니다. 되살릴 수 없으니 필요하면 새로 만드세요.",
    sureSession: "브라우저의 접속입니다. 지금 쓰는 접속이면 로그아웃됩니다.",
    done: (name: string) => `“${name}”의 권한을 폐기했습니다.`,
    newTitle: "새 토큰",
    nameHint: "나중에 알아볼 이름입니다. 예: “노트북”, “집 비서”.",
    allows: "할 수 있는 일",
    make: "토큰 만들기",
    read: "read",
    readHint: "검색하고, 보고, 나열하기",
    write: "write",
    writeHint: "기억하고, 고치고, 잊기. 읽기도 포함합니다",
    approve: "approve",
    approveHint: "본인의 승인: 코어 메모리, 자아, 가져오기",
    admin: "admin",
    adminHint: "토큰, 백업, 복구, 데이터베이스 전체",
    nameNeeded: "이름을 넣으세요.",
    scopeNeeded: "하나 이상 고르세요.",
    once: "새 토큰",
    onceBody: "지금 한 번만 보여 주고 어디에도 저장하지 않습니다. 바로 복사하세요.",
    use: "다음 헤더로 보내세요.",
    finished: "복사했습니다",
    noAdmin: "토큰을 보거나 만들려면 admin 권한이 필요합니다.",
    none: "아직 토큰이 없습니다.",
    ended_: "끝난 것도 보기",
  },
});

const SCOPES = ["read", "write", "approve", "admin"] as const;
type Scope = (typeof SCOPES)[number];
type Token = Operations["token_list"]["answer"]["tokens"][number];

const isOver = (token: Token): boolean => token.revoked_at !== null || (token.expires_at !== null && new Date(token.expires_at) <= new Date());

export function access(context: Context, signal: AbortSignal): HTMLElement {
  const { api, live, session } = context;
  if (!session.scopes.includes("admin")) return section("settings-tokens", t().title, t().about, h("p", { class: "faint" }, t().noAdmin));
  const room = h("div", { class: "stack", "data-testid": "token-list" });
  let whole = false;
  const load = () =>
    into(room, signal, async () => {
      const { tokens } = await api.call("token_list", {}, { signal });
      const shown = tokens.filter((token) => whole || !isOver(token)).reverse();
      const rest = tokens.length - tokens.filter((token) => !isOver(token)).length;
      const drawn = h("div", { class: "stack" });
      refill(
        drawn,
        shown.length ? rows(shown) : h("p", { class: "soft" }, t().none),
        rest && !whole
          ? action("token-ended", {
              label: `${t().ended_} (${rest})`,
              kind: "quiet",
              small: true,
              onclick: () => {
                whole = true;
                return load();
              },
            })
          : null,
      );
      return drawn;
    });
  const rows = (tokens: readonly Token[]): HTMLElement =>
    cards(
      table({
        label: t().title,
        rows: tokens,
        columns: [
          { title: t().name, cell: ({ name, id }) => [h("strong", null, name), h("div", { class: "faint small mono" }, id)] },
          {
            title: t().scopes,
            cell: ({ scopes }) =>
              h(
                "span",
                { class: "row tight" },
                scopes.map((scope) => h("span", { class: "mark" }, scope)),
              ),
          },
          { title: t().created, cell: ({ created_at }) => relativeTime(created_at) },
          { title: t().used, cell: ({ last_used_at }) => (last_used_at ? relativeTime(last_used_at) : h("span", { class: "faint small" }, t().never)) },
          { title: t().state, cell: (token) => h("span", { class: "small" }, stateOf(token)) },
          {
            title: "",
            end: true,
            cell: (token) => {
              if (isOver(token)) return null;
              const end = action(`token-revoke-${token.id}`, { label: t().revoke, small: true, onclick: () => revoke(token) });
              end.setAttribute("aria-label", t().revokeOf(token.name));
              return end;
            },
          },
        ],
      }),
    );
  const revoke = async (token: Token): Promise<void> => {
    const body = [h("p", null, t().sureBody), token.expires_at ? h("p", null, t().sureSession) : null];
    if (!(await confirm({ title: t().sure(token.name), body, action: t().revoke, danger: true, signal }))) return;
    try {
      await api.call("token_revoke", { id: token.id }, { signal });
      context.toast(t().done(token.name), { kind: "good" });
      await load();
    } catch (error) {
      if (!isAbort(error)) context.toast(explained(error), { kind: "bad" });
    }
  };
  live.onChanges((changes) => {
    if (changes.some(({ type }) => /^(granted|revoked|reset)$/.test(type))) void load();
  }, signal);
  void load();
  const create = action("token-create", { label: t().create, kind: "primary", onclick: () => newToken(context, signal, load) });
  return section("settings-tokens", t().title, t().about, h("div", null, create), room);
}

function stateOf(token: Token): string {
  if (token.revoked_at) return t().revoked;
  if (isOver(token)) return t().ended;
  return token.expires_at ? t().until(dateTime(token.expires_at)) : t().valid;
}

function newToken({ api, session }: Context, signal: AbortSignal, made: () => Promise<void>): void {
  const name = input({ required: true, maxlength: 100, autocomplete: "off" });
  name.dataset.testid = "token-name";
  const boxes = SCOPES.filter((scope) => session.scopes.includes(scope)).map((scope) => {
    const box = h("input", { type: "checkbox", value: scope, checked: scope === "read" || scope === "write", "data-testid": `token-scope-${scope}` });
    return [
      box,
      h("label", { class: "choice" }, box, h("span", null, h("strong", null, t()[scope]), h("span", { class: "small soft" }, ` ${t()[`${scope}Hint`]}`))),
    ] as const;
  });
  const wrong = h("p", { class: "bad", role: "alert" });
  const make = async (): Promise<void> => {
    const scopes = boxes.filter(([box]) => box.checked).map(([box]) => box.value as Scope);
    if (!name.value.trim() || !scopes.length) return fill(wrong, name.value.trim() ? t().scopeNeeded : t().nameNeeded);
    try {
      const { secret } = await api.call("token_create", { name: name.value.trim(), scopes }, { signal });
      opened.close();
      showOnce(secret, signal);
      await made();
    } catch (error) {
      if (!isAbort(error)) fill(wrong, explained(error));
    }
  };
  const go = action("token-make", { label: t().make, kind: "primary", onclick: make });
  const form = h(
    "form",
    {
      class: "settings stack",
      onsubmit: (event) => {
        event.preventDefault();
        go.click();
      },
    },
    field({ label: t().name, control: name, hint: t().nameHint }),
    h(
      "fieldset",
      { class: "choices" },
      h("legend", null, t().allows),
      boxes.map(([, label]) => label),
    ),
    wrong,
  );
  const opened = dialog({ title: t().newTitle, body: form, actions: [go], signal });
  name.focus();
}

/** Closing is a word of one's own: a stray press beside the dialog must not lose it. */
function showOnce(secret: string, signal: AbortSignal): void {
  const shown = input({ readonly: true, value: secret, "aria-label": t().once, spellcheck: "false", onfocus: () => shown.select() });
  shown.dataset.testid = "token-secret";
  const opened = dialog({
    title: t().once,
    signal,
    body: h(
      "div",
      { class: "settings stack" },
      h("p", { class: "warn" }, t().onceBody),
      h(
        "div",
        { class: "row secret" },
        shown,
        copyButton(() => secret, { from: () => shown }),
      ),
      h("p", { class: "small soft" }, t().use),
      h("pre", { class: "line" }, "Authorization: Bearer cel_…"),
    ),
    actions: [button({ label: t().finished, kind: "primary", onclick: () => opened.close() })],
  });
  opened.element.addEventListener(
    "click",
    (event) => {
      if (event.target === opened.element) event.stopImmediatePropagation();
    },
    { capture: true },
  );
  shown.focus();
}
