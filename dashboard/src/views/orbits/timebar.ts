/** The time slider: drag into the past, or let it play; at its right end is now. */

import { h } from "../../dom.ts";
import { date, dateTime, type Moment } from "../../i18n.ts";
import { button, select } from "../../ui/index.ts";
import type { Replay } from "./replay.ts";
import { t } from "./texts.ts";
import { tool } from "./tools.ts";

const END = 1000;
const WHOLE = 36; // seconds for the whole span at speed 1
const DAY = 86_400;
const SPEEDS = ["0.5", "1", "2", "4"] as const;
const SPANS = [
  ["7", "week"],
  ["30", "month"],
  ["90", "quarter"],
  ["365", "year"],
] as const;

export interface TimebarOptions {
  /** The past of so many days. */
  readonly load: (days: number) => Promise<Replay>;
  /** Show the past, at a share of the span, or now (null). */
  readonly show: (replay: Replay | null, share: number) => void;
  readonly fail: (error: unknown) => void;
  /** Something plays: frames are wanted. */
  readonly wake: () => void;
  readonly announce: (text: string) => void;
}

export class Timebar {
  readonly element: HTMLElement;
  readonly #options: TimebarOptions;
  readonly #slider = h("input", {
    type: "range",
    min: 0,
    max: END,
    step: 1,
    value: END,
    "aria-label": t().time,
    "data-testid": "orbits-time",
    oninput: () => void this.#scrub(),
  });
  readonly #when = h("output", { class: "orbits-when", "data-testid": "orbits-when" });
  readonly #gone = h("span", { class: "faint small orbits-gone" });
  readonly #play = tool({ glyph: "play", label: t().replay, testid: "orbits-play", onclick: () => void this.#toggle() });
  readonly #back = button({ label: t().back, small: true, onclick: () => this.backToNow(true) });
  #replay: Replay | null = null;
  #loading: Promise<Replay> | null = null;
  #days = 30;
  #speed = 1;
  #share = 1;
  #playing = false;

  constructor(options: TimebarOptions) {
    this.#options = options;
    this.#back.dataset.testid = "orbits-now";
    const speed = select({ options: SPEEDS.map((each) => [each, `${each}×`] as const), selected: "1", onchange: (value) => (this.#speed = Number(value)) });
    speed.setAttribute("aria-label", t().speed);
    speed.dataset.testid = "orbits-speed";
    const span = select({
      options: SPANS.map(([days, name]) => [days, t()[name]] as const),
      selected: "30",
      onchange: (value) => void this.#take(Number(value)),
    });
    span.setAttribute("aria-label", t().span);
    span.dataset.testid = "orbits-span";
    this.element = h(
      "div",
      { class: "orbits-time", role: "group", "aria-label": t().time, "data-testid": "orbits-timebar" },
      this.#play.element,
      h("div", { class: "orbits-slide" }, this.#slider, h("div", { class: "row spread" }, this.#when, this.#gone)),
      h("div", { class: "row orbits-choices" }, speed, span, this.#back),
    );
    this.#tell();
  }

  get past(): boolean {
    return this.#share < 1;
  }

  /** A frame went by; whether there shall be another. */
  step(seconds: number): boolean {
    if (!this.#playing || !this.#replay) return false;
    this.#share = Math.min(1, this.#share + (seconds * this.#speed) / WHOLE);
    if (this.#share >= 1) {
      this.backToNow(false);
      return false;
    }
    this.#options.show(this.#replay, this.#share);
    this.#tell();
    return true;
  }

  backToNow(focus: boolean): void {
    [this.#share, this.#playing, this.#replay, this.#loading] = [1, false, null, null]; // next time the past is a little longer
    this.#options.show(null, 1);
    this.#tell();
    this.#options.announce(t().now);
    if (focus) this.#slider.focus();
  }

  async #toggle(): Promise<void> {
    this.#playing = !this.#playing;
    if (this.#playing && this.#share >= 1) this.#share = 0;
    this.#tell();
    if (this.#playing) await this.#enter();
    this.#options.wake();
  }

  async #scrub(): Promise<void> {
    this.#playing = false;
    const share = Number(this.#slider.value) / END;
    if (share >= 1) return this.backToNow(false);
    this.#share = share;
    this.#tell();
    await this.#enter();
  }

  async #take(days: number): Promise<void> {
    this.#days = days;
    [this.#replay, this.#loading] = [null, null];
    this.#tell();
    if (this.past) await this.#enter();
  }

  /** Have the past, and show it where the slider is by then. */
  async #enter(): Promise<void> {
    try {
      if (!this.#replay) {
        this.element.setAttribute("aria-busy", "true");
        const asked = (this.#loading ??= this.#options.load(this.#days));
        const replay = await asked;
        if (this.#loading !== asked) return; // another span, or now, was wanted meanwhile
        this.#replay = replay;
      }
      if (this.past) this.#options.show(this.#replay, this.#share);
      this.#options.wake();
    } catch (error) {
      this.backToNow(false);
      this.#options.fail(error);
    } finally {
      this.element.removeAttribute("aria-busy");
      this.#tell();
    }
  }

  #tell(): void {
    const moment: Moment = this.#replay?.momentAt(this.#share) ?? Date.now() / 1000 - (1 - this.#share) * this.#days * DAY;
    const when = !this.past ? t().now : this.#days <= 30 ? dateTime(moment) : date(moment);
    if (this.#when.textContent !== when) this.#when.textContent = when;
    const value = String(Math.round(this.#share * END));
    if (this.#slider.value !== value) this.#slider.value = value;
    this.#slider.style.setProperty("--share", `${this.#share * 100}%`);
    this.#slider.setAttribute("aria-valuetext", when);
    this.#gone.textContent = this.past && this.#replay?.gone ? t().before(this.#replay.gone) : "";
    this.#back.hidden = !this.past;
    this.#play.set(this.#playing ? "pause" : "play", this.#playing ? t().stop : t().replay);
  }
}
