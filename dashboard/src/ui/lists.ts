/** Tabs, lists and tables: one stop for Tab each, arrows inside. */

import { fill, freshId, h, type Child } from "../dom.ts";

export interface Tab {
  readonly id: string;
  readonly label: string;
  /** Called when it is shown. */
  readonly panel: () => Child;
}

export function tabs(options: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected?: string;
  readonly onselect?: (id: string) => void;
}): HTMLElement {
  const name = freshId("tabs");
  const panel = h("div", { role: "tabpanel", id: `${name}-panel`, tabindex: 0 });
  const show = (id: string, focus: boolean): void => {
    for (const [at, tab] of options.tabs.entries()) {
      const stop = stops[at] as HTMLElement;
      stop.setAttribute("aria-selected", String(tab.id === id));
      stop.tabIndex = tab.id === id ? 0 : -1;
      if (tab.id !== id) continue;
      panel.setAttribute("aria-labelledby", stop.id);
      fill(panel, tab.panel());
      if (focus) stop.focus();
      // Narrow bars scroll: the chosen tab is brought into sight, once the bar has a width.
      requestAnimationFrame(() => {
        const [held, chosen] = [bar.getBoundingClientRect(), stop.getBoundingClientRect()];
        bar.scrollLeft += chosen.left - held.left - (held.width - chosen.width) / 2;
      });
    }
  };
  const choose = (id: string, focus = false): void => {
    show(id, focus);
    options.onselect?.(id);
  };
  const stops = options.tabs.map((tab) =>
    h("button", { type: "button", role: "tab", id: `${name}-${tab.id}`, "aria-controls": panel.id, onclick: () => choose(tab.id) }, tab.label),
  );
  const bar = h(
    "div",
    {
      class: "tabs",
      role: "tablist",
      "aria-label": options.label,
      onkeydown: (event) => {
        const next = moved(event, stops, ["ArrowLeft", "ArrowRight"]);
        if (next !== null) choose((options.tabs[next] as Tab).id, true);
      },
    },
    stops,
  );
  show(options.selected ?? options.tabs[0]?.id ?? "", false);
  return h("div", null, bar, panel);
}

/** Items one below the other; arrows, Home and End go from one item's link or button to the next. */
export function list<Item>(options: {
  readonly label: string;
  readonly items: readonly Item[];
  readonly render: (item: Item, at: number) => Child;
}): HTMLUListElement {
  const element = h(
    "ul",
    {
      class: "list",
      "aria-label": options.label,
      onkeydown: (event) => {
        const stops = [...element.children].map((item) => item.querySelector<HTMLElement>("a, button, [tabindex]"));
        const next = moved(event, stops, ["ArrowUp", "ArrowDown"]);
        if (next !== null) stops[next]?.focus();
      },
    },
    options.items.map((item, at) => h("li", null, options.render(item, at))),
  );
  return element;
}

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Child;
  /** Numbers stand at the end. */
  readonly end?: boolean;
}

/** A table; with `onopen` its rows can be pressed, and reached by arrows. */
export function table<Row>(options: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly onopen?: (row: Row) => void;
}): HTMLElement {
  const place = (column: Column<Row>): string | undefined => (column.end ? "end" : undefined);
  const rows = options.rows.map((row, at) =>
    h(
      "tr",
      options.onopen
        ? {
            tabindex: at === 0 ? 0 : -1,
            onclick: () => options.onopen?.(row),
            onkeydown: (event) => {
              if (event.key !== "Enter" || event.target !== event.currentTarget) return;
              event.preventDefault(); // else the same press would go on into what it opened
              options.onopen?.(row);
            },
          }
        : null,
      options.columns.map((column) => h("td", { class: place(column) }, column.cell(row))),
    ),
  );
  const body = h(
    "tbody",
    options.onopen
      ? {
          onkeydown: (event) => {
            const next = moved(event, rows, ["ArrowUp", "ArrowDown"]);
            if (next === null) return;
            rows.forEach((row, at) => (row.tabIndex = at === next ? 0 : -1));
            rows[next]?.focus();
          },
        }
      : null,
    rows,
  );
  const head = h(
    "thead",
    null,
    h(
      "tr",
      null,
      // A column of buttons has no title, and an empty header would be read out as one.
      options.columns.map((column) => (column.title ? h("th", { scope: "col", class: place(column) }, column.title) : h("td"))),
    ),
  );
  return h("div", { class: "table-room", role: "region", "aria-label": options.label, tabindex: 0 }, h("table", { class: "table" }, head, body));
}

/** Which of them an arrow, Home or End leads to from the one that has the focus; null for other keys. */
function moved(event: KeyboardEvent, stops: readonly (HTMLElement | null)[], [back, on]: readonly [string, string]): number | null {
  const now = stops.findIndex((stop) => stop?.contains(document.activeElement));
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  const next = { [back]: now - 1, [on]: now + 1, Home: 0, End: stops.length - 1 }[event.key];
  if (next === undefined || now < 0 || typing) return null;
  event.preventDefault();
  return Math.min(stops.length - 1, Math.max(0, next));
}
