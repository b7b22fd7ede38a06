/**
 * The picture as a whole: sky, camera and painter, and the one loop that moves them.
 * It rests when nothing moves, and while the page is hidden.
 *
 * For whoever measures: the mark `first-picture` (performance.getEntriesByName) is the first frame with bodies in it, and
 * `window.__frames` counts the frames that were drawn.
 */

import { onTheme, reducedMotion } from "../../theme/index.ts";
import { Camera, type Insets } from "./camera.ts";
import { bubble, clustersOf, FAR, type Cluster } from "./clusters.ts";
import { Grid } from "./grid.ts";
import { Painter } from "./painter.ts";
import type { Sky } from "./sky.ts";

declare global {
  interface Window {
    __frames?: number;
  }
}

const LONGEST_STEP = 0.1; // seconds: after a pause nothing jumps
const SLOWING = 4; // a second: orbits stop softly
const [POINTER, FINGER] = [5, 15]; // CSS pixels around a body that still mean it

export interface PictureOptions {
  readonly canvas: HTMLCanvasElement;
  readonly insets: () => Insets;
  /** After each frame, before the next: a replay goes on, a card follows its body. */
  readonly onframe: (seconds: number) => boolean;
  readonly signal: AbortSignal;
}

export class Picture {
  readonly camera = new Camera();
  /** Pointed at, and chosen by key or touch; -1 for none. */
  pointed = -1;
  chosen = -1;
  readonly #options: PictureOptions;
  readonly #painter: Painter;
  readonly #grid = new Grid();
  /** What is seen from afar; nothing from near by. */
  #clusters: readonly Cluster[] | null = null;
  /** The bubble that is pointed at or chosen; -1 for none. */
  cluster = -1;
  #sky: Sky;
  #moving: boolean;
  #asleep = false;
  #turning = reducedMotion() ? 0 : 1;
  #reframe = true;
  #asked = 0;
  #last = 0;
  #seen = false;

