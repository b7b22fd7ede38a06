/** One entry of the ledger: in a few words, and opened with all it says. */

import type { LedgerEvent, Memory } from "../../api/index.ts";
import { ApiError, explained, isAbort } from "../../api/index.ts";
import { fill, h, type Child } from "../../dom.ts";
import { dateTime, number, texts } from "../../i18n.ts";
import { button, dialog, linkButton, memoryCard, word, ZONES } from "../../ui/index.ts";
import { withCode } from "../../ui/code.ts";
import { copyButton } from "../../ui/copy.ts";
import { changedWords, eventWord, isUndoable } from "../../ui/event-words.ts";
import type { Context } from "../../view.ts";

const t = texts({
  en: {
    entry: (value: string) => `Entry ${value}`,
    undo: "Take back",
    undone: "Taken back.",
    gone: "This memory is gone for good; this entry is what remains.",
    notOne: "This entry is about no single memory.",
    detail: "What it says",
    nothing: "Nothing but that it happened.",
    openMemory: "Open the memory",
    copyId: "Copy its id",
    version: (value: string) => `version ${value}`,
    of: (value: string) => `of entry ${value}`,
    stars: (value: string) => `${value} of 5`,
    redacted: (value: string) => `secrets redacted: ${value}`,
    refusedUndo: "It could not be taken back:",
  },
  ko: {
    entry: (value: string) => `${value}번 기록`,
    undo: "되돌리기",
    undone: "되돌렸습니다.",
    gone: "완전히 사라진 기억입니다. 남은 것은 이 기록뿐입니다.",
    notOne: "한 기억에 대한 기록이 아닙니다.",
    detail: "기록된 내용",
    nothing: "있었다는 사실만 남아 있습니다.",
    openMemory: "기억 열기",
    copyId: "아이디 복사",
    version: (value: string) => `버전 ${value}`,
    of: (value: string) => `${value}번 기록`,
    stars: (value: string) => `5점 만점에 ${value}점`,
    redacted: (value: string) => `가린 비밀: ${value}`,
    refusedUndo: "되돌릴 수 없습니다.",
  },
});

/** What is worth a glance. */
export function brief({ type, detail }: LedgerEvent): string {
  const told: string[] = [];
  if (typeof detail.zone === "number" && ZONES[detail.zone]) told.push(word("zone", ZONES[detail.zone] as string));
  if (typeof detail.reason === "string") told.push(word("reason", detail.reason));
  if (typeof detail.tier === "string") told.push(word("tier", detail.tier));
  if (Array.isArray(detail.fields)) told.push(changedWords(detail.fields));
  if (typeof detail.rating === "number") told.push(t().stars(number(detail.rating)));
  if (typeof detail.version === "number") told.push(t().version(number(detail.version)));
  if (typeof detail.of === "number") told.push(t().of(number(detail.of)));
  if (typeof detail.was === "string" && type === "undone") told.push(eventWord(detail.was));
  if (Array.isArray(detail.redacted) && detail.redacted.length) told.push(t().redacted(number(detail.redacted.length)));
  return told.join(" · ");
}

export function openEntry(event: LedgerEvent, context: Context, signal: AbortSignal, changed: () => Promise<void>): void {
  const about = h("div", { "data-testid": "entry-memory" });
  const refusal = h("p", { class: "bad", role: "alert" });
  const json = JSON.stringify(event.detail, null, 2);
  const undo = button({ label: t().undo, icon: "undo", kind: "primary", onclick: () => takeBack() });
  undo.dataset.testid = "entry-undo";
  undo.hidden = true;
  const opened = dialog({
    title: `${eventWord(event.type)} · ${t().entry(number(event.number))}`,
    wide: true,
    signal,
    body: h(
      "div",
      { class: "insight stack", "data-testid": "entry" },
      h("p", { class: "soft" }, h("time", { datetime: event.at }, dateTime(event.at)), ` · ${event.type}`),
      about,
      h("h3", null, t().detail),
      json === "{}"
        ? h("p", { class: "faint" }, t().nothing)
        : [
            h("pre", { class: "detail", tabindex: 0 }, json),
            h(
              "div",
              null,
              copyButton(() => json),
            ),
          ],
      refusal,
    ),
    actions: [undo],
  });
  /** The newest entry of the memory is the one that took it back: it can be taken back in turn. */
  const again = async (): Promise<void> => {
    const { events } = await context.api.call("memory_history", { id: event.memory_id, limit: 5 });
    const taken = events.find(({ type, detail }) => type === "undone" && detail.of === event.number);
    if (taken) await context.api.call("undo", { event: taken.number });
    await changed();
  };
  const takeBack = async (): Promise<void> => {
    try {
      await context.api.call("undo", { event: event.number }, { signal });
      opened.close();
      context.toast(t().undone, { kind: "good", undo: again });
      await changed();
    } catch (error) {
      if (!isAbort(error)) fill(refusal, t().refusedUndo, " ", withCode(explained(error)));
    }
  };
  const tell = async (id: string): Promise<void> => {
    try {
      const memory = await context.api.call("memory_get", { id }, { signal });
      fill(about, memoryShown(memory, opened.close));
      undo.hidden = !isUndoable(event) || !context.session.scopes.includes("write");
    } catch (error) {
      if (isAbort(error)) return;
      fill(about, h("p", { class: "soft" }, error instanceof ApiError && error.status === 404 ? t().gone : explained(error)));
    }
  };
  if (event.memory_id === null) fill(about, h("p", { class: "faint" }, t().notOne));
  else void tell(event.memory_id);
}

const memoryShown = (memory: Memory, close: () => void): Child => {
  const open = linkButton({ label: t().openMemory, small: true, href: `#/memory/${encodeURIComponent(memory.id)}` });
  open.addEventListener("click", close);
  return h(
    "div",
    { class: "stack" },
    memoryCard(memory, { href: null }),
    h(
      "div",
      { class: "row" },
      open,
      copyButton(() => memory.id, { label: t().copyId }),
    ),
  );
};
