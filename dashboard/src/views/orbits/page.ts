/** The view put together: the picture, what is said around it, and what changes it. */

import { explained, isAbort, type Orbits } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { said } from "../../i18n.ts";
import type { Change } from "../../live.ts";
import { reducedMotion } from "../../theme/index.ts";
import { word } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { Card } from "./card.ts";
import { Demo, hasDemo } from "./demo.ts";
import { Drift } from "./drift.ts";
import { Filter } from "./filter.ts";
import { Grouping } from "./grouping.ts";
import { Legend } from "./legend.ts";
import { Picture } from "./picture.ts";
import { listenForPointing } from "./pointing.ts";
import { Replay } from "./replay.ts";
import { Roster } from "./roster.ts";
import { Roving } from "./roving.ts";
import { Seeking } from "./seeking.ts";
import { Sky } from "./sky.ts";
import { t } from "./texts.ts";
import { Timebar } from "./timebar.ts";
import { tools } from "./toolbar.ts";

export const BODIES = 10_000; // of more, the others are dust
const FRAMES = 120;
const REPLAYED = 2000; // each of them is reckoned for every frame; of more, the server takes every so many
const DAY = 86_400;
const REFRESH = 5 * 60_000; // scores fall by themselves
const GATHER = 900;
const FLASHES = 30; // at once: when more happens, nothing stands out
const REST = 4; // times as long as loading took
const NEAR = 2.4; // the zoom at which a bubble is left
const RECOUNT = 300; // milliseconds between two counts while a replay plays
export const TITLE = { en: "Orbits", ko: "궤도" };

export class Page {
  readonly #context: Context;
  readonly #canvas = h("canvas", { "aria-hidden": "true" });
  readonly #about = h("p", { class: "soft small", "data-testid": "orbits-about" });
  readonly #middle = h("div", { class: "orbits-middle" });
  readonly #filter = new Filter();
  readonly #legend = new Legend(this.#filter, () => this.#relight());
  readonly #roster = new Roster();
  readonly #card: Card;
  readonly #roving: Roving;
  readonly #timebar: Timebar;
  readonly #demo: Demo;
  readonly #picture: Picture;
  readonly #fresh = new Set<string>();
  readonly #grouping: Grouping;
  readonly #drift: Drift;
  #orbits: Orbits;
  #now: Sky;
  #touched = false;
  #replay: Replay | null = null;
  #loading: Promise<void> | null = null;
  #again = false;
  #counted = 0;

