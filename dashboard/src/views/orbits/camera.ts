/** From the sky to the screen: how near, and which part. The sky is seen at an angle, so circles look like ellipses. */

import { reducedMotion } from "../../theme/index.ts";

export interface Insets {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

const NEAREST = 12;
const FARTHEST = 0.6;
const EASE = 9; // a second
const [FLATTEST, STEEPEST] = [0.56, 1.2];

export class Camera {
  width = 0;
  height = 0;
  /** Device pixels for a CSS pixel. */
  ratio = 1;
  zoom = 1;
  /** The flattening of circles. */
  tilt = 1;
  #x = 0;
  #y = 0;
  #goal = { zoom: 1, x: 0, y: 0 };
  #unit = 1;
  #middle = { x: 0, y: 0 };
  #insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  #moved = false;

  /** Take the room there is, so that the outermost orbit fits between the insets. */
  fit(width: number, height: number, ratio: number, insets: Insets): void {
    [this.width, this.height, this.ratio, this.#insets] = [width, height, ratio, insets];
    const [wide, high] = [Math.max(80, width - insets.left - insets.right), Math.max(80, height - insets.top - insets.bottom)];
    this.tilt = Math.min(STEEPEST, Math.max(FLATTEST, high / wide));
    this.#unit = Math.min(wide / 2, high / 2 / this.tilt);
    this.#middle = { x: insets.left + wide / 2, y: insets.top + high / 2 };
  }

  /** Device pixels for a distance of 1 in the sky; up and down `tilt` times that. */
  get scale(): number {
    return this.#unit * this.zoom * this.ratio;
  }

  /** The zoom that it is on its way to. */
  get aim(): number {
    return this.#goal.zoom;
  }

  /** Where the sun is, in device pixels. */
  get left(): number {
    return (this.#middle.x + this.#x) * this.ratio;
  }

  get top(): number {
    return (this.#middle.y + this.#y) * this.ratio;
  }

  /** Nearer or farther, while the point under the pointer (CSS pixels) stays where it is. */
  zoomAt(x: number, y: number, factor: number): void {
    const goal = this.#goal;
    const zoom = Math.min(NEAREST, Math.max(FARTHEST, goal.zoom * factor));
    const by = zoom / goal.zoom;
    const [fromX, fromY] = [x - this.#middle.x, y - this.#middle.y];
    goal.x = fromX - (fromX - goal.x) * by;
    goal.y = fromY - (fromY - goal.y) * by;
    goal.zoom = zoom;
  }

  zoomBy(factor: number): void {
    this.zoomAt(this.#middle.x, this.#middle.y, factor);
  }

  /** Move by CSS pixels; `now` follows a finger without easing. */
  pan(x: number, y: number, now = false): void {
    this.#goal.x += x;
    this.#goal.y += y;
    if (!now) return;
    this.#x += x;
    this.#y += y;
    this.#moved = true; // there is no way to go any more, but the picture is another
  }

  /** Bring a point (CSS pixels) into the middle, so near. */
  approach(x: number, y: number, zoom: number): void {
    const by = Math.min(NEAREST, zoom) / this.zoom;
    this.#goal = { zoom: Math.min(NEAREST, zoom), x: (this.#middle.x + this.#x - x) * by, y: (this.#middle.y + this.#y - y) * by };
  }

  reset(): void {
    this.#goal = { zoom: 1, x: 0, y: 0 };
  }

  /** Bring a point (CSS pixels) to where nothing lies over it, if it is not. */
  reveal(x: number, y: number): void {
    const { left, top, right, bottom } = this.#insets;
    const into = (at: number, from: number, to: number): number => Math.max(0, from - at) - Math.max(0, at - to);
    this.pan(into(x, left, this.width - right), into(y, top, this.height - bottom));
  }

  /** One step towards where it shall be; whether anything moved. */
  step(seconds: number): boolean {
    const goal = this.#goal;
    const moved = this.#moved;
    this.#moved = false;
    const [zoom, x, y] = [goal.zoom - this.zoom, goal.x - this.#x, goal.y - this.#y];
    if (zoom === 0 && x === 0 && y === 0) return moved;
    const near = Math.abs(zoom) < 0.001 * goal.zoom && Math.abs(x) < 0.1 && Math.abs(y) < 0.1;
    const share = near || reducedMotion() ? 1 : 1 - Math.exp(-EASE * seconds);
    this.zoom = share === 1 ? goal.zoom : this.zoom + zoom * share;
    this.#x = share === 1 ? goal.x : this.#x + x * share;
    this.#y = share === 1 ? goal.y : this.#y + y * share;
    return true;
  }
}
