/**
 * Thousands of bodies onto the backdrop, pixel by pixel: each of them costs a call of the canvas otherwise, and ten
 * thousand calls are too many for a frame. The ground is opaque, so that two channels need one multiplication; whole
 * numbers of 32 bits all the way, since those are what a processor multiplies quickly.
 */

import type { Sky } from "./sky.ts";
import type { Sheet } from "./sprites.ts";

const PAIR = 0xff00ff; // two channels at once, with room for a product between them
const GREEN = 0xff00;
const OPAQUE = 0xff << 24;
const NEARLY_NOTHING = 5; // of 256

export class Blitter {
  #picture = new ImageData(1, 1);
  #pixels = new Int32Array(this.#picture.data.buffer);
  #ground = new Int32Array(1);

  /** Another ground: all of it is opaque. */
  take(ground: ImageData): void {
    if (this.#picture.width !== ground.width || this.#picture.height !== ground.height) {
      this.#picture = new ImageData(ground.width, ground.height);
      this.#pixels = new Int32Array(this.#picture.data.buffer);
    }
    this.#ground = new Int32Array(ground.data.buffer);
  }

  draw(pen: CanvasRenderingContext2D, sky: Sky, sheet: Sheet): void {
    this.#pixels.set(this.#ground);
    this.#drawThose(sky, sheet, 0);
    this.#drawThose(sky, sheet, 1);
    pen.putImageData(this.#picture, 0, 0);
  }

  /** From the rim inwards, so that the most central lie on top. */
  #drawThose(sky: Sky, sheet: Sheet, lit: number): void {
    const { x, y, alpha, look } = sky;
    for (let i = sky.count - 1; i >= 0; i -= 1) {
      const share = (alpha[i]! * 256) | 0;
      if (sky.lit[i] !== lit || share < NEARLY_NOTHING) continue;
      const which = look[i]!;
      const half = sheet.side[which]! / 2;
      this.#blend(sheet, which, Math.round(x[i]! - half), Math.round(y[i]! - half), share);
    }
  }

  /** One look, clipped to the picture; `share` of 256 of it. */
  #blend(sheet: Sheet, which: number, left: number, top: number, share: number): void {
    const { width, height } = this.#picture;
    const side = sheet.side[which]!;
    const first = Math.max(0, -left);
    const last = Math.min(side, width - left);
    const until = Math.min(side, height - top);
    if (first >= last) return;
    const pixels = this.#pixels;
    const source = sheet.pixels;
    const corner = sheet.y[which]! * sheet.width + sheet.x[which]!;
    for (let row = Math.max(0, -top); row < until; row += 1) {
      let from = corner + row * sheet.width + first;
      let to = (top + row) * width + left + first;
      for (const end = from + last - first; from < end; from += 1, to += 1) {
        let over = source[from]!;
        if (over === 0) continue;
        if (share < 256) {
          over = ((Math.imul(over & PAIR, share) >>> 8) & PAIR) | (Math.imul((over >>> 8) & PAIR, share) & ~PAIR);
        } else if (over >>> 24 === 255) {
          pixels[to] = over;
          continue;
        }
        const rest = 256 - (over >>> 24);
        const under = pixels[to]!;
        const pair = (over & PAIR) + ((Math.imul(under & PAIR, rest) >>> 8) & PAIR);
        pixels[to] = pair | ((over & GREEN) + ((Math.imul(under & GREEN, rest) >>> 8) & GREEN)) | OPAQUE;
      }
    }
  }
}

/** Colours times their own opacity, as blending wants them. */
export function premultiplied(image: ImageData): Int32Array {
  const pixels = new Int32Array(image.data.buffer.slice(0));
  for (let at = 0; at < pixels.length; at += 1) {
    const pixel = pixels[at]!;
    const opacity = pixel >>> 24;
    if (opacity === 255 || opacity === 0) continue;
    const channel = (shift: number): number => Math.round((((pixel >>> shift) & 0xff) * opacity) / 255) << shift;
    pixels[at] = (opacity << 24) | channel(0) | channel(8) | channel(16);
  }
  return pixels;
}
