/** What does not move: far stars, the zones as rings, and the sun. Painted again only when the camera or the theme changed. */

import { colour, theme } from "../../theme/index.ts";
import type { Camera } from "./camera.ts";
import { chances, SUN, type Band, type Zone } from "./geometry.ts";
import type { Crowd } from "./sky.ts";
import { css, rgb } from "./sprites.ts";

const STARS = 170;
const GRAINS = 12_000;
const CORONA = 256; // pixels across
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const FULL_TURN = 2 * Math.PI;

type Pen = OffscreenCanvasRenderingContext2D;

export const zoneToken = (zone: Zone | undefined): string =>
  zone && /^(core|inner|outer|belt|cloud)$/.test(zone.name) ? `--zone-${zone.name}` : "--zone-belt";

export class Backdrop {
  readonly #canvas = new OffscreenCanvas(1, 1);
  readonly #pen = this.#canvas.getContext("2d", { alpha: false, willReadFrequently: true }) as Pen;
  readonly #stars = Array.from({ length: STARS }, (_, at) => [...chances(`star ${at}`), ...chances(`far ${at}`)] as const);
  /** Gradients over the whole window are most of the work of a frame: they are painted once for each size and theme. */
  #space = new OffscreenCanvas(1, 1);
  #corona = new OffscreenCanvas(1, 1);
  #painted = "";

  get image(): OffscreenCanvas {
    return this.#canvas;
  }

  /** Its pixels, all of them opaque. */
  pixels(): ImageData {
    return this.#pen.getImageData(0, 0, this.#canvas.width, this.#canvas.height);
  }

