/** What a model would be given: the memories that suit, each as finely as the budget allows, and what it costs. */

import { explained, isAbort } from "../../api/index.ts";
import type { PromptContext as Composed, Memory } from "../../api/operations.ts";
import { fill, h, type Child } from "../../dom.ts";
import { number, texts } from "../../i18n.ts";
import { copyButton } from "../../ui/copy.ts";
import { skeleton } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { filterOf, type Question } from "./question.ts";

const t = texts({
  en: {
    about: "The same text that an agent gets with your words: what answers best, as quoted data in the order of time, each at the finest resolution that fits.",
    budget: "Budget",
    tokens: (count: string) => `${count} tokens`,
    counts: "Looking at it here is no recall; when an agent asks for it, what is put in becomes more central.",
    used: (tokens: string, budget: string) => `${tokens} of ${budget} tokens`,
    noRoom: (count: number) => (count === 1 ? "1 memory found no room" : `${count} memories found no room`),
    repeats: (count: number) => (count === 1 ? "1 only repeats another one" : `${count} only repeat another one`),
    ended: (count: number) => (count === 1 ? "1 was replaced by a later statement" : `${count} were replaced by later statements`),
    all: "Everything that suits found room.",
    nothing: "Nothing suits this question, or nothing fits the budget.",
    full: "full text",
    gist: "gist",
    facts: "facts",
    text: "The composed text",
    bar: "Tokens by memory",
  },
  ko: {
    about: "에이전트가 말과 함께 받는 글입니다. 가장 잘 답하는 기억을 골라, 예산이 허락하는 한 자세하게, 오래된 것부터 인용된 자료로 담습니다.",
    budget: "예산",
    tokens: (count: string) => `${count}토큰`,
    counts: "여기서 보는 것은 떠올린 것으로 세지 않습니다. 에이전트가 받을 때는 담긴 기억이 더 안쪽 궤도로 다가옵니다.",
    used: (tokens: string, budget: string) => `${budget}토큰 중 ${tokens}토큰`,
    noRoom: (count: number) => `자리가 없어 빠진 기억 ${count}개`,
    repeats: (count: number) => `같은 내용이어서 빠진 기억 ${count}개`,
    ended: (count: number) => `나중 말로 바뀌어 빠진 기억 ${count}개`,
    all: "맞는 기억이 모두 담겼습니다.",
    nothing: "이 질문에 맞는 기억이 없거나 예산에 들어갈 만한 것이 없습니다.",
    full: "전문",
    gist: "요지",
    facts: "사실",
    text: "만들어진 글",
    bar: "기억별 토큰",
  },
});

/** Steps that double: a finer choice would say the same. */
const BUDGETS = [64, 128, 256, 512, 1024, 2048, 4096, 8192] as const;
const LEVELS = ["full", "gist", "facts"] as const;
const MOST = 20;
let chosen = 4;

/** Made when it is looked at and with every other budget: looking counts as no recall. */
export function composer(question: () => Question, context: Context): HTMLElement {
  const { api, signal } = context;
  const shown = h("div", { class: "stack", "aria-live": "polite" });
  const budget = (): number => BUDGETS[chosen] ?? 1024;
  const told = h("output", { class: "small soft" }, t().tokens(number(budget())));
  const slider = h("input", {
    type: "range",
    min: 0,
    max: BUDGETS.length - 1,
    step: 1,
    value: chosen,
    "aria-label": t().budget,
    "data-testid": "compose-budget",
    "aria-valuetext": t().tokens(number(budget())),
    oninput: () => {
      chosen = Number(slider.value);
      told.textContent = t().tokens(number(budget()));
      slider.setAttribute("aria-valuetext", told.textContent);
    },
    onchange: () => void compose(),
  });
  const compose = async (): Promise<void> => {
    if (!shown.childElementCount) fill(shown, skeleton(3));
    try {
      const asked = question();
      const made = await api.call("auto_search", { query: asked.q, budget: budget(), limit: MOST, where: filterOf(asked), reinforce: false }, { signal });
      fill(shown, composition(made, await known(made)));
    } catch (error) {
      if (isAbort(error)) return;
      fill(shown, h("p", { class: "memory-warn", role: "alert" }, explained(error)));
    }
  };
  /** What each of them says, for who points at a piece of the bar. */
  const known = async (made: Composed): Promise<ReadonlyMap<string, Memory>> => {
    const all = await Promise.all(made.used.map(({ id }) => api.call("memory_get", { id }, { signal }).catch(() => null)));
    return new Map(all.filter((each) => each !== null).map((each) => [each.id, each]));
  };
  void compose();
  return h(
    "div",
    { class: "panel stack", "data-testid": "ask-context" },
    h("p", { class: "soft" }, t().about),
    h("div", { class: "compose-bar" }, h("label", null, h("span", null, t().budget), slider, told)),
    h("p", { class: "small faint" }, t().counts),
    shown,
  );
}

function composition(made: Composed, known: ReadonlyMap<string, Memory>): Child {
  if (!made.used.length) return h("p", { class: "soft", "data-testid": "compose-nothing" }, t().nothing);
  const level = (at: number) => LEVELS[at] ?? "facts";
  const says = (id: string): string => known.get(id)?.content ?? id;
  const href = (id: string): string => `#/memory/${encodeURIComponent(id)}`;
  const pieces = made.used.map((each) =>
    h("a", {
      class: `piece ${level(each.level)}`,
      href: href(each.id),
      style: { width: `${(each.tokens / made.budget) * 100}%` },
      title: `${says(each.id)}\n${t()[level(each.level)]}, ${t().tokens(number(each.tokens))}`,
      "aria-label": `${says(each.id)}, ${t()[level(each.level)]}, ${t().tokens(number(each.tokens))}`,
    }),
  );
  const text = h("pre", { class: "composed", tabindex: 0, "data-testid": "compose-text" }, made.text);
  const copying = copyButton(() => made.text, { from: () => text });
  copying.dataset.testid = "compose-copy";
  return [
    h(
      "div",
      { class: "row spread" },
      h("strong", { "data-testid": "compose-tokens" }, t().used(number(made.tokens), number(made.budget))),
      h(
        "span",
        { class: "row small soft" },
        LEVELS.map((each) => h("span", { class: `key ${each}` }, t()[each])),
      ),
    ),
    h("div", { class: "token-bar", role: "group", "aria-label": t().bar, "data-testid": "token-bar" }, pieces),
    h("p", { class: "small soft", "data-testid": "compose-left" }, leftOut(made)),
    h(
      "ol",
      { class: "used" },
      made.used.map((each) =>
        h(
          "li",
          null,
          h("a", { href: href(each.id) }, says(each.id)),
          h("span", { class: `key small ${level(each.level)}` }, t()[level(each.level)]),
          h("span", { class: "small faint end" }, t().tokens(number(each.tokens))),
        ),
      ),
    ),
    h("div", { class: "row spread" }, h("h2", null, t().text), copying),
    text,
  ];
}

/** Three different reasons, each with its own number. */
export function leftOut({ left_out, repeated, ended }: Pick<Composed, "left_out" | "repeated" | "ended">): string {
  const noRoom = left_out - repeated;
  const reasons = [noRoom > 0 ? t().noRoom(noRoom) : null, repeated > 0 ? t().repeats(repeated) : null, ended > 0 ? t().ended(ended) : null];
  return reasons.filter(Boolean).join(" · ") || t().all;
}