  constructor(sky: Sky, labels: readonly string[], options: PictureOptions) {
    this.#options = options;
    this.#painter = new Painter(options.canvas);
    this.#sky = sky;
    this.#moving = !reducedMotion();
    this.#painter.take(sky, labels);
    if (reducedMotion()) sky.settle();
    const { signal, canvas } = options;
    const room = new ResizeObserver(() => this.fit());
    room.observe(canvas);
    onTheme(() => {
      this.#painter.takeColours();
      this.#reframe = true;
      this.wake();
    }, signal);
    document.addEventListener("visibilitychange", () => this.wake(), { signal });
    signal.addEventListener(
      "abort",
      () => {
        room.disconnect();
        cancelAnimationFrame(this.#asked);
      },
      { once: true },
    );
    this.fit();
  }

  get sky(): Sky {
    return this.#sky;
  }

  get moving(): boolean {
    return this.#moving;
  }

  set moving(moving: boolean) {
    this.#moving = moving;
    this.wake();
  }

  /** Nobody sees it: something lies over it. */
  set asleep(asleep: boolean) {
    this.#asleep = asleep;
    this.wake();
  }

  /** Another sky; the bodies go on from where they are, and what was chosen stays chosen. */
  show(sky: Sky, labels: readonly string[]): void {
    const carried = (i: number): number => (i < 0 ? -1 : sky.find(this.#sky.told.ids[i] as string));
    [this.pointed, this.chosen] = [carried(this.pointed), carried(this.chosen)];
    sky.continueFrom(this.#sky);
    if (reducedMotion()) sky.settle();
    this.#sky = sky;
    this.#painter.take(sky, labels);
    this.#reframe = true;
    this.wake();
  }

  fit(): void {
    const { canvas, insets } = this.#options;
    this.camera.fit(canvas.clientWidth, canvas.clientHeight, Math.min(2, window.devicePixelRatio || 1), insets());
    this.#reframe = true;
    this.wake();
  }

  /** Somebody changed something: draw. */
  wake(): void {
    this.#clusters = null;
    if (this.#asked || this.#asleep || document.hidden || this.#options.signal.aborted) return;
    this.#asked = requestAnimationFrame((now) => this.#frame(now));
  }

  /** The body under a point of the canvas (CSS pixels); -1 for none. */
  bodyAt(x: number, y: number, touch = false): number {
    const { canvas } = this.#options;
    const { ratio } = this.camera;
    return this.#grid.at(
      this.#sky,
      canvas.width,
      canvas.height,
      x * ratio,
      y * ratio,
      (i) => this.#painter.reach(this.#sky, i) + (touch ? FINGER : POINTER) * ratio,
    );
  }

  /** Far enough away for bubbles. */
  get isFar(): boolean {
    return this.camera.aim <= FAR;
  }

  /** As of the last frame. */
  get clusters(): readonly Cluster[] {
    this.#clusters ??= this.isFar ? clustersOf(this.#sky) : [];
    return this.#clusters;
  }

  /** The bubble under a point of the canvas (CSS pixels); -1 for none. */
  clusterAt(x: number, y: number): number {
    return this.clusters.findIndex((cluster) => {
      const spot = this.clusterSpot(cluster);
      return Math.hypot(spot.x - x, spot.y - y) <= spot.reach;
    });
  }

  clusterSpot({ angle, radius, count }: Cluster): { readonly x: number; readonly y: number; readonly reach: number } {
    const { left, top, scale, tilt, ratio } = this.camera;
    const most = this.clusters.reduce((sum, each) => Math.max(sum, each.count), 1);
    return { x: (left + Math.cos(angle) * radius * scale) / ratio, y: (top + Math.sin(angle) * radius * scale * tilt) / ratio, reach: bubble(count, most) };
  }

  /** Where a body is in the canvas (CSS pixels), and how far it reaches. */
  spot(i: number): { readonly x: number; readonly y: number; readonly reach: number } {
    const { ratio } = this.camera;
    return { x: this.#sky.x[i]! / ratio, y: this.#sky.y[i]! / ratio, reach: this.#painter.reach(this.#sky, i) / ratio };
  }

  #frame(now: number): void {
    this.#asked = 0;
    if (document.hidden || this.#asleep) {
      this.#last = 0;
      return;
    }
    const seconds = this.#last ? Math.min(LONGEST_STEP, (now - this.#last) / 1000) : 0.016;
    this.#last = now;
    const { camera } = this;
    const going = camera.step(seconds);
    if (going || this.#reframe) this.#painter.frame(camera, this.#sky);
    this.#reframe = false;
    // Who points at a body wants to meet it: the sky holds its breath.
    const wanted = this.#moving && !this.#sky.arranged && !this.isFar && this.pointed < 0 && this.chosen < 0 ? 1 : 0;
    this.#turning += (wanted - this.#turning) * (1 - Math.exp(-SLOWING * seconds));
    if (Math.abs(wanted - this.#turning) < 0.01) this.#turning = wanted;
    const busy = this.#sky.step(seconds, this.#turning, camera.left, camera.top, camera.scale, camera.tilt);
    this.#grid.forget();
    this.#clusters = null;
    if (this.cluster >= this.clusters.length) this.cluster = -1;
    this.#painter.draw(this.#sky, camera, this.pointed, this.chosen);
    if (this.clusters.length) {
      const spots = this.clusters.map((each) => ({ ...this.clusterSpot(each), zone: each.zone, count: each.count }));
      this.#painter.drawBubbles(this.#sky, camera, spots, this.cluster);
    }
    this.#tell();
    const more = this.#options.onframe(seconds);
    if (going || busy || more || this.#turning > 0) this.wake();
    else this.#last = 0;
  }

  #tell(): void {
    window.__frames = (window.__frames ?? 0) + 1;
    if (this.#seen || this.#sky.count === 0) return;
    this.#seen = true;
    performance.mark("first-picture");
  }
}
