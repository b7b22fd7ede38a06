/** Personas answer a question in turn: who is speaking, how the affect goes, and the report on each cycle. */

import "./style.css";
import { explained, isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { button, field, select, skeleton, textarea, toggle, viewHead } from "../../ui/index.ts";
import type { Context, View } from "../../view.ts";
import { Affect } from "./affect.ts";
import type { PersonaRegistryView } from "../../api/operations.ts";
import { Answers } from "./answers.ts";
import { Cast } from "./cast.ts";
import { Earlier } from "./earlier.ts";
import type { Answered, PersonaCycle, Piece, Speaking, Started } from "./events.ts";
import { personaWord, registryName } from "./ready-made.ts";
import { t } from "./texts.ts";

const DEPTHS = [1, 2, 3, 4, 5] as const;
/** What was chosen stays so while the page is open. */
const chosen = { question: "", registry: "", depth: 1, offline: false };

export const view: View = {
  title: { en: "Personas", ko: "페르소나" },
  async mount(container, context) {
    fill(container, skeleton());
    const usual = await context.api.call("personas_show", {}, { signal: context.signal });
    const page = new Page(context, usual);
    fill(container, viewHead(t().title, t().about), page.element);
    await page.start();
  },
};

class Page {
  readonly element: HTMLElement;
  readonly #context: Context;
  readonly #answers: Answers;
  readonly #affect: Affect;
  readonly #earlier: Earlier;
  readonly #status = h("p", { class: "persona-status", role: "status", "data-testid": "personas-status" }, t().waiting);
  readonly #start: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #hint = h("div", { class: "stack" }, h("p", { class: "soft" }, t().nobody));
  #running: AbortController | null = null;
  #steps = 1;

  constructor(context: Context, first: PersonaRegistryView) {
    const { ready_made: registries, name: usual } = first;
    this.#context = context;
    const cast = new Cast(context, first);
    if (chosen.registry) void cast.load(chosen.registry);
    this.#hint.append(cast.element);
    this.#answers = new Answers(context);
    this.#affect = new Affect(context.signal);
    this.#earlier = new Earlier(context, (session) => void this.#run({ resume: session, offline: chosen.offline }));
    const names = registries.includes(usual) ? registries : [usual, ...registries];
    const question = textarea({ rows: 3, "data-testid": "personas-question", oninput: () => (chosen.question = question.value) });
    question.value = chosen.question;
    const registry = select({
      options: names.map((each) => [each, registryName(each)] as const),
      selected: chosen.registry || usual,
      onchange: (each) => {
        chosen.registry = each === usual ? "" : each;
        void cast.load(chosen.registry);
      },
    });
    registry.dataset.testid = "personas-registry";
    const depth = select({
      options: DEPTHS.map((each) => [String(each), String(each)] as const),
      selected: String(chosen.depth),
      onchange: (each) => (chosen.depth = Number(each)),
    });
    depth.dataset.testid = "personas-depth";
    const offline = toggle({ label: t().offline, on: chosen.offline, onchange: (on) => (chosen.offline = on) });
    offline.title = t().offlineHint;
    offline.dataset.testid = "personas-offline";
    this.#start = button({ label: t().ask, kind: "primary", onclick: () => this.#ask(question) });
    this.#start.dataset.testid = "personas-ask";
    this.#stop = button({ label: t().stop, onclick: () => this.#running?.abort() });
    this.#stop.dataset.testid = "personas-stop";
    this.#stop.hidden = true;
    this.element = h(
      "div",
      { class: "personas" },
      h(
        "div",
        { class: "panel stack" },
        field({ label: t().question, control: question }),
        h(
          "div",
          { class: "row persona-choices" },
          field({ label: t().registry, control: registry }),
          field({ label: t().depth, control: depth }),
          offline,
          h("span", { class: "row" }, this.#start, this.#stop),
        ),
      ),
      h(
        "div",
        { class: "persona-side" },
        h("section", { class: "panel stack", "aria-label": t().affect }, this.#status, h("h2", null, t().affect), this.#affect.element),
        this.#earlier.element,
      ),
      h("div", { class: "stack persona-main" }, this.#hint, this.#answers.element),
    );
    context.signal.addEventListener("abort", () => this.#running?.abort(), { once: true });
  }

  async start(): Promise<void> {
    await Promise.all([this.#affect.start(), this.#earlier.load()]);
  }

  async #ask(question: HTMLTextAreaElement): Promise<void> {
    const text = question.value.trim();
    if (!text) {
      this.#context.toast(t().needed);
      question.focus();
      return;
    }
    await this.#run({ question: text, depth: chosen.depth, offline: chosen.offline, ...(chosen.registry ? { registry: chosen.registry } : {}) });
  }

  async #run(ask: { question?: string; resume?: string; depth?: number; registry?: string; offline: boolean }): Promise<void> {
    const { api, toast, announce } = this.#context;
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    [this.#stop.hidden, this.#hint.hidden] = [false, true];
    this.#answers.clear();
    this.#affect.clear();
    try {
      const run = await api.events("personas_run", ask, (event, data) => this.#told(event, data), { signal: running.signal });
      if (ask.resume) this.#whole(run.answers);
      announce(t().finished);
    } catch (error) {
      this.#answers.drop();
      if (isAbort(error)) toast(t().stopped);
      else toast(explained(error), { kind: "bad" });
    } finally {
      this.#running = null;
      this.#stop.hidden = true;
      this.#status.textContent = t().waiting;
      if (!this.#context.signal.aborted) await this.#earlier.load();
    }
  }

  /** A run that went on: those answers too that were given before. */
  #whole(answers: readonly Answered["answer"][]): void {
    this.#answers.clear();
    this.#affect.clear();
    for (const answer of answers) {
      this.#answers.finish(answer);
      this.#affect.add(answer.affect);
    }
  }

  #told(event: string, data: unknown): void {
    if (event === "started") {
      const started = data as Started;
      this.#steps = started.depth * started.cycle.length;
    } else if (event === "speaking") {
      const speaking = data as Speaking;
      this.#status.textContent = t().speaking(personaWord(speaking.persona_name), speaking.sequence, this.#steps);
      this.#answers.begin(speaking);
    } else if (event === "text") {
      this.#answers.grow((data as Piece).text);
    } else if (event === "answered") {
      const { answer } = data as Answered;
      this.#answers.finish(answer);
      this.#affect.add(answer.affect);
    } else if (event === "cycle") {
      this.#answers.report(data as PersonaCycle);
    }
  }
}
