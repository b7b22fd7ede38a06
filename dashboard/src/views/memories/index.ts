/** All memories in one table. */

import { ApiError, explained, isAbort, type Memory } from "../../api/index.ts";
import type { MemoryTable } from "../../api/operations.ts";
import { fill, h } from "../../dom.ts";
import { number } from "../../i18n.ts";
import { hashOf, placeOf } from "../../router.ts";
import { button, dialog, empty, field, input, linkButton, select, skeleton, TIERS, viewHead, word } from "../../ui/index.ts";
import { redraw, refill } from "../../ui/refill.ts";
import { saveFile } from "../../ui/save-file.ts";
import { Selection } from "../../ui/selection.ts";
import { settle } from "../../ui/settle.ts";
import type { Context, View } from "../../view.ts";
import * as bulk from "./bulk.ts";
import { allRows, csv, jsonLines } from "./export.ts";
import { filterBox } from "./filter-box.ts";
import { sidePanel } from "./panel.ts";
import { COLUMN, rows } from "./rows.ts";
import { addressOf, askOf, COLUMNS, PAGE, sortedBy, stateOf, withColumn, withFilter, type TableState } from "./state.ts";
import "./style.css";
import { t } from "./texts.ts";
import { stopButton } from "../../ui/unwanted.ts";
import { allSuggestions } from "./words.ts";

export const view: View = {
  title: { en: "Memories", ko: "모든 기억" },
  async mount(container, context) {
    fill(container, viewHead(t().title, t().about), skeleton(8));
    await new Board(container, context).start();
  },
};

const NOTHING: MemoryTable = { memories: [], total: 0, counts: {} };

class Board {
  readonly #container: HTMLElement;
  readonly #context: Context;
  readonly #room = h("div", { class: "memories-room" });
  readonly #pages = h("div");
  readonly #beside = h("div", { class: "memories-beside" });
  readonly #bar = h("div", { class: "memories-bar", role: "region", "aria-label": t().table, hidden: true });
  readonly #count = h("span", { class: "soft", role: "status", "data-testid": "memories-count" });
  readonly #unwanted = h("span");
  readonly #filters = filterBox((name, value) => this.#move(withFilter(this.#state, name, value)));
  readonly #selection = new Selection(() => this.#chosen());
  readonly #known = new Map<string, Memory>();
  #state: TableState = stateOf(placeOf(location.hash).query);
  #table = NOTHING;
  #asked = 0;

