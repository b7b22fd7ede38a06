/** A memory, wherever one is shown: its card, and the marks of zone, lifetime and emotion. */

import type { Memory } from "../api/index.ts";
import { h, type Child } from "../dom.ts";
import { dateTime, fromNow, moment, percent, texts, type Moment } from "../i18n.ts";
import { word } from "./words.ts";

const t = texts({
  en: { recalled: (times: number) => (times === 1 ? "recalled once" : `recalled ${times} times`), fits: "fits", lifetime: "Lifetime", zone: "Zone" },
  ko: { recalled: (times: number) => `${times}번 떠올림`, fits: "맞는 정도", lifetime: "수명", zone: "궤도" },
});

const REFRESH = 60_000;

/** "3 days ago", kept up to date; the exact moment on hover. */
export function relativeTime(at: Moment): HTMLTimeElement {
  return h("time", { class: "faint small", datetime: moment(at).toISOString(), title: dateTime(at), "data-relative": true }, fromNow(at));
}

/** Once for the page: what was "just now" does not stay so. */
export function keepTimesFresh(): void {
  window.setInterval(() => {
    for (const each of document.querySelectorAll<HTMLTimeElement>("time[data-relative]")) {
      const told = fromNow(each.dateTime);
      if (each.textContent !== told) each.textContent = told;
    }
  }, REFRESH);
}

const coloured = (token: string): Record<string, string> => ({ "--colour": `var(--${token})` });

export const tierMark = (tier: string): HTMLElement =>
  h("span", { class: "mark tier", style: coloured(`tier-${tier}`), title: `${t().lifetime}: ${tier}` }, word("tier", tier));

export const zoneMark = (zone: string): HTMLElement =>
  h("span", { class: "mark zone", style: coloured(`zone-${zone}`), title: `${t().zone}: ${word("sky", zone)}` }, word("zone", zone));

export function emotionChip(name: string, intensity?: number): HTMLElement {
  const second: Record<string, string> = name === "nostalgia" ? { "--second": "var(--emotion-nostalgia-second)" } : {};
  return h(
    "span",
    { class: "chip", style: { ...coloured(`emotion-${name}`), ...second } },
    word("emotion", name),
    intensity === undefined ? null : ` ${percent(intensity)}`,
  );
}

export interface MemoryCardOptions {
  /** Where it leads; `null` for nowhere, its own page unless given. */
  readonly href?: string | null;
  /** How well it suits what was asked, 0 to 1. */
  readonly relevance?: number;
  readonly actions?: Child;
  /** In place of its text, such as the same with words marked. */
  readonly words?: Child;
  /** In place of when it was recalled, such as the time it has left. */
  readonly when?: Child;
}

export function memoryCard(memory: Memory, options: MemoryCardOptions = {}): HTMLElement {
  const href = options.href === undefined ? `#/memory/${encodeURIComponent(memory.id)}` : options.href;
  const words = h(
    "p",
    { class: "memory-text" },
    href === null ? (options.words ?? memory.content) : h("a", { class: "memory-link", href }, options.words ?? memory.content),
  );
  const guarded = memory.protection === "none" ? null : h("span", { class: "mark" }, word("protection", memory.protection));
  const facts = h(
    "div",
    { class: "memory-facts" },
    zoneMark(memory.zone),
    tierMark(memory.tier),
    guarded,
    memory.emotions.map((each) => emotionChip(each)),
    options.relevance === undefined ? null : h("span", { class: "mark" }, `${t().fits} ${percent(options.relevance)}`),
    memory.recall_count ? h("span", { class: "mark" }, t().recalled(memory.recall_count)) : null,
    options.when ?? relativeTime(memory.created_at),
  );
  return h(
    "article",
    { class: memory.state === "faded" ? "memory faded" : "memory" },
    words,
    h("div", { class: "memory-foot" }, facts, options.actions ? h("div", { class: "memory-actions" }, options.actions) : null),
  );
}
