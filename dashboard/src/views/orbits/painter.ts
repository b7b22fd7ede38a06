/** One frame: what does not move, the bodies, their glow, and what is pointed at. Nothing is allocated for a body. */

import { colour, theme } from "../../theme/index.ts";
import { number } from "../../i18n.ts";
import { Backdrop, zoneToken } from "./backdrop.ts";
import { Blitter } from "./blitter.ts";
import type { Camera } from "./camera.ts";
import { FAR } from "./clusters.ts";
import type { Sky } from "./sky.ts";
import { css, rgb, Sprites, type Sheet } from "./sprites.ts";

const FINE = 1500; // up to so many bodies glide between pixels; more step from pixel to pixel, which is much quicker
const GLOWS = 400;
const GLOW_SIDE = 96;
const NEARLY_NOTHING = 0.02;
const FULL_TURN = 2 * Math.PI;
const [NAMED, NAMED_FROM, NAME_LENGTH] = [7, 24, 26]; // so many of the most central have their first words beside them
const CROWD = 500; // more than so many, and each is smaller

/** In CSS pixels. */
export interface Bubble {
  readonly x: number;
  readonly y: number;
  readonly reach: number;
  readonly zone: number;
  readonly count: number;
}

export class Painter {
  readonly #canvas: HTMLCanvasElement;
  readonly #pen: CanvasRenderingContext2D;
  readonly #backdrop = new Backdrop();
  readonly #sprites = new Sprites();
  readonly #blitter = new Blitter();
  #sheet: Sheet | null = null;
  #unit = 0;
  #glow = new OffscreenCanvas(1, 1);
  #inks = { pointed: "", closer: "", outwards: "", halo: "", text: "", name: "", font: "", lighter: true };
  #labels: readonly string[] = [];

