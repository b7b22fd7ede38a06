/** What can be done to the picture itself: stop it, zoom, see it as a list, see its legend. */

import { h } from "../../dom.ts";
import type { Picture } from "./picture.ts";
import { t } from "./texts.ts";
import { tool } from "./tools.ts";

const ZOOM = 1.5;

export interface ToolbarOptions {
  readonly picture: () => Picture;
  readonly roster: HTMLElement;
  readonly legend: HTMLElement;
  readonly onlist: (shown: boolean) => void;
  readonly onlegend: () => void;
}

export interface Toolbar {
  readonly element: HTMLElement;
  pause(): void;
  /** Say again what is pressed. */
  tell(): void;
}

export function tools({ picture, roster, legend, onlist, onlegend }: ToolbarOptions): Toolbar {
  const look = (change: (camera: Picture["camera"]) => void) => () => {
    change(picture().camera);
    picture().wake();
  };
  const pause = (): void => {
    picture().moving = !picture().moving;
    tell();
  };
  const list = (): void => {
    roster.hidden = !roster.hidden;
    onlist(!roster.hidden);
    tell();
  };
  const showLegend = (): void => {
    legend.classList.toggle("turned");
    onlegend();
    tell();
  };
  const motion = tool({ glyph: "pause", label: t().pause, testid: "orbits-motion", onclick: pause });
  const listing = tool({ glyph: "list", label: t().list, testid: "orbits-list", onclick: list });
  const explaining = tool({ glyph: "legend", label: t().legend, testid: "orbits-legend-toggle", onclick: showLegend });
  listing.element.setAttribute("aria-controls", roster.id);
  explaining.element.setAttribute("aria-controls", legend.id);
  const tell = (): void => {
    const { moving } = picture();
    motion.set(moving ? "pause" : "play", moving ? t().pause : t().move);
    listing.set("list", t().list, !roster.hidden);
    explaining.element.setAttribute("aria-expanded", String(legend.offsetWidth > 0));
  };
  const element = h(
    "div",
    { class: "orbits-tools", role: "toolbar", "aria-label": t().stage, "data-testid": "orbits-tools" },
    listing.element,
    motion.element,
    tool({ glyph: "nearer", label: t().nearer, testid: "orbits-zoom-in", onclick: look((camera) => camera.zoomBy(ZOOM)) }).element,
    tool({ glyph: "farther", label: t().farther, testid: "orbits-zoom-out", onclick: look((camera) => camera.zoomBy(1 / ZOOM)) }).element,
    tool({ glyph: "whole", label: t().whole, testid: "orbits-zoom-reset", onclick: look((camera) => camera.reset()) }).element,
    explaining.element,
  );
  return { element, pause, tell };
}
