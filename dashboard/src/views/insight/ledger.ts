/** The ledger: every entry, found by kind or by memory, opened, taken back; and whether the chain is whole. */

import type { LedgerEvent } from "../../api/index.ts";
import { isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { dateTime, number, texts } from "../../i18n.ts";
import { button, errorPanel, input, select, skeleton, table } from "../../ui/index.ts";
import { cards } from "../../ui/cards.ts";
import { EVENT_TYPES, eventWord } from "../../ui/event-words.ts";
import type { Context } from "../../view.ts";
import { chain } from "./chain.ts";
import { brief, openEntry } from "./entry.ts";

const t = texts({
  en: {
    title: "Entries",
    about: "Every change, newest first, as ids and numbers. Entries are never edited; taking one back adds another.",
    kind: "Kind of entry",
    every: "Every kind",
    id: "Memory id",
    number: "No.",
    when: "When",
    what: "What",
    memory: "Memory",
    more: "Show older",
    none: "Nothing was recorded yet.",
    noneLike: "No entry like this among those looked through.",
    fresh: (count: string) => `${count} new entries: show them`,
    oneFresh: "One new entry: show it",
    looked: (count: string) => `${count} entries were looked through; older ones are further back.`,
  },
  ko: {
    title: "기록",
    about: "모든 변화를 새것부터, 아이디와 숫자로만 남깁니다. 기록은 고쳐지지 않으며, 되돌리면 기록이 하나 더 생깁니다.",
    kind: "기록의 종류",
    every: "모든 종류",
    id: "기억 아이디",
    number: "번호",
    when: "때",
    what: "있었던 일",
    memory: "기억",
    more: "이전 기록 보기",
    none: "아직 기록이 없습니다.",
    noneLike: "살펴본 기록 가운데에는 없습니다.",
    fresh: (count: string) => `새 기록 ${count}개 보기`,
    oneFresh: "새 기록 1개 보기",
    looked: (count: string) => `기록 ${count}개를 살펴보았습니다. 더 오래된 기록이 남아 있습니다.`,
  },
});

const PAGE = 50;
/** With a filter, many entries are looked through for a page of those that fit. */
const WIDE_PAGE = 500;
const PAGES_AT_ONCE = 6;
const TYPING = 350;

/** Enough of an id to tell it from others; one that was given by hand is short already. */
const short = (id: string): string => (id.length > 16 ? id.slice(0, 8) : id);

export function ledger(context: Context, signal: AbortSignal): HTMLElement {
  const { api, live } = context;
  let kind = "";
  let id = "";
  let shown: LedgerEvent[] = [];
  let cursor: string | null = null;
  let looked = 0;
  let fresh = 0;
  let turn = 0;
  let typing = 0;

  const rows = h("div", { "data-testid": "ledger-entries" }, skeleton());
  const foot = h("div", { class: "row" });
  const news = h("div", { "aria-live": "polite" });
  const kinds = select({
    options: [["", t().every], ...EVENT_TYPES.map((type) => [type, eventWord(type)] as const)],
    onchange: (next: string) => {
      kind = next;
      void restart();
    },
  });
  const ids = input({
    type: "search",
    placeholder: t().id,
    spellcheck: "false",
    autocomplete: "off",
    oninput: () => {
      window.clearTimeout(typing);
      typing = window.setTimeout(() => {
        id = ids.value.trim();
        void restart();
      }, TYPING);
    },
  });
  kinds.setAttribute("aria-label", t().kind);
  ids.setAttribute("aria-label", t().id);
  kinds.dataset.testid = "ledger-kind";
  ids.dataset.testid = "ledger-id";

  const restart = async (): Promise<void> => {
    [shown, cursor, looked, fresh] = [[], null, 0, 0];
    fill(news);
    await gather();
  };
  /** Reads on until a page of fitting entries is there, or enough was looked through for one press. */
  const gather = async (): Promise<void> => {
    const mine = (turn += 1);
    const enough = shown.length + PAGE;
    try {
      for (let page = 0; page < PAGES_AT_ONCE && shown.length < enough; page += 1) {
        const found = await api.call("memory_history", { limit: kind ? WIDE_PAGE : PAGE, cursor, id: id || null }, { signal });
        if (mine !== turn) return;
        looked += found.events.length;
        shown = [...shown, ...found.events.filter(({ type }) => !kind || type === kind)];
        cursor = found.next;
        if (cursor === null) break;
      }
      draw();
    } catch (error) {
      if (!isAbort(error) && !signal.aborted && mine === turn)
        fill(
          rows,
          errorPanel(error, () => void restart()),
        );
    }
  };
  const draw = (): void => {
    const at = rows.querySelector<HTMLElement>("tbody tr:focus")?.dataset.number;
    const made = shown.length ? entries() : h("p", { class: "soft" }, kind || id ? t().noneLike : t().none);
    fill(rows, made);
    if (at) rows.querySelector<HTMLElement>(`tr[data-number="${at}"]`)?.focus({ preventScroll: true });
    const older = button({ label: t().more, kind: "quiet", small: true, onclick: gather });
    older.dataset.testid = "ledger-more";
    fill(foot, cursor === null ? null : older, kind && cursor !== null ? h("span", { class: "small faint" }, t().looked(number(looked))) : null);
  };
  const entries = (): HTMLElement => {
    const made = cards(
      table({
        label: t().title,
        rows: shown,
        onopen: (event) => openEntry(event, context, signal, restart),
        columns: [
          { title: t().number, end: true, cell: (event) => h("span", { class: "faint" }, number(event.number)) },
          { title: t().when, cell: ({ at }) => h("time", { class: "small soft nowrap", datetime: at }, dateTime(at)) },
          {
            title: t().what,
            cell: (event) => [h("span", { class: "event-kind" }, eventWord(event.type)), " ", h("span", { class: "small soft" }, brief(event))],
          },
          {
            title: t().memory,
            cell: ({ memory_id }) =>
              memory_id === null
                ? null
                : h(
                    "a",
                    { class: "id small", href: `#/memory/${encodeURIComponent(memory_id)}`, title: memory_id, onclick: (event) => event.stopPropagation() },
                    short(memory_id),
                  ),
          },
        ],
      }),
    );
    made.querySelectorAll<HTMLElement>("tbody tr").forEach((row, place) => (row.dataset.number = String(shown[place]?.number ?? "")));
    return made;
  };
  live.onChanges(
    (changes) => {
      fresh += changes.filter(({ type }) => !kind || type === kind).length;
      if (!fresh) return;
      const show = button({ label: fresh === 1 ? t().oneFresh : t().fresh(number(fresh)), small: true, onclick: restart });
      show.dataset.testid = "ledger-fresh";
      fill(news, show);
    },
    signal,
    1000,
  );
  signal.addEventListener("abort", () => window.clearTimeout(typing), { once: true });
  void restart();
  return h(
    "div",
    { class: "stack", "data-testid": "insight-ledger" },
    chain(context, signal),
    h(
      "section",
      { class: "panel stack" },
      h("div", null, h("h2", null, t().title), h("p", { class: "small soft" }, t().about)),
      h("div", { class: "row ledger-filters" }, kinds, ids),
      news,
      rows,
      foot,
    ),
  );
}
