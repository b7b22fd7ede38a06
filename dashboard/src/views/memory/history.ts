/** What happened to it, from the ledger, newest first; the newest change can be taken back. */

import { explained, isAbort } from "../../api/index.ts";
import type { LedgerEvent, ZoneBounds } from "../../api/operations.ts";
import { h, type Child } from "../../dom.ts";
import { date, number, texts } from "../../i18n.ts";
import { button, relativeTime, word } from "../../ui/index.ts";
import { changedWords, eventWord, isUndoable } from "../../ui/event-words.ts";
import { isProtected, takeBack, type Page } from "./page.ts";

const t = texts({
  en: {
    title: "History",
    about: "Every change, as the ledger recorded it. Nothing here can be edited.",
    none: "Nothing is recorded yet.",
    undo: "Undo",
    more: "Show older",
    undoOf: (event: string) => `Undo: ${event}`,
    to: (zone: string) => `to ${zone}`,
    tier: (tier: string) => `to: ${tier}`,
    why: (reason: string) => `because: ${reason}`,
    stars: (stars: number) => `${stars} of 5`,
    was: (event: string) => `what was taken back: ${event}`,
    until: (when: string) => `held until ${when}`,
    fit: (share: string) => `suited the question by ${share}`,
    redacted: (count: number) => (count === 1 ? "1 secret was redacted" : `${count} secrets were redacted`),
    number: (value: string) => `Entry ${value}`,
  },
  ko: {
    title: "이력",
    about: "원장에 남은 모든 변화입니다. 이 기록은 고칠 수 없습니다.",
    none: "아직 기록이 없습니다.",
    undo: "되돌리기",
    more: "이전 기록 보기",
    undoOf: (event: string) => `되돌리기: ${event}`,
    to: (zone: string) => `${zone} 궤도로`,
    tier: (tier: string) => `수명 ${tier}`,
    why: (reason: string) => `이유: ${reason}`,
    stars: (stars: number) => `5점 만점에 ${stars}점`,
    was: (event: string) => `되돌린 일: ${event}`,
    until: (when: string) => `${when}까지 맞던 내용`,
    fit: (share: string) => `질문과 맞은 정도 ${share}`,
    redacted: (count: number) => `비밀 ${count}개를 가림`,
    number: (value: string) => `${value}번 기록`,
  },
});

/** The newest change that still stands, and the newest undoing if nothing came after it. */
export function undoable(events: readonly LedgerEvent[]): ReadonlySet<number> {
  const standing = new Map<number, LedgerEvent>();
  const told = events.filter(isUndoable);
  for (const event of [...told].reverse()) {
    const of = event.type === "undone" ? Number(event.detail.of) : Number.NaN;
    if (!standing.delete(of)) standing.set(event.number, event);
  }
  const last = [...standing.keys()].at(-1);
  const newest = told[0]?.type === "undone" ? told[0].number : undefined;
  return new Set([last, newest].filter((each) => each !== undefined));
}

export function historySection(page: Page, events: readonly LedgerEvent[], zones: readonly ZoneBounds[], older: (() => Promise<void>) | null): Child {
  return [
    h("h2", null, t().title),
    h("p", { class: "small soft" }, t().about),
    record(events, zones, page),
    older && button({ label: t().more, kind: "quiet", small: true, onclick: older }),
  ];
}

/** The entries alone; with a page, those that can be taken back have a button. */
export function record(events: readonly LedgerEvent[], zones: readonly ZoneBounds[] = [], page?: Page): Child {
  if (!events.length) return h("p", { class: "soft" }, t().none);
  const open = page && !isProtected(page.memory()) ? undoable(events) : new Set<number>();
  return h(
    "ol",
    { class: "record", "data-testid": "memory-history" },
    events.map((event) => {
      const name = eventWord(event.type);
      const undo =
        page && open.has(event.number) ? button({ label: t().undo, icon: "undo", small: true, onclick: () => takingBack(page, event.number) }) : null;
      undo?.setAttribute("aria-label", t().undoOf(name));
      if (undo) undo.dataset.testid = `undo-${event.number}`;
      return h(
        "li",
        { class: isUndoable(event) ? "event" : "event quiet", "data-type": event.type },
        h(
          "div",
          null,
          h("span", { class: "event-name", title: t().number(number(event.number)) }, name),
          " ",
          h("span", { class: "small soft" }, detail(event, zones)),
        ),
        h("div", { class: "row" }, relativeTime(event.at), undo),
      );
    }),
  );
}

async function takingBack(page: Page, event: number): Promise<void> {
  try {
    await takeBack(page, event);
  } catch (error) {
    if (!isAbort(error)) page.context.toast(explained(error), { kind: "bad" });
  }
}

/** What is worth telling of an entry, in words. */
function detail({ type, detail: told }: LedgerEvent, zones: readonly ZoneBounds[]): string {
  const parts: string[] = [];
  const zone = typeof told.zone === "number" ? zones[told.zone]?.name : undefined;
  if (zone && (type === "moved" || type === "stored" || type === "recalled")) parts.push(t().to(word("zone", zone)));
  if (typeof told.context === "number" && told.context > 0) parts.push(t().fit(`${number(told.context * 100)}%`));
  if (typeof told.reason === "string") parts.push(t().why(word("reason", told.reason)));
  if (Array.isArray(told.fields)) parts.push(changedWords(told.fields));
  if (typeof told.rating === "number") parts.push(t().stars(told.rating));
  if (type === "promoted" && typeof told.tier === "string") parts.push(t().tier(word("tier", told.tier)));
  if (typeof told.was === "string") parts.push(t().was(eventWord(told.was)));
  if (type === "superseded" && typeof told.until === "number") parts.push(t().until(date(told.until)));
  if (Array.isArray(told.redacted) && told.redacted.length) parts.push(t().redacted(told.redacted.length));
  return parts.join(" · ");
}