  constructor(container: HTMLElement, context: Context, orbits: Orbits) {
    [this.#context, this.#orbits, this.#now] = [context, orbits, Sky.of(orbits)];
    const { signal } = context;
    this.#card = new Card(signal);
    this.#grouping = new Grouping(
      context,
      () => this.#regroup(),
      (error) => this.#fail(error),
    );
    this.#drift = new Drift(
      context,
      () => this.#showDrift(),
      (error) => this.#fail(error),
    );
    this.#legend.ways.append(this.#grouping.element, this.#drift.element);
    this.#demo = new Demo(context, () => this.refresh());
    this.#roving = new Roving({
      label: t().stage,
      picture: () => this.#picture,
      onchoose: () => this.#point(),
      onopen: (i) => this.#open(i),
      onapproach: (cluster) => this.#approach(cluster),
      onpause: () => bar.pause(),
    });
    this.#timebar = new Timebar({
      load: (days) => this.#past(days),
      show: (replay, share) => this.#travel(replay, share),
      fail: (error) => this.#fail(error),
      wake: () => this.#picture.wake(),
      announce: (text) => context.announce(text),
    });
    const seeking = new Seeking(context, {
      found: (ids) => {
        this.#filter.hits = ids;
        return this.#relight();
      },
      go: (ids) => {
        this.#roving.element.focus();
        this.#roving.choose(ids.map((id) => this.#picture.sky.find(id)).find((i) => i >= 0 && this.#picture.sky.lit[i] === 1) ?? -1);
      },
      fail: (error) => this.#fail(error),
    });
    const bar = tools({
      picture: () => this.#picture,
      roster: this.#roster.element,
      legend: this.#legend.element,
      onlist: (shown) => this.#list(shown),
      onlegend: () => this.#picture.fit(),
    });
    this.#roving.element.prepend(this.#canvas);
    fill(
      container,
      h(
        "div",
        { class: "orbits", "data-testid": "orbits" },
        h("header", { class: "orbits-head" }, h("h1", null, said(TITLE)), this.#about),
        bar.element,
        this.#roving.element,
        seeking.element,
        this.#middle,
        this.#roster.element,
        this.#legend.element,
        this.#timebar.element,
      ),
    );
    this.#picture = new Picture(this.#now, this.#labels(this.#now), {
      canvas: this.#canvas,
      insets: () => this.#insets(),
      onframe: (seconds) => this.#afterFrame(seconds),
      signal,
    });
    bar.tell();
    listenForPointing({
      element: this.#roving.element,
      picture: this.#picture,
      signal,
      onpoint: (i, cluster) => this.#pointAt(i, cluster),
      onpress: (i, touch, cluster) => this.#press(i, touch, cluster),
    });
    this.#roving.element.addEventListener("keydown", () => (this.#touched = false), { signal, capture: true });
    context.live.onChange((change) => this.#happened(change), signal);
    context.live.onChanges(
      (changes) => {
        if (changes.some(matters)) void this.refresh();
      },
      signal,
      GATHER,
    );
    const timer = window.setInterval(() => {
      if (!document.hidden) void this.refresh();
    }, REFRESH);
    signal.addEventListener("abort", () => window.clearInterval(timer), { once: true });
    this.#relight();
    this.#tell();
    const wanted = context.query.get("q");
    if (wanted) seeking.seek(wanted, false);
  }

  /** Look at everything again; what comes meanwhile is looked at afterwards. */
  async refresh(): Promise<void> {
    this.#again = true;
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const began = performance.now();
      try {
        this.#orbits = await this.#context.api.call("orbits", { limit: BODIES }, { signal: this.#context.signal });
      } catch (error) {
        if (isAbort(error)) return;
        return this.#fail(error);
      }
      await Promise.allSettled([this.#grouping.load(), this.#drift.load()]); // both may be a moment old
      this.#now = Sky.of(this.#orbits);
      if (!this.#timebar.past) this.#showNow();
      this.#tell();
      // A large sky takes a while to load: the more it takes, the longer it is left in peace.
      if (this.#again) await new Promise((on) => window.setTimeout(on, REST * (performance.now() - began)));
    }
  }

  /** Another arrangement of the sky that is shown. */
  #regroup(): void {
    const { sky } = this.#picture;
    this.#grouping.apply(sky);
    if (reducedMotion()) sky.settle();
    if (sky.sectors.length) this.#context.announce(t().groupedAs(sky.sectors.map(({ name }) => name).join(", ")));
    this.#picture.wake();
  }

  /** Of the present: a replay shows it by itself. */
  #showDrift(): void {
    this.#drift.apply(this.#now);
    this.#picture.wake();
  }

  #showNow(): void {
    this.#grouping.apply(this.#now);
    this.#drift.apply(this.#now);
    this.#picture.show(this.#now, this.#labels(this.#now));
    this.#point();
    for (const id of this.#fresh.size > FLASHES ? [] : this.#fresh) {
      const i = this.#now.find(id);
      if (i >= 0) this.#now.flash(i);
    }
    this.#fresh.clear();
    this.#relight();
  }

  #happened({ id, type }: Change): void {
    if (!id || !matters({ id, type })) return;
    this.#fresh.add(id);
    const i = this.#now.find(id);
    if (i < 0 || this.#timebar.past || this.#fresh.size > FLASHES) return;
    this.#now.flash(i);
    this.#picture.wake();
  }

  async #past(days: number): Promise<Replay> {
    const start = new Date((Date.now() / 1000 - days * DAY) * 1000).toISOString();
    const then = await this.#context.api.call("orbits_past", { start, frames: FRAMES, limit: REPLAYED }, { signal: this.#context.signal });
    return new Replay(then);
  }

  #travel(replay: Replay | null, share: number): void {
    this.#replay = replay;
    if (!replay) return this.#showNow();
    const changed = replay.show(share);
    const entered = this.#picture.sky !== replay.sky;
    if (entered) {
      this.#grouping.apply(replay.sky);
      this.#picture.show(replay.sky, this.#labels(replay.sky));
      this.#point();
    }
    if (changed || entered) this.#filter.apply(replay.sky);
    if (reducedMotion()) replay.sky.settle();
    const now = performance.now();
    if (entered || now - this.#counted > RECOUNT) this.#relight();
    this.#picture.wake();
  }

  /** Light up what is wanted, and count. */
  #relight(): number {
    const { sky } = this.#picture;
    const lit = this.#filter.apply(sky);
    if (reducedMotion()) sky.settle();
    this.#counted = performance.now();
    this.#legend.count(sky, lit);
    this.#sayHowMany();
    this.#roster.show(sky);
    if (this.#picture.chosen >= 0 && !sky.lit[this.#picture.chosen]) this.#roving.choose(-1);
    this.#picture.wake();
    return lit;
  }

  #tell(): void {
    const empty = this.#orbits.total === 0;
    this.#sayHowMany();
    if (empty !== this.#middle.childElementCount > 0) fill(this.#middle, empty && this.#demo.invitation());
    if (hasDemo(this.#now) !== this.#legend.foot.childElementCount > 0) fill(this.#legend.foot, hasDemo(this.#now) && this.#demo.notice());
    this.#canvas.closest(".orbits")?.classList.toggle("nobody", empty);
    this.#picture.fit();
  }

  /** Of the moment that is shown. */
  #sayHowMany(): void {
    const { total } = this.#orbits;
    const then = this.#timebar.past ? this.#picture.sky.counts().reduce((sum, each) => sum + each, 0) : null;
    const sampled = this.#replay !== null && this.#replay.total > this.#replay.sky.count && this.#replay.total > REPLAYED;
    this.#about.textContent =
      then !== null
        ? sampled
          ? t().sampled(then, this.#replay?.total ?? 0)
          : t().about(then)
        : total === 0
          ? ""
          : this.#now.count < total
            ? t().shown(this.#now.count, total)
            : t().about(total);
  }

  #labels(sky: Sky): string[] {
    return sky.zones.map(({ name }) => word("zone", name));
  }

  #insets(): { top: number; right: number; bottom: number; left: number } {
    const wide = this.#canvas.clientWidth >= 760;
    const legend = this.#legend.element;
    return {
      top: wide ? 26 : 104,
      left: wide ? 76 : 12,
      right: wide && legend.offsetWidth ? legend.offsetWidth + 36 : wide ? 76 : 12,
      bottom: (this.#timebar.element.offsetHeight || this.#invited() * (wide ? 0.5 : 1)) + (wide ? 44 : this.#invited() ? 52 : 30),
    };
  }

  /** How high the words in an empty sky are: the sun is to be seen above them. */
  #invited(): number {
    return (this.#middle.firstElementChild as HTMLElement | null)?.offsetHeight ?? 0;
  }

  #afterFrame(seconds: number): boolean {
    this.#card.follow(this.#picture, this.#canvas);
    return this.#timebar.step(seconds);
  }

  #pointAt(i: number, cluster: number): void {
    if (i === this.#picture.pointed && cluster === this.#picture.cluster) return;
    [this.#picture.pointed, this.#picture.cluster] = [i, cluster];
    if (i >= 0) this.#touched = false;
    this.#point();
  }

  #point(): void {
    const { pointed, chosen, cluster } = this.#picture;
    this.#roving.element.classList.toggle("pointing", pointed >= 0 || cluster >= 0);
    if (cluster >= 0) this.#card.showCluster(this.#picture, cluster);
    else this.#card.show(this.#picture, pointed >= 0 ? pointed : chosen, this.#touched);
    this.#picture.wake();
  }

  #press(i: number, touch: boolean, cluster: number): void {
    if (cluster >= 0) return this.#approach(cluster);
    if (!touch) return i < 0 ? this.#roving.choose(-1) : this.#open(i);
    this.#touched = true; // a finger points first, and opens from the card
    this.#roving.choose(i);
  }

  /** Nearer to a bubble, until its memories are seen one by one. */
  #approach(cluster: number): void {
    const found = this.#picture.clusters[cluster];
    if (!found) return;
    const { x, y } = this.#picture.clusterSpot(found);
    this.#pointAt(-1, -1);
    this.#picture.camera.approach(x, y, NEAR);
    this.#roving.choose(found.first[0] ?? -1, false);
    this.#context.announce(t().approached(found.count));
  }

  #open(i: number): void {
    this.#context.navigate(`memory/${encodeURIComponent(this.#picture.sky.told.ids[i] as string)}`);
  }

  #list(shown: boolean): void {
    this.#roving.element.inert = shown;
    this.#picture.asleep = shown;
    this.#roster.show(this.#picture.sky);
  }

  #fail(error: unknown): void {
    if (!this.#context.signal.aborted) this.#context.toast(explained(error), { kind: "bad" });
  }
}

/** Whether it can change the picture: anything about a memory, or about all of them. */
const matters = ({ id, type }: Pick<Change, "id" | "type">): boolean =>
  id !== null || /^(reset|rebalanced|law_changed|backup_restored|slept|unarchived|purged)$/.test(type);
