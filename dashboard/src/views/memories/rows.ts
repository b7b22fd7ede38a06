/** The table itself: sortable heads, a box for each row, and the columns that were chosen. */

import type { Memory } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { fromNow, number, percent } from "../../i18n.ts";
import { attributeWord, sourceWord } from "../../ui/attribute-words.ts";
import { cards } from "../../ui/cards.ts";
import { endsAt } from "../../ui/ends.ts";
import { emotionChip, relativeTime, tierMark, word, zoneMark } from "../../ui/index.ts";
import type { Selection } from "../../ui/selection.ts";
import type { ColumnName, Sort, TableState } from "./state.ts";
import { t } from "./texts.ts";

interface Column {
  readonly title: () => string;
  readonly cell: (memory: Memory) => Child;
  readonly sort?: Sort;
  readonly end?: boolean;
}

const none = (): Child => null;

export const COLUMN: Readonly<Record<ColumnName, Column>> = {
  attribute: { title: () => t().field_attribute, cell: ({ attribute }) => (attribute ? h("span", { class: "small" }, attributeWord(attribute)) : none()) },
  zone: { title: () => t().field_zone, cell: ({ zone }) => zoneMark(zone), sort: "score" },
  tier: { title: () => t().field_tier, cell: ({ tier }) => tierMark(tier) },
  emotion: { title: () => t().field_emotion, cell: ({ emotions }) => emotions.map((each) => emotionChip(each)) },
  importance: { title: () => t().importance, cell: ({ importance }) => percent(importance), sort: "importance", end: true },
  recalls: { title: () => t().recalls, cell: ({ recall_count }) => number(recall_count), sort: "recalls", end: true },
  created: { title: () => t().created, cell: ({ created_at }) => relativeTime(created_at), sort: "created" },
  recalled: { title: () => t().recalled, cell: (one) => (one.recall_count || one.mention_count ? relativeTime(one.last_recalled_at) : "–"), sort: "recalled" },
  leaving: {
    title: () => t().leaving,
    cell: (memory) => h("span", { class: "small faint" }, endsAt(memory) ? fromNow(endsAt(memory) ?? "") : t().never),
    sort: "leaving",
  },
  source: { title: () => t().field_source, cell: ({ source }) => h("span", { class: "small" }, sourceWord(source)) },
  session_id: { title: () => t().field_session_id, cell: ({ session_id }) => h("span", { class: "small faint" }, session_id) },
  tag: { title: () => t().field_tag, cell: ({ tags }) => tags.map((each) => h("span", { class: "mark table-tag" }, each)) },
};

export interface Doing {
  readonly sort: (sort: Sort) => void;
  readonly open: (id: string) => void;
}

/** As the table stands when a box is pressed: a row that looks the same stays while others come and go. */
const orderAround = (box: Element): string[] =>
  [...(box.closest("table")?.querySelectorAll<HTMLElement>("tr[data-id]") ?? [])].map(({ dataset }) => dataset.id ?? "");

export function rows(memories: readonly Memory[], state: TableState, selection: Selection, doing: Doing): HTMLElement {
  const columns = state.columns.map((name) => COLUMN[name]);
  const head = (title: string, sort: Sort | undefined, end = false): HTMLElement => {
    const now = sort === state.sort ? (state.descending ? "descending" : "ascending") : "none";
    return h(
      "th",
      { scope: "col", class: end ? "end" : undefined, "aria-sort": sort ? now : null, "data-title": title },
      sort
        ? h(
            "button",
            {
              type: "button",
              class: "sort",
              title: t().sortBy(title),
              "data-testid": `sort-${sort}`,
              "data-focus": `sort-${sort}`,
              onclick: () => doing.sort(sort),
            },
            title,
            h("span", { class: "sort-mark", "aria-hidden": "true" }, now === "none" ? "" : state.descending ? "↓" : "↑"),
          )
        : title,
    );
  };
  const every = h("input", {
    type: "checkbox",
    "aria-label": t().selectAll,
    "data-testid": "select-all",
    "data-focus": "select-all",
    onchange: () => selection.all(orderAround(every), every.checked),
  });
  const drawn = memories.map((memory) => {
    const box = h("input", {
      type: "checkbox",
      "aria-label": t().select(memory.content.slice(0, 60)),
      "data-testid": "row-select",
      "data-focus": `box-${memory.id}`,
      onclick: (event) => {
        event.stopPropagation();
        selection.set(memory.id, box.checked, orderAround(box), event.shiftKey);
      },
    });
    const marks = [
      memory.protection === "none" ? null : h("span", { class: "mark" }, word("protection", memory.protection)),
      memory.state === "active" ? null : h("span", { class: "mark" }, word("state", memory.state)),
      memory.valid_until ? h("span", { class: "mark" }, t().wasReplaced) : null,
    ].filter((each) => each !== null);
    return h(
      "tr",
      { class: memory.id === state.open ? "opened" : "", "data-id": memory.id, "data-testid": "memory-row" },
      h("td", { class: "row-box" }, box),
      h(
        "td",
        { class: "row-text" },
        h(
          "div",
          { class: "row-words" },
          h(
            "a",
            {
              href: `#/memory/${encodeURIComponent(memory.id)}`,
              class: memory.valid_until ? "row-link ended" : "row-link",
              "data-focus": `row-${memory.id}`,
              onclick: (event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
                event.preventDefault();
                doing.open(memory.id);
              },
            },
            memory.content,
          ),
          marks.length ? h("div", { class: "row" }, marks) : null,
        ),
      ),
      columns.map((column) => h("td", { class: column.end ? "end" : undefined }, column.cell(memory))),
    );
  });
  const body = h(
    "tbody",
    {
      onkeydown: (event) => {
        const links = [...body.querySelectorAll<HTMLElement>(".row-link")];
        const at = links.indexOf(document.activeElement as HTMLElement);
        const next = { ArrowUp: at - 1, ArrowDown: at + 1 }[event.key];
        if (at < 0 || next === undefined) return;
        event.preventDefault();
        links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
      },
    },
    drawn,
  );
  return cards(
    h(
      "div",
      { class: "table-room memories-table", role: "region", "aria-label": t().table, tabindex: 0, "data-testid": "memories-table" },
      h(
        "table",
        { class: "table" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", { scope: "col", class: "row-box" }, every),
            head(t().text, "text"),
            columns.map((column) => head(column.title(), column.sort, column.end)),
          ),
        ),
        body,
      ),
    ),
  );
}