  constructor(canvas: HTMLCanvasElement) {
    const pen = canvas.getContext("2d", { alpha: false });
    if (!pen) throw new TypeError("this browser draws no pictures");
    [this.#canvas, this.#pen] = [canvas, pen];
    this.takeColours();
  }

  /** The theme's colours, again. */
  takeColours(): void {
    const dark = theme() === "dark";
    this.#inks = {
      pointed: colour("--focus"),
      closer: colour("--good"),
      outwards: colour("--warn"),
      halo: css(rgb("--bg"), 0.85),
      text: colour("--text-soft"),
      name: colour("--text"),
      font: getComputedStyle(this.#canvas).fontFamily,
      lighter: dark,
    };
    this.#glow = glowOf(rgb(dark ? "--zone-core" : "--accent"));
    this.#unit = 0;
  }

  /** Another picture: which looks are in it, and what its zones are called. */
  take(sky: Sky, labels: readonly string[]): void {
    this.#sprites.dress(sky);
    this.#labels = labels;
    this.#unit = 0;
  }

  /** The camera moved, or the room is another. */
  frame(camera: Camera, sky: Sky): void {
    const [width, height] = [Math.round(camera.width * camera.ratio), Math.round(camera.height * camera.ratio)];
    if (this.#canvas.width !== width || this.#canvas.height !== height) [this.#canvas.width, this.#canvas.height] = [width, height];
    this.#backdrop.paint(camera, sky.zones, sky.bands, sky.dust);
    if (sky.count > FINE) this.#blitter.take(this.#backdrop.pixels());
    const room = Math.min(1.15, Math.max(0.62, Math.min(camera.width, camera.height * 1.5) / 950));
    const crowd = Math.min(1, Math.max(0.4, (CROWD / Math.max(1, sky.count)) ** 0.32));
    // In steps: the same sheet serves while the zoom changes a little.
    const unit = camera.ratio * room * crowd * 1.25 ** Math.round(Math.log(camera.zoom ** 0.6) / Math.log(1.25));
    if (Math.abs(unit - this.#unit) < 0.02) return;
    this.#unit = unit;
    this.#sheet = this.#sprites.paint(unit);
  }

  /** How far a body reaches, in device pixels. */
  reach(sky: Sky, i: number): number {
    return this.#sheet?.radius[sky.look[i]!] ?? 0;
  }

  draw(sky: Sky, camera: Camera, pointed: number, chosen: number): void {
    const pen = this.#pen;
    const sheet = this.#sheet;
    pen.globalAlpha = 1;
    if (sheet && sky.count > FINE) {
      this.#blitter.draw(pen, sky, sheet);
    } else {
      pen.drawImage(this.#backdrop.image, 0, 0);
      if (sheet) this.#drawBodies(sky, sheet, 0);
      if (sheet) this.#drawBodies(sky, sheet, 1);
    }
    pen.globalAlpha = 1;
    if (sky.drift) this.#drawDrift(sky, camera, sky.drift);
    this.#drawGlows(sky);
    if (pointed >= 0) this.#drawOrbit(sky, camera, pointed);
    if (chosen >= 0 && chosen !== pointed) this.#drawOrbit(sky, camera, chosen);
    this.#drawLabels(sky, camera);
    if (camera.aim > FAR) this.#drawNames(sky, camera);
    this.#drawSectors(sky, camera);
    if (pointed >= 0) this.#drawMark(sky, pointed, camera.ratio, false);
    if (chosen >= 0) this.#drawMark(sky, chosen, camera.ratio, true);
  }

  /** Memories that lie together, seen from afar: how many they are, in the colour of their zone. */
  drawBubbles(sky: Sky, camera: Camera, bubbles: readonly Bubble[], marked: number): void {
    const pen = this.#pen;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.font = `600 ${12 * camera.ratio}px ${this.#inks.font}`;
    for (const [at, { x, y, reach, zone, count }] of bubbles.entries()) {
      const [left, top] = [x * camera.ratio, y * camera.ratio];
      const ink = rgb(zoneToken(sky.zones[zone]));
      pen.beginPath();
      pen.arc(left, top, reach * camera.ratio, 0, FULL_TURN);
      pen.fillStyle = this.#inks.halo;
      pen.fill();
      pen.fillStyle = css(ink, 0.22);
      pen.fill();
      pen.strokeStyle = at === marked ? this.#inks.pointed : css(ink, 0.9);
      pen.lineWidth = (at === marked ? 3 : 1.5) * camera.ratio;
      pen.stroke();
      pen.fillStyle = this.#inks.name;
      pen.fillText(number(count), left, top);
    }
  }

  #drawBodies(sky: Sky, sheet: Sheet, lit: number): void {
    const pen = this.#pen;
    const { image, x: lefts, y: tops, side: sides } = sheet;
    const { x, y, alpha, look, count } = sky;
    const [width, height] = [this.#canvas.width, this.#canvas.height];
    let last = -1;
    // From the rim inwards, so that the most central lie on top.
    for (let i = count - 1; i >= 0; i -= 1) {
      if (sky.lit[i] !== lit || alpha[i]! < NEARLY_NOTHING) continue;
      const which = look[i]!;
      const side = sides[which]!;
      const left = x[i]! - side / 2;
      const top = y[i]! - side / 2;
      if (left < -side || top < -side || left > width || top > height) continue;
      const shade = Math.round(alpha[i]! * 20) / 20;
      if (shade !== last) {
        pen.globalAlpha = shade;
        last = shade;
      }
      pen.drawImage(image, lefts[which]!, tops[which]!, side, side, left, top, side, side);
    }
  }

  #drawGlows(sky: Sky): void {
    const pen = this.#pen;
    let left = GLOWS;
    if (this.#inks.lighter) pen.globalCompositeOperation = "lighter";
    for (let i = 0; i < sky.count && left > 0; i += 1) {
      const strength = Math.max(sky.glow[i]!, sky.pulse(i)) * sky.alpha[i]!;
      if (strength < NEARLY_NOTHING) continue;
      left -= 1;
      const side = this.reach(sky, i) * (6 + 7 * sky.pulse(i));
      pen.globalAlpha = Math.min(1, strength * 0.75);
      pen.drawImage(this.#glow, sky.x[i]! - side / 2, sky.y[i]! - side / 2, side, side);
    }
    pen.globalCompositeOperation = "source-over";
    pen.globalAlpha = 1;
  }

  /** A tail from where it was a week ago: one colour for closer, one for outwards. */
  #drawDrift(sky: Sky, camera: Camera, drift: Float32Array): void {
    const pen = this.#pen;
    pen.lineWidth = 1.6 * camera.ratio;
    pen.lineCap = "round";
    for (const [sign, ink] of [
      [-1, this.#inks.closer],
      [1, this.#inks.outwards],
    ] as const) {
      pen.strokeStyle = ink;
      pen.beginPath();
      for (let i = 0; i < sky.count; i += 1) {
        const by = drift[i]!;
        if (by * sign <= 0 || sky.alpha[i]! < 0.5) continue;
        const [across, down, was] = [Math.cos(sky.angle[i]!), Math.sin(sky.angle[i]!) * camera.tilt, Math.max(0, sky.radius[i]! - by) * camera.scale];
        pen.moveTo(camera.left + across * was, camera.top + down * was);
        pen.lineTo(sky.x[i]!, sky.y[i]!);
      }
      pen.globalAlpha = 0.75;
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  #drawOrbit(sky: Sky, camera: Camera, i: number): void {
    const pen = this.#pen;
    pen.globalAlpha = 0.5;
    pen.strokeStyle = this.#inks.pointed;
    pen.lineWidth = camera.ratio;
    pen.beginPath();
    pen.ellipse(camera.left, camera.top, sky.radius[i]! * camera.scale, sky.radius[i]! * camera.scale * camera.tilt, 0, 0, FULL_TURN);
    pen.stroke();
    pen.globalAlpha = 1;
  }

  #drawMark(sky: Sky, i: number, ratio: number, chosen: boolean): void {
    const pen = this.#pen;
    pen.strokeStyle = this.#inks.pointed;
    pen.lineWidth = (chosen ? 2.5 : 1.5) * ratio;
    pen.beginPath();
    pen.arc(sky.x[i]!, sky.y[i]!, this.reach(sky, i) + 6 * ratio, 0, FULL_TURN);
    pen.stroke();
  }

  /** What the most central say, beside them, as far as they do not lie on each other. */
  #drawNames(sky: Sky, camera: Camera): void {
    if (camera.width < 600) return;
    const pen = this.#pen;
    const high = 12 * camera.ratio;
    pen.font = `${11.5 * camera.ratio}px ${this.#inks.font}`;
    pen.textAlign = "left";
    pen.lineWidth = 3 * camera.ratio;
    pen.strokeStyle = this.#inks.halo;
    pen.fillStyle = this.#inks.name;
    // The zones' names are there already.
    const taken = sky.bands.map(({ outer }, at): readonly [number, number, number] => {
      const half = pen.measureText(this.#labels[at] ?? "").width / 2;
      return [camera.left - half, camera.left + half, camera.top + outer * camera.scale * camera.tilt];
    });
    let named = 0;
    for (let i = 0; i < sky.count && i < NAMED_FROM && named < NAMED; i += 1) {
      const text = short(sky.told.label[i] ?? "");
      if (!sky.lit[i] || sky.alpha[i]! < 0.5 || !text) continue;
      const left = sky.x[i]! + this.reach(sky, i) + 5 * camera.ratio;
      const [y, right] = [sky.y[i]!, left + pen.measureText(text).width];
      if (right > this.#canvas.width || taken.some(([a, b, at]) => Math.abs(at - y) < high && left < b && right > a)) continue;
      taken.push([left, right, y]);
      named += 1;
      pen.strokeText(text, left, y);
      pen.fillText(text, left, y);
    }
  }

  /** The names of people or projects, at the rim of their sectors. */
  #drawSectors(sky: Sky, camera: Camera): void {
    const pen = this.#pen;
    pen.font = `600 ${(camera.width < 600 ? 11 : 13) * camera.ratio}px ${this.#inks.font}`;
    pen.lineWidth = 4 * camera.ratio;
    pen.strokeStyle = this.#inks.halo;
    pen.fillStyle = this.#inks.name;
    for (const { name, from, to } of sky.sectors) {
      const middle = (from + to) / 2;
      const across = Math.cos(middle);
      pen.textAlign = across > 0.3 ? "right" : across < -0.3 ? "left" : "center";
      const [x, y] = [camera.left + across * camera.scale, camera.top + Math.sin(middle) * camera.scale * camera.tilt];
      pen.strokeText(short(name), x, y);
      pen.fillText(short(name), x, y);
    }
  }

  /** The zones' names, each on the near side of its ring. */
  #drawLabels(sky: Sky, camera: Camera): void {
    const pen = this.#pen;
    pen.font = `${(camera.width < 600 ? 10.5 : 12) * camera.ratio}px ${this.#inks.font}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.lineWidth = 4 * camera.ratio;
    pen.strokeStyle = this.#inks.halo;
    pen.fillStyle = this.#inks.text;
    let below = Infinity; // from the rim inwards: a name that has no room is left out
    for (const [at, band] of [...sky.bands.entries()].reverse()) {
      const y = camera.top + band.outer * camera.scale * camera.tilt;
      const label = this.#labels[at] ?? "";
      if (below - y < 13 * camera.ratio) continue;
      below = y;
      pen.strokeText(label, camera.left, y);
      pen.fillText(label, camera.left, y);
    }
  }
}

/** A few words of a text. */
const short = (label: string): string => {
  const most = /[\u3131-\ud7a3]/.test(label) ? NAME_LENGTH * 0.6 : NAME_LENGTH; // Hangul is wider
  return label.length > most ? `${label.slice(0, most).trimEnd()}…` : label;
};

function glowOf(ink: readonly [number, number, number]): OffscreenCanvas {
  const canvas = new OffscreenCanvas(GLOW_SIDE, GLOW_SIDE);
  const pen = canvas.getContext("2d");
  if (!pen) return canvas;
  const half = GLOW_SIDE / 2;
  const light = pen.createRadialGradient(half, half, 0, half, half, half);
  light.addColorStop(0, css(ink, 0.9));
  light.addColorStop(0.3, css(ink, 0.38));
  light.addColorStop(1, css(ink, 0));
  pen.fillStyle = light;
  pen.fillRect(0, 0, GLOW_SIDE, GLOW_SIDE);
  return canvas;
}
