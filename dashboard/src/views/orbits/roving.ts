/** The sky by keyboard: one stop for Tab, arrows from memory to memory, as in a list of options. */

import { h } from "../../dom.ts";
import { described, describedCluster } from "./card.ts";
import type { Picture } from "./picture.ts";
import { NOWHERE } from "./sky.ts";
import { t } from "./texts.ts";

const PAN = 60;
const ZOOM = 1.35;

export interface RovingOptions {
  readonly label: string;
  readonly picture: () => Picture;
  readonly onchoose: (i: number) => void;
  readonly onopen: (i: number) => void;
  /** Come nearer to a bubble of many. */
  readonly onapproach: (cluster: number) => void;
  readonly onpause: () => void;
}

export class Roving {
  readonly element: HTMLElement;
  readonly #options: RovingOptions;
  /** Two that take turns: a screen reader speaks when the active one changes. */
  readonly #said = [0, 1].map((at) => h("div", { role: "option", id: `orbits-option-${at}`, "aria-selected": "false" }));
  #turn = 0;

  constructor(options: RovingOptions) {
    this.#options = options;
    for (const each of this.#said) each.textContent = options.label; // an option has a name, also before one is chosen
    this.element = h(
      "div",
      {
        class: "orbits-stage",
        role: "listbox",
        tabindex: 0,
        "aria-label": options.label,
        "aria-describedby": "orbits-keys",
        "aria-orientation": "horizontal",
        "data-testid": "orbits-stage",
        onkeydown: (event) => this.#pressed(event),
        onfocus: () => {
          if (this.element.matches(":focus-visible")) this.#enter();
        },
        onblur: () => this.choose(-1),
      },
      h("div", { class: "unseen" }, this.#said),
      h("p", { class: "unseen", id: "orbits-keys" }, t().keys),
    );
  }

  /** Choose a body and say it; -1 for none. `reveal`: bring it into sight, too. */
  choose(i: number, reveal = true): void {
    const picture = this.#options.picture();
    [picture.chosen, picture.cluster] = [i, -1];
    for (const each of this.#said) each.setAttribute("aria-selected", "false");
    if (i < 0) {
      this.element.removeAttribute("aria-activedescendant");
    } else {
      const peers = this.#peers(picture.sky.zone[i]!);
      this.#say(`${described(picture.sky, i)}. ${t().place(peers.indexOf(i) + 1, peers.length)}`);
      const { x, y } = picture.spot(i);
      if (reveal) picture.camera.reveal(x, y);
    }
    this.#options.onchoose(i);
    picture.wake();
  }

  #chooseCluster(at: number): void {
    const picture = this.#options.picture();
    [picture.chosen, picture.cluster] = [-1, at];
    const cluster = picture.clusters[at];
    if (cluster) this.#say(`${describedCluster(picture.sky, cluster)}. ${t().place(at + 1, picture.clusters.length)}`);
    this.#options.onchoose(-1);
    picture.wake();
  }

  #say(text: string): void {
    this.#turn = 1 - this.#turn;
    const option = this.#said[this.#turn] as HTMLElement;
    for (const each of this.#said) each.setAttribute("aria-selected", "false");
    option.textContent = text;
    option.setAttribute("aria-selected", "true");
    this.element.setAttribute("aria-activedescendant", option.id);
  }

  /** The first that is lit, from the sun outwards. */
  chooseFirst(): void {
    const { sky } = this.#options.picture();
    for (let zone = 0; zone < sky.zones.length; zone += 1) {
      const [first] = this.#peers(zone);
      if (first !== undefined) return this.choose(first);
    }
    this.choose(-1);
  }

  #enter(): void {
    if (this.#options.picture().chosen < 0) this.chooseFirst();
  }

  #peers(zone: number): number[] {
    const { sky } = this.#options.picture();
    const found: number[] = [];
    for (let i = 0; i < sky.count; i += 1) if (sky.zone[i] === zone && zone !== NOWHERE && sky.lit[i]) found.push(i);
    return found;
  }

  #pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.element) return;
    if (!(event.shiftKey ? this.#panned(event.key) : this.#went(event.key)) && !this.#looked(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #panned(key: string): boolean {
    const by = { ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN], ArrowDown: [0, -PAN] }[key];
    if (!by) return false;
    const picture = this.#options.picture();
    picture.camera.pan(by[0] as number, by[1] as number);
    picture.wake();
    return true;
  }

  #looked(key: string): boolean {
    const picture = this.#options.picture();
    if (key === "+" || key === "=") this.#zoom(ZOOM);
    else if (key === "-" || key === "_") this.#zoom(1 / ZOOM);
    else if (key === "0") picture.camera.reset();
    else if (key === " ") this.#options.onpause();
    else return false;
    picture.wake();
    return true;
  }

  /** Around what is chosen, so that it stays in sight. */
  #zoom(factor: number): void {
    const picture = this.#options.picture();
    if (picture.chosen < 0) return picture.camera.zoomBy(factor);
    const { x, y } = picture.spot(picture.chosen);
    picture.camera.zoomAt(x, y, factor);
  }

  #went(key: string): boolean {
    const picture = this.#options.picture();
    const { sky, chosen } = picture;
    if (!/^(Arrow|Home|End|Enter|Escape)/.test(key)) return false;
    if (picture.clusters.length && key !== "Escape") return this.#wentFar(key);
    if (key === "Escape") {
      if (chosen < 0 && picture.cluster < 0) return false;
      this.choose(-1);
    } else if (key === "Enter") {
      if (chosen >= 0) this.#options.onopen(chosen);
    } else if (chosen < 0) {
      this.chooseFirst();
    } else if (key === "ArrowUp" || key === "ArrowDown") {
      this.#changeZone(sky.zone[chosen]!, key === "ArrowUp" ? -1 : 1, sky.angle[chosen]!);
    } else {
      const peers = this.#peers(sky.zone[chosen]!);
      const at = peers.indexOf(chosen);
      const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: peers.length - 1 }[key] ?? at;
      this.choose(peers[Math.max(0, Math.min(peers.length - 1, next))] ?? -1);
    }
    return true;
  }

  /** From afar: from bubble to bubble, and Enter comes nearer. */
  #wentFar(key: string): boolean {
    const { cluster, clusters } = this.#options.picture();
    if (key === "Enter") {
      if (cluster >= 0) this.#options.onapproach(cluster);
      return true;
    }
    const forward = key === "ArrowRight" || key === "ArrowDown";
    const next = key === "Home" || cluster < 0 ? 0 : key === "End" ? clusters.length - 1 : cluster + (forward ? 1 : -1);
    this.#chooseCluster(Math.max(0, Math.min(clusters.length - 1, next)));
    return true;
  }

  /** Inwards or outwards to the next zone with somebody in it: to the one nearest in direction. */
  #changeZone(zone: number, step: number, angle: number): void {
    const { sky } = this.#options.picture();
    for (let next = zone + step; next >= 0 && next < sky.zones.length; next += step) {
      const away = (i: number): number => -Math.cos(sky.angle[i]! - angle);
      const [first, ...others] = this.#peers(next);
      if (first !== undefined) return this.choose(others.reduce((best, i) => (away(i) < away(best) ? i : best), first));
    }
  }
}
