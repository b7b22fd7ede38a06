/** Why a memory was found: which lists had it, and what spoke for it; and which parts of the search ran. */

import type { Reasoned } from "../../api/reasons.ts";
import { h, type Child } from "../../dom.ts";
import { number, percent } from "../../i18n.ts";
import { t } from "./texts.ts";

const GROUPS = ["words", "vectors", "graph", "signals", "prior"] as const;
type Group = (typeof GROUPS)[number];
const COLOURS: Readonly<Record<Group, string>> = {
  words: "--accent",
  vectors: "--emotion-envy",
  graph: "--emotion-nostalgia",
  signals: "--emotion-anxiety",
  prior: "--zone-core",
};
/** Whatever is none of the lists and no standing of the memory itself is a signal in the texts. */
const groupOf = (part: string): Group => (part === "orbit" || part === "validity" ? "prior" : (GROUPS.find((each) => each === part) ?? "signals"));

/** `longest` is the longest bar of all hits, so that bars can be compared from hit to hit. */
export function why(hit: Reasoned, longest: number): Child {
  const named = hit.lists.map((each) => GROUPS.find((group) => group === each)).filter((each) => each !== undefined);
  if (!hit.parts) {
    return (
      named.length > 0 &&
      h(
        "p",
        { class: "why-lists", "data-testid": "why-lists" },
        h("span", { class: "small faint" }, t().foundBy),
        named.map((each) => h("span", { class: "chip", style: { "--colour": `var(${COLOURS[each]})` } }, t()[each])),
      )
    );
  }
  const sums = grouped(hit);
  const bars = GROUPS.filter((group) => sums.has(group)).map((group) => {
    const value = sums.get(group) ?? 0;
    const told = Object.entries(hit.parts ?? {})
      .filter(([part]) => groupOf(part) === group)
      .map(([part, each]) => `${part} ${number(each, 3)}`)
      .join(", ");
    return h(
      "li",
      { class: value < 0 ? "why-part against" : "why-part", title: told, "data-part": group },
      h("span", { class: "small" }, t()[group], named.some((each) => each === group) && h("span", { class: "found", "aria-label": t().foundBy }, "•")),
      h(
        "span",
        { class: "why-bar", "aria-hidden": "true" },
        h("span", { style: { "--colour": `var(${COLOURS[group]})`, width: `${(Math.abs(value) / longest) * 100}%` } }),
      ),
      h(
        "span",
        { class: "small faint end" },
        value < 0 ? `−${number(-value, 2)}` : number(value, 2),
        value < 0 && h("span", { class: "unseen" }, ` ${t().against}`),
      ),
    );
  });
  return h("ul", { class: "why", "aria-label": t().why, "data-testid": "why-parts" }, bars);
}

export function grouped(hit: Reasoned): ReadonlyMap<Group, number> {
  const sums = new Map<Group, number>();
  for (const [part, value] of Object.entries(hit.parts ?? {})) sums.set(groupOf(part), (sums.get(groupOf(part)) ?? 0) + value);
  return sums;
}

export const longestOf = (hits: readonly Reasoned[]): number => Math.max(1e-9, ...hits.flatMap((hit) => [...grouped(hit).values()].map(Math.abs)));

const STAGES = ["words", "vectors", "graph", "talk", "rerank", "floor"] as const;
const REASONS: Readonly<Record<string, "noEmbedder" | "otherModel" | "embedderFailed" | "otherLanguage" | "leftOut">> = {
  "there is no embedder": "noEmbedder",
  "the stored vectors are of another model": "otherModel",
  "the embedder failed": "embedderFailed",
  "the embedder does not speak this language": "otherLanguage",
  "the settings leave it out": "leftOut",
};

/** Each stage with how many memories it had a say about, or why it had none. */
export function stages(told: Readonly<Record<string, string>>): Child {
  const lines = Object.entries(told).map(([name, outcome]) => {
    const known = STAGES.find((each) => each === name);
    const count = /^(\d+) memories$/.exec(outcome)?.[1];
    const reason = REASONS[outcome];
    return h(
      "li",
      { class: count === undefined ? "stage skipped" : "stage", "data-stage": name },
      h("span", null, known ? t()[known] : name),
      h("span", { class: "faint" }, count === undefined ? `${t().skipped}: ${reason ? t()[reason] : outcome}` : t().memories(number(Number(count)))),
    );
  });
  return lines.length > 0 && h("div", { class: "stages" }, h("h2", { class: "small faint" }, t().stages), h("ol", { "data-testid": "ask-stages" }, lines));
}

export const share = (relevance: number): string => t().fits(percent(Math.min(1, Math.max(0, relevance))));
