/** A question, what the memories answer, and why. */

import "./compose.css";
import "./style.css";
import { explained, isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { hashOf, placeOf } from "../../router.ts";
import { button, empty, errorPanel, skeleton, tabs, toggle, viewHead } from "../../ui/index.ts";
import type { Context, View } from "../../view.ts";
import { composer } from "./compose.ts";
import { filters } from "./filters.ts";
import { resultView, unranked, type Result } from "./hits.ts";
import { addressOf, filterOf, narrowed, questionOf, type Question } from "./question.ts";
import { t } from "./texts.ts";

const SHOWN = 10;
const MOST = 100;
/** Whether questions count as recalls; off whenever the page is opened. */
const counting = { on: false, next: false };
let tab = "hits";

export const view: View = {
  title: { en: "Ask", ko: "질문" },
  mount(container, context) {
    // The address itself: filters change it without opening the view again.
    const question = questionOf(placeOf(location.hash).query);
    context.onSearch(({ text, submitted }) => submitted && submit(text, context));
    if (!question.q && !narrowed(question)) return showBefore(container, question, context);
    return new Answer(container, question, context).start();
  },
};

/** Only what somebody has just asked may count: neither a reload nor the way back does. */
function submit(text: string, context: Context): boolean {
  const next = addressOf({ ...questionOf(placeOf(location.hash).query), q: text });
  counting.next = counting.on && text !== "";
  if (hashOf(next) === location.hash) window.dispatchEvent(new HashChangeEvent("hashchange"));
  else context.navigate(next);
  return true;
}

function showBefore(container: HTMLElement, question: Question, context: Context): void {
  const focusSearch = (): void => document.querySelector<HTMLInputElement>(".seek input")?.focus();
  const examples = t()
    .examples.split("|")
    .map((each) => h("a", { class: "example", href: hashOf(addressOf({ ...question, q: each })) }, each));
  const change = (narrowing: Omit<Question, "q">): void => context.navigate(addressOf({ ...question, ...narrowing }), { replace: true });
  fill(
    container,
    viewHead(t().title, t().about),
    filters(question, change).element,
    h(
      "div",
      { "data-testid": "ask-empty" },
      empty({
        icon: "ask",
        title: t().askFirst,
        body: t().teach,
        action: h(
          "div",
          { class: "stack examples" },
          h("div", { class: "row" }, examples),
          h("div", null, button({ label: t().write, kind: "primary", onclick: focusSearch })),
        ),
      }),
    ),
  );
}

/** One question, until another is asked. */
class Answer {
  readonly #container: HTMLElement;
  readonly #context: Context;
  readonly #found = h("div", { class: "stack" });
  readonly #notice = h("div", { role: "status" });
  readonly #about = h("span", { "data-testid": "ask-count" });
  #question: Question;
  #ids = new Set<string>();
  #limit = SHOWN;
  #clear = (): void => {};

  constructor(container: HTMLElement, question: Question, context: Context) {
    [this.#container, this.#question, this.#context] = [container, question, context];
  }

  async start(): Promise<void> {
    const { signal, live, announce } = this.#context;
    const reinforce = counting.next;
    counting.next = false;
    const chosen = filters(this.#question, (narrowing) => {
      this.#question = { ...this.#question, ...narrowing };
      history.replaceState(null, "", hashOf(addressOf(this.#question)));
      this.#limit = SHOWN;
      void this.#ask(false);
    });
    this.#clear = chosen.clear;
    const count = toggle({
      label: t().count,
      on: counting.on,
      onchange: (on) => {
        counting.on = on;
        announce(on ? t().countOn : t().countOff);
      },
    });
    count.title = t().countHint;
    count.dataset.testid = "ask-reinforce";
    const title = this.#question.q || t().browse;
    const answer =
      this.#question.q === ""
        ? this.#found
        : tabs({
            label: t().views,
            selected: tab,
            onselect: (id) => (tab = id),
            tabs: [
              { id: "hits", label: t().hits, panel: () => this.#found },
              { id: "context", label: t().context, panel: () => composer(() => this.#question, this.#context) },
            ],
          });
    fill(this.#container, viewHead(title, this.#about, count), chosen.element, this.#notice, answer);
    document.addEventListener("keydown", (event) => this.#fromSearch(event), { signal });
    live.onChanges(
      (changes) => {
        if (
          changes.some(({ id, type }) => type === "reset" || type === "stored" || (type !== "recalled" && type !== "moved" && id !== null && this.#ids.has(id)))
        )
          this.#tellChanged();
      },
      signal,
      1500,
    );
    await this.#ask(reinforce);
  }

  async #ask(reinforce: boolean): Promise<void> {
    const { signal, announce } = this.#context;
    const asked = this.#question;
    fill(this.#notice);
    if (!this.#ids.size) fill(this.#found, skeleton(6));
    try {
      const result = await this.#result(asked, reinforce);
      if (asked !== this.#question) return; // another filter was quicker
      this.#ids = new Set(result.hits.map((hit) => hit.memory.id));
      const told = `${t().foundCount(result.hits.length)}${reinforce ? ` · ${t().counted}` : ""}`;
      fill(this.#about, told, result.hits.length ? h("span", { class: "faint ask-keys" }, t().keys) : null);
      fill(this.#found, resultView(result, narrowed(asked) > 0, this.#clear, this.#context));
      announce(told);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      announce(explained(error));
      fill(
        this.#found,
        errorPanel(error, () => void this.#ask(false)),
      );
    }
  }

  async #result(asked: Question, reinforce: boolean): Promise<Result> {
    const { api, signal } = this.#context;
    const limit = this.#limit;
    const more = async (): Promise<void> => {
      this.#limit = Math.min(MOST, this.#limit + 2 * SHOWN);
      await this.#ask(false);
    };
    if (!asked.q) {
      const { memories, next } = await api.call("memory_list", { limit, where: filterOf(asked) }, { signal });
      return { question: "", where: filterOf(asked), known: true, hits: unranked(memories), stages: {}, more: next === null || limit >= MOST ? null : more };
    }
    const { hits, stages, known } = await api.call("memory_search", { query: asked.q, limit, where: filterOf(asked), reinforce, explain: true }, { signal });
    return { question: asked.q, where: filterOf(asked), known, hits, stages, more: hits.length < limit || limit >= MOST ? null : more };
  }

  /** Nothing moves under the reader: they say when. */
  #tellChanged(): void {
    fill(
      this.#notice,
      h(
        "div",
        { class: "panel row spread ask-changed", "data-testid": "ask-changed" },
        t().changed,
        button({ label: t().again, small: true, onclick: () => this.#ask(false) }),
      ),
    );
  }

  /** Down from the search box leads into the list, and up from its first memory back. */
  #fromSearch(event: KeyboardEvent): void {
    const links = [...this.#found.querySelectorAll<HTMLElement>(".memory-link")];
    const search = document.querySelector<HTMLElement>(".seek input");
    const isSearch = search !== null && event.target === search;
    if (event.key === "ArrowDown" && (isSearch || event.target === document.body || event.target === document.querySelector("#main"))) {
      links[0]?.focus();
      if (links.length) event.preventDefault();
    } else if (event.key === "ArrowUp" && links.length > 0 && event.target === links[0]) {
      search?.focus();
    }
  }
}