  paint(camera: Camera, zones: readonly Zone[], bands: readonly Band[], dust: readonly Crowd[]): void {
    const [width, height] = [Math.max(1, Math.round(camera.width * camera.ratio)), Math.max(1, Math.round(camera.height * camera.ratio))];
    const pen = this.#pen;
    const dark = theme() === "dark";
    if (this.#canvas.width !== width || this.#canvas.height !== height) [this.#canvas.width, this.#canvas.height] = [width, height];
    this.#paintOnce(width, height, dark);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.#space, 0, 0);
    if (dark) this.#paintStars(pen, camera, width, height);
    pen.translate(camera.left, camera.top);
    bands.forEach((band, at) => paintBand(pen, camera, band, zoneToken(zones[at]), at === bands.length - 1, dark));
    paintDust(pen, camera, zones, bands, dust, dark);
    paintSun(pen, camera, this.#corona, dark);
  }

  #paintOnce(width: number, height: number, dark: boolean): void {
    const wanted = `${width} ${height} ${dark}`;
    if (this.#painted === wanted) return;
    this.#painted = wanted;
    this.#space = new OffscreenCanvas(width, height);
    paintSpace(this.#space.getContext("2d", { alpha: false, willReadFrequently: true }) as Pen, width, height);
    this.#corona = coronaOf(dark);
  }

  #paintStars(pen: Pen, camera: Camera, width: number, height: number): void {
    const ink = rgb("--text-soft");
    const [dx, dy] = [camera.left * 0.06, camera.top * 0.06]; // far away: they hardly move along
    for (const [x, y, light, size] of this.#stars) {
      pen.fillStyle = css(ink, 0.1 + 0.45 * light ** 3);
      const side = (0.6 + 0.9 * size ** 4) * camera.ratio;
      pen.fillRect((((x * width + dx) % width) + width) % width, (((y * height + dy) % height) + height) % height, side, side);
    }
  }
}

/** The page's own ground: its colour, and a far nebula. */
function paintSpace(pen: Pen, width: number, height: number): void {
  pen.fillStyle = colour("--bg");
  pen.fillRect(0, 0, width, height);
  const reach = Math.hypot(width, height) * 0.75;
  for (const [x, y] of [
    [width * 0.8, -height * 0.15],
    [-width * 0.1, height * 1.1],
  ] as const) {
    const nebula = pen.createRadialGradient(x, y, 0, x, y, reach);
    nebula.addColorStop(0, colour("--glow"));
    nebula.addColorStop(1, "transparent");
    pen.fillStyle = nebula;
    pen.fillRect(0, 0, width, height);
  }
}

function ellipse(pen: Pen, camera: Camera, radius: number): void {
  pen.ellipse(0, 0, radius * camera.scale, radius * camera.scale * camera.tilt, 0, 0, FULL_TURN);
}

function paintBand(pen: Pen, camera: Camera, band: Band, token: string, last: boolean, dark: boolean): void {
  const ink = rgb(token);
  pen.beginPath();
  ellipse(pen, camera, band.outer);
  ellipse(pen, camera, band.inner);
  pen.fillStyle = css(ink, dark ? 0.045 : 0.07);
  pen.fill("evenodd");
  pen.lineWidth = camera.ratio;
  if (last) pen.setLineDash([2 * camera.ratio, 5 * camera.ratio]); // the rim: what is beyond falls over the cliff
  for (const [radius, alpha] of [
    [band.outer, dark ? 0.34 : 0.5],
    [band.inner, dark ? 0.1 : 0.16],
  ] as const) {
    pen.beginPath();
    ellipse(pen, camera, radius);
    pen.strokeStyle = css(ink, alpha);
    pen.stroke();
  }
  pen.setLineDash([]);
}

/** Memories that are not told one by one, as density: a grain stands for several where there are very many. */
function paintDust(pen: Pen, camera: Camera, zones: readonly Zone[], bands: readonly Band[], dust: readonly Crowd[], dark: boolean): void {
  const hidden = dust.reduce((sum, { all, told }) => sum + Math.max(0, all - told), 0);
  if (!hidden) return;
  const each = Math.max(1, hidden / GRAINS);
  const side = 1.3 * camera.ratio;
  dust.forEach(({ all, told }, at) => {
    const band = bands[at];
    const grains = Math.round(Math.max(0, all - told) / each);
    if (!band || !grains) return;
    pen.fillStyle = css(rgb(zoneToken(zones[at])), Math.min(0.85, (dark ? 0.3 : 0.4) + 0.05 * each));
    for (let grain = 0; grain < grains; grain += 1) {
      // Farther out than those that are told: they are less central.
      const rank = (told + ((grain + 0.5) / grains) * (all - told)) / all;
      const radius = (band.inner + (band.outer - band.inner) * (0.05 + 0.9 * rank)) * camera.scale;
      const angle = grain * GOLDEN;
      pen.fillRect(Math.cos(angle) * radius, Math.sin(angle) * radius * camera.tilt, side, side);
    }
  });
}

/** The glow around the sun, as a picture that is made larger and smaller. */
function coronaOf(dark: boolean): OffscreenCanvas {
  const image = new OffscreenCanvas(CORONA, CORONA);
  const pen = image.getContext("2d", { willReadFrequently: true }) as Pen;
  const ink = rgb("--zone-core");
  const half = CORONA / 2;
  const light = pen.createRadialGradient(half, half, half / 13, half, half, half);
  light.addColorStop(0, css(ink, dark ? 0.5 : 0.34));
  light.addColorStop(0.22, css(ink, dark ? 0.2 : 0.13));
  light.addColorStop(1, css(ink, 0));
  pen.fillStyle = light;
  pen.fillRect(0, 0, CORONA, CORONA);
  return image;
}

function paintSun(pen: Pen, camera: Camera, corona: OffscreenCanvas, dark: boolean): void {
  const ink = rgb("--zone-core");
  const radius = SUN * camera.scale;
  const flat = 0.5 + camera.tilt / 2;
  pen.drawImage(corona, -radius * 6.5, -radius * 6.5 * flat, radius * 13, radius * 13 * flat);
  const body = pen.createRadialGradient(-radius * 0.2, -radius * 0.25, radius * 0.05, 0, 0, radius);
  body.addColorStop(0, dark ? "rgb(255 252 240)" : "rgb(255 240 190)");
  body.addColorStop(0.55, dark ? css(ink) : "rgb(247 201 72)");
  body.addColorStop(1, dark ? "rgb(244 162 64)" : "rgb(214 150 24)");
  pen.fillStyle = body;
  pen.beginPath();
  pen.arc(0, 0, radius, 0, FULL_TURN);
  pen.fill();
}
