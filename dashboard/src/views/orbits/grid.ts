/** Which body is under the pointer: the screen in squares, counted again when somebody asks after a frame. */

import { NOWHERE, type Sky } from "./sky.ts";

const SQUARE = 48; // device pixels: no body is meant from farther away
const SEEN = 0.25; // fainter ones are not meant

export class Grid {
  #starts = new Int32Array(1);
  #members = new Int32Array(0);
  #columns = 1;
  #rows = 1;
  #stale = true;

  /** A frame was drawn: what was counted holds no more. */
  forget(): void {
    this.#stale = true;
  }

  /** The nearest body within reach of a point in device pixels; -1 for none. */
  at(sky: Sky, width: number, height: number, x: number, y: number, reach: (i: number) => number): number {
    if (this.#stale) this.#count(sky, width, height);
    const [column, row] = [Math.floor(x / SQUARE), Math.floor(y / SQUARE)];
    let [best, nearest] = [-1, Infinity];
    for (let v = Math.max(0, row - 1); v <= Math.min(this.#rows - 1, row + 1); v += 1) {
      for (let u = Math.max(0, column - 1); u <= Math.min(this.#columns - 1, column + 1); u += 1) {
        const square = v * this.#columns + u;
        for (let at = this.#starts[square]!; at < this.#starts[square + 1]!; at += 1) {
          const i = this.#members[at]!;
          const away = Math.hypot(sky.x[i]! - x, sky.y[i]! - y) - reach(i);
          if (away < Math.min(0, nearest)) [best, nearest] = [i, away];
        }
      }
    }
    return best;
  }

  #count(sky: Sky, width: number, height: number): void {
    this.#stale = false;
    [this.#columns, this.#rows] = [Math.ceil(width / SQUARE) || 1, Math.ceil(height / SQUARE) || 1];
    const squares = this.#columns * this.#rows;
    if (this.#starts.length !== squares + 2) this.#starts = new Int32Array(squares + 2);
    else this.#starts.fill(0);
    if (this.#members.length < sky.count) this.#members = new Int32Array(sky.count);
    // Counted two places ahead: once all are put in, each start has moved to where its square begins.
    const starts = this.#starts;
    for (let i = 0; i < sky.count; i += 1) {
      const square = this.#squareOf(sky, i);
      if (square >= 0) starts[square + 2]! += 1;
    }
    for (let at = 2; at < starts.length; at += 1) starts[at]! += starts[at - 1]!;
    for (let i = 0; i < sky.count; i += 1) {
      const square = this.#squareOf(sky, i);
      if (square < 0) continue;
      this.#members[starts[square + 1]!] = i;
      starts[square + 1]! += 1;
    }
  }

  #squareOf(sky: Sky, i: number): number {
    if (sky.zone[i] === NOWHERE || sky.alpha[i]! < SEEN) return -1;
    const column = Math.floor(sky.x[i]! / SQUARE);
    const row = Math.floor(sky.y[i]! / SQUARE);
    return column < 0 || row < 0 || column >= this.#columns || row >= this.#rows ? -1 : row * this.#columns + column;
  }
}
