/** The list of the cliff with its filter and its choice: rows stay themselves while others come and go. */

import type { Memory } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { button, word } from "../../ui/index.ts";
import { byTimeLeft } from "./left.ts";
import { row, type Row } from "./row.ts";
import { Selection } from "../../ui/selection.ts";
import { t } from "./texts.ts";

const REASONS = ["expired", "displaced", "stale", "merged", "manual"] as const;
const AT_ONCE = 100;

export class Board {
  readonly element: HTMLElement;
  readonly #rows = new Map<string, Row>();
  readonly #selection = new Selection(() => this.#showChoice());
  readonly #list: HTMLUListElement;
  readonly #filters = h("div", { class: "row", role: "group", "aria-label": t().filter, "data-testid": "cliff-filters" });
  readonly #all: HTMLInputElement;
  readonly #count = h("span", { class: "soft small", role: "status" });
  readonly #restore: HTMLButtonElement;
  readonly #more = h("div", { class: "row" });
  readonly #none = h("p", { class: "soft", hidden: true }, t().noneOfThese);
  readonly #onrestore: (ids: readonly string[]) => Promise<void>;
  #memories: readonly Memory[] = [];
  #reason: string | null = null;
  #most = AT_ONCE;

  constructor(onrestore: (ids: readonly string[]) => Promise<void>) {
    this.#onrestore = onrestore;
    this.#list = h("ul", { class: "cliff-list", "aria-label": t().list, "data-testid": "cliff-list", onkeydown: (event) => this.#pressed(event) });
    this.#all = h("input", {
      type: "checkbox",
      class: "cliff-box",
      "data-testid": "cliff-select-all",
      onchange: () => this.#selection.all(this.#order(), this.#all.checked),
    });
    this.#restore = button({ label: t().restoreMany(0), icon: "undo", kind: "primary", onclick: () => onrestore(this.#selection.ids) });
    this.#restore.dataset.testid = "cliff-restore-selected";
    this.element = h(
      "section",
      { class: "cliff-board" },
      this.#filters,
      h("div", { class: "cliff-bar" }, h("label", { class: "row" }, this.#all, t().selectAll), this.#count, this.#restore),
      this.#list,
      this.#none,
      this.#more,
      h("p", { class: "faint small cliff-keys" }, t().keys),
    );
  }

  /** Those that the filter lets through. */
  get shown(): readonly Memory[] {
    return this.#memories.filter(({ departed_for }) => this.#reason === null || departed_for === this.#reason);
  }

  set(memories: readonly Memory[]): void {
    this.#memories = [...memories].sort(byTimeLeft);
    if (this.#reason !== null && !memories.some(({ departed_for }) => departed_for === this.#reason)) this.#reason = null;
    this.#draw();
    this.#selection.keep(new Set(memories.map(({ id }) => id)));
  }

  tick(): void {
    for (const each of this.#rows.values()) each.tick();
  }

  focus(id: string): void {
    const at = this.shown.findIndex((memory) => memory.id === id);
    if (at >= this.#most) {
      this.#most = at + 1;
      this.#draw();
    }
    this.#rows.get(id)?.element.scrollIntoView({ block: "center" });
    this.#rows.get(id)?.box.focus({ preventScroll: true });
  }

  ondraw: () => void = () => {};

  #order = (): string[] => this.shown.map(({ id }) => id);

  #draw(): void {
    const shown = this.shown.slice(0, this.#most);
    const had = this.#list.contains(document.activeElement) ? [...this.#list.children].findIndex((each) => each.contains(document.activeElement)) : -1;
    const wanted = new Set(shown.map(({ id }) => id));
    for (const [id, each] of this.#rows) {
      if (wanted.has(id)) continue;
      each.element.remove();
      this.#rows.delete(id);
    }
    shown.forEach((memory, at) => {
      const each = this.#row(memory);
      if (this.#list.children[at] !== each.element) this.#list.insertBefore(each.element, this.#list.children[at] ?? null);
    });
    const left = this.shown.length - shown.length;
    fill(
      this.#more,
      left > 0 &&
        button({
          label: t().more(Math.min(left, AT_ONCE)),
          kind: "quiet",
          onclick: () => {
            this.#most += AT_ONCE;
            this.#draw();
          },
        }),
    );
    this.#none.hidden = shown.length > 0;
    this.#drawFilters();
    this.#showChoice();
    this.ondraw();
    if (had >= 0 && !this.#list.contains(document.activeElement)) {
      const next = shown[Math.min(had, shown.length - 1)];
      if (next) this.#rows.get(next.id)?.box.focus({ preventScroll: true });
    }
  }

  #row(memory: Memory): Row {
    const known = this.#rows.get(memory.id);
    if (known && known.memory.purge_at === memory.purge_at && known.memory.version === memory.version) return known;
    const made = row(memory, {
      onchoose: (on, stretch) => this.#selection.set(memory.id, on, this.#order(), stretch),
      onrestore: () => this.#onrestore([memory.id]),
    });
    known?.element.replaceWith(made.element);
    this.#rows.set(memory.id, made);
    return made;
  }

  #drawFilters(): void {
    const focused = this.#filters.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.reason : undefined;
    const counts = new Map(REASONS.map((reason) => [reason, this.#memories.filter(({ departed_for }) => departed_for === reason).length]));
    const one = (reason: string | null, label: string, count: number) =>
      h(
        "button",
        {
          type: "button",
          class: "cliff-filter",
          "aria-pressed": String(this.#reason === reason),
          "data-reason": reason ?? "all",
          onclick: () => {
            this.#reason = reason;
            this.#most = AT_ONCE;
            this.#draw();
          },
        },
        label,
        h("span", { class: "faint" }, ` ${count}`),
      );
    fill(
      this.#filters,
      one(null, t().all, this.#memories.length),
      REASONS.filter((each) => counts.get(each)).map((each) => one(each, word("reason", each), counts.get(each) ?? 0)),
    );
    if (focused) this.#filters.querySelector<HTMLElement>(`[data-reason="${focused}"]`)?.focus();
  }

  #showChoice(): void {
    const order = this.#order();
    const chosen = order.filter((id) => this.#selection.has(id)).length;
    for (const [id, each] of this.#rows) each.choose(this.#selection.has(id));
    this.#all.checked = chosen > 0 && chosen === order.length;
    this.#all.indeterminate = chosen > 0 && chosen < order.length;
    this.#count.textContent = this.#selection.size ? t().selected(this.#selection.size) : "";
    this.#restore.disabled = this.#selection.size === 0;
    this.#restore.lastChild?.replaceWith(this.#selection.size ? t().restoreMany(this.#selection.size) : t().restore);
  }

  #pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const order = this.shown.slice(0, this.#most).map(({ id }) => id);
    const id = (event.target as HTMLElement).closest<HTMLElement>("[data-id]")?.dataset.id;
    const at = id === undefined ? -1 : order.indexOf(id);
    if (at < 0 || id === undefined) return;
    const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: order.length - 1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      const to = order[Math.min(order.length - 1, Math.max(0, next))] as string;
      if (event.shiftKey) {
        if (!this.#selection.has(id)) this.#selection.set(id, true, order);
        this.#selection.set(to, true, order);
      }
      const target = this.#rows.get(to);
      target?.box.focus({ preventScroll: true });
      target?.element.scrollIntoView({ block: "nearest" });
    } else if (event.code === "KeyA") {
      this.#selection.all(this.#order(), this.#selection.size < this.shown.length);
    } else if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      void this.#onrestore(this.#selection.size ? this.#selection.ids : [id]);
    }
  }
}
