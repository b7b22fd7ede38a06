/** The looks of bodies, painted once: colour, size, lifetime, protection and state each have theirs, side by side in a sheet. */

import { colour, theme } from "../../theme/index.ts";
import { EMOTIONS } from "../../ui/index.ts";
import { premultiplied } from "./blitter.ts";
import type { Sky } from "./sky.ts";

type Rgb = readonly [number, number, number];

const SIZES = 7;
const STEPS = 4; // of how much of a second emotion is in a colour
const SHEET = 1024;
const HALO = 2.1; // of a body's radius
const NEUTRAL = "neutral";

interface Look {
  readonly first: string;
  readonly second: string;
  /** How much of the second, 0 to 1. */
  readonly share: number;
  readonly size: number;
  readonly tier: string;
  readonly guard: string;
  readonly faded: boolean;
}

export interface Sheet {
  readonly image: CanvasImageSource;
  readonly width: number;
  /** Its pixels, colours times their opacity. */
  readonly pixels: Int32Array;
  /** Where each look lies in the sheet, and how wide it is, in device pixels. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly side: Int32Array;
  /** Of the body alone. */
  readonly radius: Float32Array;
}

export class Sprites {
  readonly #looks: Look[] = [];
  readonly #found = new Map<string, number>();

  /** Say which look each body has. */
  dress(sky: Sky): void {
    const { told } = sky;
    for (let i = 0; i < sky.count; i += 1) {
      sky.look[i] = this.#lookOf(
        told.emotions[i] ?? [],
        told.importance[i] ?? 0,
        told.tier[i] ?? "M30",
        told.protection?.[i] ?? "none",
        told.state?.[i] === "faded",
      );
    }
  }

  /** Paint every look for so many device pixels a unit. */
  paint(unit: number): Sheet {
    const count = this.#looks.length;
    const [x, y, sides, radii] = [new Int32Array(count), new Int32Array(count), new Int32Array(count), new Float32Array(count)];
    let [left, top, row] = [0, 0, 0];
    this.#looks.forEach((look, at) => {
      const radius = unit * (1.7 + 6.6 * (look.size / (SIZES - 1)) ** 1.35);
      const side = 2 * Math.ceil(Math.max(radius * haloOf(unit), radius + marksOf(look) * lineOf(unit)) + 1);
      if (left + side > SHEET) [left, top, row] = [0, top + row, 0];
      [x[at], y[at], sides[at], radii[at]] = [left, top, side, radius];
      left += side;
      row = Math.max(row, side);
    });
    const image = new OffscreenCanvas(SHEET, Math.max(1, top + row));
    const pen = image.getContext("2d", { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
    const inks = readInks();
    this.#looks.forEach((look, at) => {
      pen.save();
      pen.translate(x[at]! + sides[at]! / 2, y[at]! + sides[at]! / 2);
      paintBody(pen, look, radii[at]!, unit, inks);
      pen.restore();
    });
    return { image, width: SHEET, pixels: premultiplied(pen.getImageData(0, 0, image.width, image.height)), x, y, side: sides, radius: radii };
  }

  #lookOf(emotions: readonly (readonly [string, number])[], importance: number, tier: string, guard: string, faded: boolean): number {
    const [first, weight] = emotions[0] ?? [NEUTRAL, 1];
    const [second, less] = emotions[1] ?? [first, 0];
    const share = weight + less > 0 ? Math.round((STEPS * less) / (weight + less)) / STEPS : 0;
    const size = Math.round(Math.min(1, Math.max(0, importance)) * (SIZES - 1));
    const key = `${first} ${share ? second : ""} ${share} ${size} ${tier} ${guard} ${faded}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    this.#found.set(key, this.#looks.length);
    return this.#looks.push({ first, second: share ? second : first, share, size, tier, guard, faded }) - 1;
  }
}

interface Inks {
  readonly emotions: ReadonlyMap<string, Rgb>;
  readonly nostalgia: Rgb;
  readonly gold: string;
  readonly mark: string;
  readonly dark: boolean;
}

function readInks(): Inks {
  return {
    emotions: new Map(EMOTIONS.map((name) => [name, rgb(`--emotion-${name}`)])),
    nostalgia: rgb("--emotion-nostalgia-second"),
    gold: colour("--tier-M0"),
    mark: colour("--text"),
    dark: theme() === "dark",
  };
}

/** A colour token in numbers. */
export function rgb(token: string): Rgb {
  const [red = 128, green = 128, blue = 128] = (colour(token).match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}

const mix = (one: Rgb, other: Rgb, share: number): Rgb => [0, 1, 2].map((at) => one[at]! + (other[at]! - one[at]!) * share) as unknown as Rgb;

export const css = ([red, green, blue]: Rgb, alpha = 1): string => `rgb(${red | 0} ${green | 0} ${blue | 0} / ${alpha})`;

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** The two ends of a body's colour: mixed feelings run into each other, nostalgia is pink and blue by itself. */
function endsOf(look: Look, inks: Inks): readonly [Rgb, Rgb] {
  const grey = inks.emotions.get(NEUTRAL) ?? WHITE;
  const first = inks.emotions.get(look.first) ?? grey;
  const second = look.share ? (inks.emotions.get(look.second) ?? grey) : look.first === "nostalgia" ? inks.nostalgia : first;
  const share = look.share || 0.5;
  return [mix(first, second, share * 0.45), mix(first, second, Math.min(1, share * 1.7))];
}

/** In a crowd there is no room for halos. */
const haloOf = (unit: number): number => (unit < 0.7 ? 1 : HALO);
const lineOf = (unit: number): number => Math.max(0.9, 0.8 * unit);
/** How far rings and needles reach beyond the body, in lines. */
const marksOf = ({ tier, guard }: Look): number => (guard === "none" ? ({ M90: 2.4, M365: 4.4, M0: 3.1 }[tier] ?? 0) : 5.6);

function paintBody(pen: OffscreenCanvasRenderingContext2D, look: Look, radius: number, unit: number, inks: Inks): void {
  const [near, far] = endsOf(look, inks);
  pen.globalAlpha = look.faded ? 0.45 : 1;
  const wide = radius * haloOf(unit);
  if (inks.dark && !look.faded && wide > radius) {
    const halo = pen.createRadialGradient(0, 0, radius * 0.7, 0, 0, wide);
    halo.addColorStop(0, css(near, 0.34));
    halo.addColorStop(1, css(near, 0));
    disc(pen, wide, halo);
  }
  const body = pen.createLinearGradient(-radius, -radius, radius, radius);
  body.addColorStop(0.15, css(near));
  body.addColorStop(0.85, css(far));
  disc(pen, radius, body);
  const light = pen.createRadialGradient(-radius * 0.4, -radius * 0.45, 0, 0, 0, radius);
  light.addColorStop(0, css(WHITE, inks.dark ? 0.62 : 0.5));
  light.addColorStop(0.5, css(WHITE, 0));
  light.addColorStop(1, css(BLACK, inks.dark ? 0.3 : 0.12));
  disc(pen, radius, light);
  const line = lineOf(unit);
  if (look.tier === "M90") ring(pen, radius + 1.9 * line, line, css(near, 0.85));
  if (look.tier === "M365") {
    ring(pen, radius + 1.7 * line, line, css(mix(near, inks.dark ? WHITE : BLACK, 0.45)));
    ring(pen, radius + 3.9 * line, line, css(near, 0.9));
  }
  if (look.tier === "M0") ring(pen, radius + 2.1 * line, 1.9 * line, inks.gold);
  if (look.guard !== "none") guard(pen, look.guard, radius, line, inks);
}

function disc(pen: OffscreenCanvasRenderingContext2D, radius: number, fill: string | CanvasGradient): void {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.arc(0, 0, radius, 0, 2 * Math.PI);
  pen.fill();
}

function ring(pen: OffscreenCanvasRenderingContext2D, radius: number, width: number, stroke: string): void {
  pen.strokeStyle = stroke;
  pen.lineWidth = width;
  pen.beginPath();
  pen.arc(0, 0, radius, 0, 2 * Math.PI);
  pen.stroke();
}

/** Pinned: a needle above. Immutable and core: a needle on each of four sides, held fast. */
function guard(pen: OffscreenCanvasRenderingContext2D, name: string, radius: number, line: number, inks: Inks): void {
  pen.strokeStyle = inks.mark;
  pen.lineWidth = 1.5 * line;
  pen.lineCap = "round";
  pen.beginPath();
  for (let turn = 0; turn < (name === "pinned" ? 1 : 4); turn += 1) {
    const [x, y] = [Math.sin((turn * Math.PI) / 2), -Math.cos((turn * Math.PI) / 2)];
    pen.moveTo(x * (radius + line), y * (radius + line));
    pen.lineTo(x * (radius + 4.8 * line), y * (radius + 4.8 * line));
  }
  pen.stroke();
}
