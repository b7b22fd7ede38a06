/** The answers of a run, as they grow; each with its stars, and a report after each cycle. */

import { explained } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { number, percent } from "../../i18n.ts";
import { progress } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import type { PersonaCycle, PersonaStep, Speaking } from "./events.ts";
import { personaWord } from "./ready-made.ts";
import { t } from "./texts.ts";

const MEASURES = ["impact", "transparency", "reproducibility", "verifiability"] as const;

export class Answers {
  readonly element = h("ol", { class: "persona-answers", "aria-label": t().answers, "data-testid": "personas-answers" });
  readonly #context: Context;
  #open: HTMLElement | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  clear(): void {
    fill(this.element);
    this.#open = null;
  }

  /** A persona begins: its words come piece by piece, or all at once. */
  begin(speaking: Speaking): void {
    const text = h("p", { class: "persona-text" });
    const item = h("li", { class: "panel persona-answer speaking" }, h("h2", null, personaWord(speaking.persona_name)), text);
    this.element.append(item);
    this.#open = text;
  }

  grow(piece: string): void {
    if (this.#open) this.#open.append(piece);
  }

  /** The answer is stored: it can be opened and rated. */
  finish(answer: PersonaStep): void {
    this.#open?.parentElement?.remove();
    this.#open = null;
    this.element.append(this.#answer(answer));
  }

  /** The run ended before this one was answered. */
  drop(): void {
    this.#open?.parentElement?.remove();
    this.#open = null;
  }

  report(cycle: PersonaCycle): void {
    const action = cycle.adjustment?.action;
    const note = action === "strengthen_fact_check" || action === "add_examples" ? t()[action] : null;
    this.element.append(
      h(
        "li",
        { class: "persona-report", "data-testid": "personas-report" },
        h("h2", null, t().report(cycle.depth_index)),
        h(
          "div",
          { class: "measures" },
          MEASURES.map((name) =>
            h(
              "div",
              { class: "measure" },
              h("span", { class: "small" }, t()[name]),
              progress({ label: t()[name], share: cycle[name] }).element,
              h("span", { class: "small faint" }, percent(cycle[name])),
            ),
          ),
        ),
        note && h("p", { class: "small soft" }, note),
      ),
    );
  }

  #answer(answer: PersonaStep): HTMLElement {
    const notes = [
      `${t().affect} ${number(answer.affect, 2)}`,
      answer.injection_applied ? t().injected : "",
      answer.retried ? t().retried : "",
      answer.cases.length ? t().cases(answer.cases.length) : "",
    ]
      .filter(Boolean)
      .join(" · ");
    const links = answer.cases.map((id, at) => h("a", { class: "small", href: memoryHref(id) }, t().case(at + 1)));
    return h(
      "li",
      { class: "panel persona-answer", "data-testid": "personas-answer" },
      h(
        "div",
        { class: "row spread" },
        h("h2", null, personaWord(answer.persona_name), h("span", { class: "small faint" }, ` ${personaWord(answer.role)}`)),
        answer.memory_id && h("a", { class: "small", href: memoryHref(answer.memory_id) }, t().open),
      ),
      h("p", { class: "persona-text" }, answer.text),
      h("div", { class: "row spread" }, h("p", { class: "small soft" }, notes, " ", links), answer.memory_id && this.#stars(answer, answer.memory_id)),
    );
  }

  /** Five stars as one group of radio buttons: arrows choose. */
  #stars(answer: PersonaStep, id: string): HTMLElement {
    const { api, toast, signal } = this.#context;
    const rate = async (stars: number): Promise<void> => {
      try {
        await api.call("memory_rate", { id, stars }, { signal });
        for (const [at, label] of labels.entries()) label.classList.toggle("on", at < stars);
        for (const [at, sign] of signs.entries()) sign.textContent = at < stars ? "★" : "☆";
        toast(t().rated(stars), { kind: "good" });
      } catch (error) {
        toast(explained(error), { kind: "bad" });
      }
    };
    const signs = [1, 2, 3, 4, 5].map(() => h("span", { "aria-hidden": "true" }, "☆"));
    const labels = signs.map((sign, at) =>
      h(
        "label",
        { class: "persona-star", title: t().star(at + 1) },
        h("input", { type: "radio", name: `rating-${id}`, value: at + 1, "data-testid": `personas-star-${at + 1}`, onchange: () => void rate(at + 1) }),
        h("span", { class: "unseen" }, t().star(at + 1)),
        sign,
      ),
    );
    return h("fieldset", { class: "persona-stars" }, h("legend", { class: "unseen" }, t().rate(personaWord(answer.persona_name))), labels);
  }
}

const memoryHref = (id: string): string => `#/memory/${encodeURIComponent(id)}`;
