/** The cliff itself: every memory an orb on the ground, the nearer the edge the less time it has. */

import type { Memory } from "../../api/index.ts";
import { fill, svg, type Child } from "../../dom.ts";
import { DAY, secondsLeft, shareLeft, spelled, STAY } from "./left.ts";
import { t } from "./texts.ts";

const HEIGHT = 240;
const TOP = 132;
const FALLS = 40;
const SHORE = 28;
const MOST_DRAWN = 160;
const RADIUS = 10;
const DUST = [
  [14, 30, 1.6],
  [34, 64, 1.1],
  [8, 96, 1.3],
  [26, 132, 0.9],
  [48, 18, 1],
  [44, 108, 1.2],
  [18, 160, 0.8],
] as const;

export interface Picture {
  readonly element: SVGSVGElement;
  draw(memories: readonly Memory[]): void;
}

/** `onpick` is told whose orb was pressed. */
export function picture(room: HTMLElement, onpick: (id: string) => void, signal: AbortSignal): Picture {
  const element = svg("svg", { class: "cliff-picture", role: "img", "data-testid": "cliff-picture" });
  let shown: readonly Memory[] = [];
  let width = 0;
  const draw = (memories: readonly Memory[]): void => {
    shown = memories;
    width = Math.round(room.clientWidth) || width;
    if (!width) return;
    element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const nearest = memories[0];
    element.setAttribute("aria-label", nearest ? t().picture(memories.length, spelled(secondsLeft(nearest))) : t().nothing);
    fill(element, shades(), ground(width), scale(width), dust(width), orbs(memories.slice(0, MOST_DRAWN), width, onpick));
  };
  const resized = new ResizeObserver(() => {
    if (Math.round(room.clientWidth) !== width) draw(shown);
  });
  resized.observe(room);
  signal.addEventListener("abort", () => resized.disconnect(), { once: true });
  return { element, draw };
}

/** Where the ground ends. */
const edgeOf = (width: number): number => width - Math.max(56, width * 0.14);
/** The ground slopes down to the edge, the steeper the nearer: as the curve that draws it. */
const groundAt = (x: number, width: number): number => TOP + FALLS * (x / edgeOf(width)) ** 2;
const placeOf = (share: number, width: number): number => SHORE + (1 - share) * (edgeOf(width) - SHORE - 14);

const stop = (offset: string, colour: string, opacity: number) => svg("stop", { offset, style: { "stop-color": colour, "stop-opacity": String(opacity) } });

const shades = (): Child =>
  svg(
    "defs",
    null,
    svg("linearGradient", { id: "cliff-ground", x1: 0, y1: 0, x2: 0, y2: 1 }, stop("0", "var(--cliff-top)", 1), stop("1", "var(--cliff-deep)", 1)),
    svg("linearGradient", { id: "cliff-danger", x1: 0, y1: 0, x2: 1, y2: 0 }, stop("0", "var(--warn)", 0), stop("1", "var(--warn)", 0.9)),
    svg("radialGradient", { id: "cliff-abyss", cx: 1, cy: 1, r: 1 }, stop("0", "var(--accent)", 0.22), stop("1", "var(--accent)", 0)),
  );

function ground(width: number): Child {
  const edge = edgeOf(width);
  const lastDay = placeOf(1 / 7, width);
  const rim = `M0 ${TOP} Q${edge / 2} ${TOP} ${edge} ${TOP + FALLS}`;
  return [
    svg("rect", { x: edge - 60, y: 0, width: width - edge + 60, height: HEIGHT, fill: "url(#cliff-abyss)" }),
    svg("path", { class: "cliff-land", d: `${rim} l6 8 l-10 15 l6 14 l-14 13 l4 ${HEIGHT - TOP - FALLS - 50} H0 Z`, fill: "url(#cliff-ground)" }),
    svg("path", { class: "cliff-rim", d: rim }),
    svg("path", {
      d: `M${lastDay} ${groundAt(lastDay, width)} L${edge} ${TOP + FALLS}`,
      stroke: "url(#cliff-danger)",
      "stroke-width": 3,
      "stroke-linecap": "round",
    }),
  ];
}

function scale(width: number): Child {
  const narrow = width < 560;
  const marks = narrow ? [7, 4, 1] : [7, 6, 5, 4, 3, 2, 1];
  return [
    marks.map((days) => {
      const x = placeOf(days / 7, width);
      const y = groundAt(x, width);
      return [
        svg("path", { class: "cliff-tick", d: `M${x} ${y} v7` }),
        svg("text", { class: "cliff-word", x, y: y + 24, "text-anchor": days === 7 ? "start" : "middle" }, t().days(days)),
      ];
    }),
    svg("text", { class: "cliff-word edge", x: width - 12, y: TOP + FALLS - 30, "text-anchor": "end" }, t().edge),
  ];
}

const dust = (width: number): Child =>
  DUST.map(([x, y, r], at) =>
    svg("circle", { class: "cliff-dust", cx: edgeOf(width) + x, cy: TOP + 10 + y * 0.5, r, style: { "animation-delay": `${-at * 1.3}s` } }),
  );

/** Orbs that would lie over each other are piled up; the pile is never higher than the sky. */
function orbs(memories: readonly Memory[], width: number, onpick: (id: string) => void): Child {
  const now = Date.now();
  const step = RADIUS * 2 + 2;
  const highest = Math.floor((TOP - 30) / step);
  const levels: number[][] = Array.from({ length: highest + 1 }, () => []);
  return memories.map((memory) => {
    const x = placeOf(shareLeft(memory, now), width);
    const free = levels.findIndex((level) => level.every((other) => Math.abs(other - x) >= step));
    const level = free < 0 ? highest : free;
    levels[level]?.push(x);
    const y = groundAt(x, width) - RADIUS - 1 - level * step;
    const left = secondsLeft(memory, now);
    const emotion = memory.emotions[0] ?? "neutral";
    return svg(
      "g",
      {
        class: left < DAY ? "cliff-orb soon" : "cliff-orb",
        "data-id": memory.id,
        onclick: () => onpick(memory.id),
        style: { translate: `${x}px ${y}px`, "--colour": `var(--emotion-${emotion})`, "--ahead": String(0.55 + 0.45 * Math.min(1, left / STAY)) },
      },
      svg("title", null, memory.content.slice(0, 160)),
      svg("circle", { class: "halo", r: RADIUS + 5 }),
      svg("circle", { class: "ball", r: RADIUS }),
      svg("circle", { class: "shine", cx: -3, cy: -3.5, r: 2.6 }),
    );
  });
}