  constructor(container: HTMLElement, context: Context) {
    [this.#container, this.#context] = [container, context];
  }

  async start(): Promise<void> {
    await this.#load();
    fill(
      this.#container,
      viewHead(t().title, t().about, this.#tools()),
      h("div", { class: "memories-head" }, this.#filters.element, h("div", { class: "row" }, this.#unwanted, this.#count)),
      this.#bar,
      h("div", { class: "memories-split" }, h("div", { class: "memories-list" }, this.#room, this.#pages), this.#beside),
    );
    this.#draw();
    const { live, signal } = this.#context;
    live.onChanges(
      (changes) => {
        if (changes.some(({ type }) => type !== "recalled" && type !== "moved")) void this.#again();
      },
      signal,
      900,
    );
  }

  /** Another state: into the address, so that the way back leads here again. */
  #move(next: TableState): void {
    this.#state = next;
    history.pushState(null, "", hashOf(addressOf(next)));
    void this.#again();
  }

  async #load(): Promise<void> {
    const { api, signal } = this.#context;
    const turn = ++this.#asked;
    const table = await api.call("memory_table", { ...askOf(this.#state), counts: false }, { signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 422) return NOTHING; // an address that somebody made up
      throw error;
    });
    if (turn !== this.#asked) return;
    this.#table = table;
    for (const memory of table.memories) this.#known.set(memory.id, memory);
    void this.#suggest(turn);
  }

  /** What the filter box offers, in a request of its own: the rows need not wait until everything is counted. */
  async #suggest(turn: number): Promise<void> {
    const { api, signal } = this.#context;
    const { counts } = await api.call("memory_table", { ...askOf(this.#state), first: 0, limit: 1 }, { signal }).catch(() => NOTHING);
    if (turn === this.#asked) this.#filters.suggest(allSuggestions(counts, this.#state.filters));
  }

  async #again(): Promise<void> {
    this.#room.setAttribute("aria-busy", "true");
    try {
      await this.#load();
      this.#draw();
    } catch (error) {
      if (!isAbort(error)) this.#context.toast(explained(error), { kind: "bad" });
    } finally {
      this.#room.removeAttribute("aria-busy");
    }
  }

  #draw(): void {
    const { memories, total } = this.#table;
    this.#count.textContent = total === 1 ? t().one : t().count(number(total));
    this.#filters.set(this.#state);
    refill(this.#unwanted, stopButton(this.#context, this.#state.filters.attribute ?? null));
    if (total)
      this.#show(rows(memories, this.#state, this.#selection, { sort: (sort) => this.#move(sortedBy(this.#state, sort)), open: (id) => this.#open(id) }));
    else refill(this.#room, this.#none());
    refill(this.#pages, total ? this.#pager(total) : null);
    this.#chosen();
    void this.#drawPanel();
  }

  /** No rows: nobody has told anything yet, or the filters leave nothing. */
  #none(): HTMLElement {
    const { filters } = this.#state;
    const none = Object.keys(filters).length
      ? empty({
          icon: "memories",
          title: t().none,
          body: t().noneBody,
          action: button({ label: t().clear, onclick: () => this.#move({ ...this.#state, filters: {}, page: 1 }) }),
        })
      : empty({ icon: "memories", title: t().nothingYet, body: t().nothingYetBody, action: linkButton({ label: t().begin, href: "#/today" }) });
    none.dataset.testid = "memories-none";
    return none;
  }

  /** Rows that look as they did stay: whoever scrolls, touches or listens is not disturbed. */
  #show(table: HTMLElement): void {
    const parts = (of: HTMLElement): (HTMLElement | null)[] => ["thead", "tbody"].map((part) => of.querySelector<HTMLElement>(part));
    const [head, body] = parts(this.#room);
    const [newHead, newBody] = parts(table);
    if (!head || !body || !newHead || !newBody) return refill(this.#room, table);
    redraw(this.#room, () => {
      if (!head.isEqualNode(newHead)) head.replaceWith(newHead);
      settle(body, newBody);
    });
  }

  #pager(total: number): HTMLElement | null {
    const pages = Math.ceil(total / PAGE);
    if (pages < 2) return null;
    const { page } = this.#state;
    const to = (next: number, label: string, name: string): HTMLElement => {
      const made = button({ label, small: true, disabled: next < 1 || next > pages, onclick: () => this.#move({ ...this.#state, page: next, open: null }) });
      [made.dataset.testid, made.dataset.focus] = [name, name];
      return made;
    };
    return h(
      "div",
      { class: "row memories-pager" },
      to(page - 1, t().before, "page-before"),
      h("span", { class: "small soft" }, t().pageOf(number(page), number(pages))),
      to(page + 1, t().after, "page-after"),
    );
  }

  #open(id: string | null): void {
    const before = this.#state.open;
    this.#state = { ...this.#state, open: id };
    history.replaceState(null, "", hashOf(addressOf(this.#state)));
    for (const row of this.#room.querySelectorAll("tr[data-id]")) row.classList.toggle("opened", row.getAttribute("data-id") === id);
    void this.#drawPanel().then(() => {
      if (id) this.#beside.querySelector<HTMLElement>("aside")?.focus({ preventScroll: window.innerWidth >= 1100 });
      else if (before)
        (this.#room.querySelector<HTMLElement>(`[data-focus="row-${CSS.escape(before)}"]`) ?? this.#room.querySelector<HTMLElement>("[role=region]"))?.focus();
    });
  }

  async #drawPanel(): Promise<void> {
    const { open } = this.#state;
    const { api, signal } = this.#context;
    this.#beside.classList.toggle("shown", open !== null);
    if (open === null) return fill(this.#beside);
    const memory = this.#table.memories.find(({ id }) => id === open) ?? (await api.call("memory_get", { id: open }, { signal }).catch(() => null));
    if (this.#state.open !== open) return;
    if (!memory) return fill(this.#beside);
    const act = (doing: typeof bulk.pin, told: (count: string) => string) => () => this.#act((memories) => doing(api, memories), told, [memory]);
    refill(
      this.#beside,
      sidePanel(memory, {
        close: () => this.#open(null),
        pin: act(bulk.pin, t().pinned),
        forget: act(bulk.forget, t().forgotten),
        restore: act(bulk.restore, t().restored),
      }),
    );
  }

  /** Those that are chosen, from every page that was looked at. */
  #picked(): Memory[] {
    return this.#selection.ids.map((id) => this.#known.get(id)).filter((memory) => memory !== undefined);
  }

  #chosen(): void {
    for (const box of this.#room.querySelectorAll<HTMLInputElement>("tr[data-id] input[type=checkbox]")) {
      box.checked = this.#selection.has(box.closest("tr")?.dataset.id ?? "");
    }
    const all = this.#room.querySelector<HTMLInputElement>("[data-testid=select-all]");
    const shown = this.#table.memories.filter(({ id }) => this.#selection.has(id)).length;
    if (all) [all.checked, all.indeterminate] = [shown > 0 && shown === this.#table.memories.length, shown > 0 && shown < this.#table.memories.length];
    this.#bar.hidden = this.#selection.size === 0;
    if (this.#bar.hidden) return fill(this.#bar);
    const { api } = this.#context;
    const make = (name: string, label: string, doing: typeof bulk.pin, told: (count: string) => string): HTMLElement => {
      const made = button({ label, small: true, onclick: () => this.#act((memories) => doing(api, memories), told) });
      [made.dataset.testid, made.dataset.focus] = [`bulk-${name}`, `bulk-${name}`];
      return made;
    };
    const tagging = button({ label: t().tag, small: true, onclick: () => this.#askTag() });
    [tagging.dataset.testid, tagging.dataset.focus] = ["bulk-tag", "bulk-tag"];
    const living = button({ label: t().lifetime, small: true, onclick: () => this.#askLifetime() });
    [living.dataset.testid, living.dataset.focus] = ["bulk-lifetime", "bulk-lifetime"];
    const onCliff = this.#picked().some(({ state }) => state === "cliff");
    refill(
      this.#bar,
      h("strong", { role: "status" }, t().selected(number(this.#selection.size))),
      make("pin", t().pin, bulk.pin, t().pinned),
      tagging,
      onCliff ? null : living,
      onCliff ? make("restore", t().restore, bulk.restore, t().restored) : make("forget", t().forget, bulk.forget, t().forgotten),
      button({ label: t().unselect, small: true, kind: "quiet", onclick: () => this.#selection.all(this.#selection.ids, false) }),
    );
  }

  #askLifetime(): void {
    const tiers = TIERS.filter((tier) => tier !== "M0").map((tier) => [tier, word("tier", tier)] as const);
    const choice = select({ options: tiers, selected: "M365" });
    choice.dataset.testid = "lifetime-choice";
    const set = button({
      label: t().setLifetime,
      kind: "primary",
      onclick: async () => {
        opened.close();
        await this.#act((memories) => bulk.lifetime(this.#context.api, memories, choice.value as bulk.Lifetime), t().lived);
      },
    });
    set.dataset.testid = "lifetime-set";
    const body = field({ label: t().lifetime, control: choice, hint: t().lifetimeAbout });
    const opened = dialog({ title: t().lifetime, body, actions: [set], signal: this.#context.signal });
    choice.focus();
  }

  #askTag(): void {
    const name = input({ maxlength: 60, autocomplete: "off", "data-testid": "tag-name" });
    const add = button({
      label: t().addTag,
      kind: "primary",
      onclick: async () => {
        const wanted = name.value.trim();
        if (!wanted) return name.focus();
        opened.close();
        await this.#act((memories) => bulk.tag(this.#context.api, memories, wanted), t().tagged);
      },
    });
    add.dataset.testid = "tag-add";
    const form = h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          add.click();
        },
      },
      field({ label: t().tagName, control: name }),
    );
    const opened = dialog({ title: t().tag, body: form, actions: [add], signal: this.#context.signal });
    name.focus();
  }

  /** Do it, say what became of it, and offer one way back for all of it. */
  async #act(doing: (memories: readonly Memory[]) => Promise<bulk.Done>, told: (count: string) => string, memories = this.#picked()): Promise<void> {
    const { toast } = this.#context;
    const done = await doing(memories);
    const count = number(done.changed.length);
    const undo = async (): Promise<void> => {
      await done.undo();
      await this.#again();
    };
    toast(done.failed ? t().partly(count, number(done.failed), done.why) : told(count), {
      kind: done.failed ? "bad" : "good",
      ...(done.changed.length ? { undo } : {}),
    });
    this.#selection.all(this.#selection.ids, false);
    await this.#again();
  }

  #tools(): HTMLElement[] {
    const boxes = COLUMNS.map((name) => {
      const box = h("input", {
        type: "checkbox",
        checked: this.#state.columns.includes(name),
        "data-testid": `column-${name}`,
        onchange: () => this.#move(withColumn(this.#state, name, box.checked)),
      });
      return h("label", { class: "menu-choice" }, box, COLUMN[name].title());
    });
    const columns = h(
      "details",
      { class: "menu", "data-testid": "columns" },
      h("summary", { class: "button" }, t().columns),
      h("div", { class: "menu-room" }, boxes),
    );
    const out = (name: string, label: string, kind: string, made: (memories: readonly Memory[]) => string): HTMLElement => {
      const one = button({
        label,
        kind: "quiet",
        onclick: async () => {
          try {
            const found = await allRows(this.#context.api, this.#state, this.#context.signal);
            const file = `memories-${new Date().toISOString().slice(0, 10)}.${name}`;
            saveFile(new Blob([made(found)], { type: kind }), file);
            this.#context.toast(t().exported(number(found.length), file), { kind: "good" });
          } catch (error) {
            if (!isAbort(error)) this.#context.toast(explained(error), { kind: "bad" });
          }
        },
      });
      one.dataset.testid = `export-${name}`;
      return one;
    };
    const exports = h(
      "details",
      { class: "menu", "data-testid": "export-menu" },
      h("summary", { class: "button" }, t().export),
      h(
        "div",
        { class: "menu-room" },
        out("csv", t().exportCsv, "text/csv;charset=utf-8", (all) => `\uFEFF${csv(all)}`),
        out("jsonl", t().exportJson, "application/x-ndjson", jsonLines),
      ),
    );
    return [columns, exports];
  }
}
