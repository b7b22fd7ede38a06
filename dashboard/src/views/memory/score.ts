/** Why it is where it is: four parts that pull it inward or push it out, and where their sum lies among the zones. */

import type { ZoneBounds } from "../../api/operations.ts";
import type { Weighed } from "../../api/reasons.ts";
import { h, type Child } from "../../dom.ts";
import { number, texts } from "../../i18n.ts";
import { word } from "../../ui/index.ts";

const t = texts({
  en: {
    title: "Why it is here",
    about: "What pulls it towards the sun, and what pushes it out.",
    recall: "Recall",
    recallWhy: "how often it was recalled",
    freshness: "Freshness",
    freshnessWhy: "how long it has been idle; never above zero",
    importance: "Importance",
    importanceWhy: "what it was judged to be worth",
    context: "Context",
    contextWhy: "how well it suited the last question; holds for half an hour",
    total: "Score",
    times: (weight: string, part: string) => `${weight} × ${part}`,
    scale: (score: string, zone: string) => `A score of ${score} belongs to the zone ${zone}.`,
    waits: (zone: string) => `It waits in ${zone}: the places further in are taken by memories that score higher.`,
  },
  ko: {
    title: "여기에 있는 이유",
    about: "태양 쪽으로 당기는 힘과 바깥으로 미는 힘입니다.",
    recall: "회상",
    recallWhy: "얼마나 자주 떠올렸는지",
    freshness: "신선도",
    freshnessWhy: "얼마나 오래 쓰이지 않았는지. 0보다 커지지 않습니다",
    importance: "중요도",
    importanceWhy: "얼마나 중요하다고 판단했는지",
    context: "맥락",
    contextWhy: "마지막 질문에 얼마나 맞았는지. 30분 동안 유지됩니다",
    total: "점수",
    times: (weight: string, part: string) => `${weight} × ${part}`,
    scale: (score: string, zone: string) => `${zone} 궤도에 해당하는 점수입니다(${score}).`,
    waits: (zone: string) => `${zone}에서 기다리는 중입니다. 더 안쪽 자리는 점수가 더 높은 기억이 차지하고 있습니다.`,
  },
});

const PARTS = ["recall", "freshness", "importance", "context"] as const;
const LETTERS = { recall: "R", freshness: "F", importance: "A", context: "C" } as const;

const signed = (value: number): string => {
  const shown = number(Math.abs(value), 3);
  return shown === "0" ? shown : `${value > 0 ? "+" : "−"}${shown}`;
};

export function scoreSection(outlook: Weighed, zones: readonly ZoneBounds[], zone: string): Child {
  const { breakdown, weights } = outlook;
  const values = PARTS.map((name) => ({ name, part: breakdown[name], weight: weights?.[name] ?? null }));
  const longest = weights ? Math.max(...PARTS.map((name) => weights[name])) : 1;
  const rows = values.map(({ name, part, weight }) => {
    const counts = weight === null ? part : weight * part;
    const share = Math.min(1, Math.abs(counts) / longest) * 50;
    return h(
      "div",
      { class: "part", role: "listitem", "data-testid": `part-${name}` },
      h(
        "span",
        { class: "part-name", title: t()[`${name}Why`] },
        h("b", { "aria-hidden": "true" }, LETTERS[name]),
        t()[name],
        h("span", { class: "unseen" }, `, ${t()[`${name}Why`]}`),
      ),
      h(
        "span",
        { class: "part-bar", "aria-hidden": "true" },
        h("span", {
          class: counts < 0 ? "out" : "in",
          style: {
            left: `${counts < 0 ? 50 - share : 50}%`,
            width: `${share}%`,
          },
        }),
      ),
      h(
        "span",
        { class: "part-value" },
        signed(counts),
        weight !== null && h("small", { class: "faint" }, t().times(number(weight, 2), signed(part).replace("+", ""))),
      ),
    );
  });
  const belongs = zones.find((each) => each.lower === null || breakdown.score >= each.lower - 1e-9)?.name ?? zone;
  return [
    h("h2", null, t().title),
    h("p", { class: "small soft" }, t().about),
    h("div", { class: "parts", role: "list" }, rows),
    h(
      "div",
      { class: "part total" },
      h("span", { class: "part-name" }, t().total),
      scale(breakdown.score, zones),
      h("span", { class: "part-value" }, signed(breakdown.score)),
    ),
    h(
      "p",
      { class: "small soft" },
      t().scale(signed(breakdown.score), word("zone", belongs)),
      belongs !== zone && zone !== "none" ? ` ${t().waits(word("zone", zone))}` : null,
    ),
  ];
}

const LOWEST = -0.3;
const HIGHEST = 0.8;
const along = (score: number): number => ((Math.min(HIGHEST, Math.max(LOWEST, score)) - LOWEST) / (HIGHEST - LOWEST)) * 100;

/** The zones side by side, from the cloud to the sun, and a mark where the memory stands. */
function scale(score: number, zones: readonly ZoneBounds[]): HTMLElement {
  const outward = [...zones].reverse();
  const bands = outward.map((zone, at) => {
    const from = along(zone.lower ?? LOWEST);
    const to = along(outward[at + 1]?.lower ?? HIGHEST);
    return h("span", {
      class: "band",
      title: word("zone", zone.name),
      style: {
        "--colour": `var(--zone-${zone.name})`,
        left: `${from}%`,
        width: `${to - from}%`,
      },
    });
  });
  return h("span", { class: "scale", "aria-hidden": "true" }, bands, h("span", { class: "here", style: { left: `${along(score)}%` } }));
}
