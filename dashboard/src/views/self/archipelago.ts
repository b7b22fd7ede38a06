/** Islands in one sea: size is strength, the look is the status, bridges lead up to the core memories they stand on. */

import type { Belief, Island, Memory } from "../../api/index.ts";
import { h, svg, type Child } from "../../dom.ts";
import { percent } from "../../i18n.ts";
import { islandTitle, statusWord } from "../../ui/self-words.ts";
import { coast } from "./shape.ts";
import { t } from "./texts.ts";

const WIDTH = 240;
const HEIGHT = 190;
const SEA = 132;
const MOST_ORBS = 7;

export function archipelago(
  islands: readonly Island[],
  beliefs: readonly Belief[],
  core: ReadonlyMap<string, Memory>,
  chosen: string | null,
  onchoose: (id: string) => void,
): HTMLElement {
  return h(
    "ul",
    { class: "sea", "aria-label": t().sea, "data-testid": "archipelago" },
    islands.map((island) => {
      const held = beliefs.filter((belief) => belief.island === island.id).length;
      return h(
        "li",
        null,
        h(
          "button",
          {
            type: "button",
            class: `island ${island.status}`,
            "aria-expanded": String(island.id === chosen),
            "data-id": island.id,
            "data-testid": "island",
            onclick: () => onchoose(island.id),
          },
          drawn(island, held, core),
          h("span", { class: "island-name" }, islandTitle(island)),
          h(
            "span",
            { class: "island-facts" },
            h("span", { class: `island-status ${island.status}` }, statusWord(island.status)),
            ` ${percent(island.strength)}`,
          ),
          h("span", { class: "unseen" }, `${t().founders(island.founders.length)}, ${t().held(held)}`),
        ),
      );
    }),
  );
}

function drawn(island: Island, held: number, core: ReadonlyMap<string, Memory>): SVGSVGElement {
  const radius = 30 + 42 * island.strength;
  const outline = coast(island.id, radius);
  const [middle, name] = [WIDTH / 2, `isle-${island.id}`];
  const stop = (offset: number, token: string) => svg("stop", { offset, style: { "stop-color": `var(--${token})` } });
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", focusable: "false" },
    svg(
      "defs",
      null,
      svg("linearGradient", { id: name, x1: 0, y1: 0, x2: 0, y2: 1 }, stop(0, "land-lit"), stop(0.55, "land"), stop(1, "land-deep")),
      svg("clipPath", { id: `${name}-built` }, svg("rect", { x: -WIDTH, y: radius * 0.62 * (1 - 2 * island.strength), width: WIDTH * 2, height: HEIGHT })),
    ),
    svg("ellipse", { class: "island-water", cx: middle, cy: SEA + 8, rx: radius * 1.6, ry: radius * 0.62 }),
    bridges(island, core, middle, radius),
    svg(
      "g",
      { style: { translate: `${middle}px ${SEA}px` } },
      svg(
        "g",
        { class: "island-body" },
        svg("path", { class: "island-shore", d: outline, transform: "translate(0 8) scale(1.07)" }),
        island.status === "rebuilding"
          ? [
              svg("path", { class: "island-plan", d: outline }),
              svg("path", { class: "island-land", d: outline, fill: `url(#${name})`, "clip-path": `url(#${name}-built)` }),
            ]
          : svg("path", { class: "island-land", d: outline, fill: `url(#${name})` }),
        island.status === "collapsed" ? null : svg("path", { class: "island-hill", d: hill(radius) }),
        island.status === "shaking" ? svg("path", { class: "island-crack", d: `M${-radius * 0.2} ${-radius * 0.42} l7 12 l-9 9 l8 11 l-4 9` }) : null,
        lights(held, radius, island.status),
      ),
    ),
  );
}

const hill = (radius: number): string =>
  `M${-radius * 0.62} ${radius * 0.06} Q${-radius * 0.28} ${-radius * 0.75} ${radius * 0.04} ${-radius * 0.12} Q${radius * 0.3} ${-radius * 0.5} ${radius * 0.66} ${radius * 0.08} Z`;

/** A lit window for each belief. */
const lights = (held: number, radius: number, status: Island["status"]): Child =>
  status === "collapsed"
    ? null
    : Array.from({ length: Math.min(held, 8) }, (_, at) => {
        const spread = (at - (Math.min(held, 8) - 1) / 2) * 12;
        return svg("rect", { class: "island-light", x: spread - 2.5, y: radius * 0.2, width: 5, height: 7, rx: 1.5 });
      });

/** Core memories hang over their island; a bridge of light leads down from each. */
function bridges(island: Island, core: ReadonlyMap<string, Memory>, middle: number, radius: number): Child {
  const shown = island.founders.slice(0, MOST_ORBS);
  return shown.map((id, at) => {
    const turn = (at - (shown.length - 1) / 2) * Math.min(0.5, 2.2 / Math.max(1, shown.length));
    const [x, y] = [middle + Math.sin(turn) * 92, 96 - Math.cos(turn) * 72];
    const colour = { "--colour": `var(--emotion-${core.get(id)?.emotions[0] ?? "neutral"})` };
    const foot = SEA - radius * 0.3;
    return svg(
      "g",
      { style: colour },
      svg("path", { class: "bridge", d: `M${x} ${y} Q${x} ${(y + foot) / 2} ${middle + Math.sin(turn) * radius * 0.5} ${foot}` }),
      svg("circle", { class: "orb-halo", cx: x, cy: y, r: 13 }),
      svg("circle", { class: "orb", cx: x, cy: y, r: 7 }),
      svg("circle", { class: "orb-shine", cx: x - 2.2, cy: y - 2.4, r: 1.8 }),
    );
  });
}
