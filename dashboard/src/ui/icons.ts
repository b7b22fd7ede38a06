/** Small drawings, all strokes in the colour of the text around them. */

import { svg } from "../dom.ts";

const PATHS = {
  orbits: ["M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z", "M4.2 16.5c-1.6-2.8 1-7.6 5.8-10.4s10.2-2.7 11.8.100-1 7.6-5.8 10.400S5.8 19.3 4.2 16.500z"],
  ask: ["M20 11.500a8 7.5 0 0 1-11.5 6.700L4 19.500l1.3-4A7.2 7.2 0 0 1 4 11.5 8 7.5 0 0 1 20 11.500z", "M9 10.500h6M9 13.500h3.5"],
  cliff: ["M3 8h8l1.5 4-1.5 3.5 2 4.5", "M17.5 5v1M17.5 10v1.500M17.5 15.500v1.5", "M16 18.500l1.5 1.8 1.5-1.8"],
  approvals: ["M12 3.500l7 2.800v5.200c0 4.3-2.9 7.3-7 9-4.1-1.7-7-4.7-7-9V6.300z", "M8.8 12l2.3 2.3 4.2-4.5"],
  self: ["M4 17.500c1.5-3 4.5-3 6-1.500s4.5 1.5 10-.5", "M6 14.500c0-4 2-7 4-7s3.5 3 4 6.5", "M14 10.500c1-1.5 2.3-2 3.3-1.300s1.5 2.6 1.7 5", "M3 20.500h18"],
  personas: ["M8 5.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z", "M3.5 18c.3-3.300 2-5 4.500-5s4.200 1.700 4.500 5", "M14.500 6.500h6v5h-3l-2 2v-2h-1z"],
  insight: ["M4 20h16", "M6.5 16.500v-4M11 16.500V7M15.5 16.500v-6.500M20 16.500V4.5"],
  settings: ["M4 7h9M17.5 7H20M4 12h2.500M11 12h9M4 17h8M16.5 17H20", "M15.3 9.200a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400z", "M8.7 14.200a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400z", "M14.3 19.200a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400z"],
  memory: ["M12 3.500l2.1 5.2 5.4.4-4.1 3.5 1.3 5.4-4.7-2.900L7.3 18l1.3-5.400L4.5 9.100l5.4-.4z"],
  search: ["M10.5 4.500a6 6 0 1 0 0 12 6 6 0 0 0 0-12z", "M15 15l4.5 4.5"],
  more: ["M5.5 12h.01M12 12h.01M18.5 12h.01"],
  close: ["M6 6l12 12M18 6L6 18"],
  dark: ["M19.5 14.500A8 8 0 0 1 9.5 4.500a8 8 0 1 0 10 10z"],
  light: ["M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "M12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M5.3 18.700l1.4-1.400M17.3 6.700l1.4-1.4"],
  auto: ["M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z", "M12 4v16M14.5 7h2M14.5 10.500h4M14.5 14h4M14.5 17h2"],
  help: ["M9 9.500a3 3 0 1 1 4.3 2.700c-.9.5-1.3 1-1.3 2M12 17.500h.01", "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z"],
  undo: ["M8.5 5.500L4.5 9.500l4 4", "M4.5 9.500H14a5 5 0 0 1 0 10H8"],
  pin: ["M9 4h6l-1 6 3 3.500H7L10 10z", "M12 13.500V20"],
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-linecap": "round",
      "stroke-linejoin": "round", "aria-hidden": "true", focusable: "false" },
    PATHS[name].map((d) => svg("path", { d, ...(name === "more" ? { "stroke-width": 3 } : {}) })),
  );
}

/** The sign of the engine: a sun, two orbits, a few bodies. */
export function emblem(): SVGSVGElement {
  const orbit = (rx: number, ry: number) =>
    svg("ellipse", { cx: 32, cy: 32, rx, ry, fill: "none", stroke: "currentColor", "stroke-width": 1.2, opacity: 0.55,
      transform: "rotate(-24 32 32)" });
  const body = (cx: number, cy: number, r: number, fill: string) => svg("circle", { cx, cy, r, style: { fill } });
  return svg(
    "svg", { viewBox: "0 0 64 64", class: "sky", "aria-hidden": "true", focusable: "false" },
    orbit(17, 9), orbit(29, 17),
    body(32, 32, 7, "var(--zone-core)"), body(46.5, 23.5, 2.6, "var(--emotion-sadness)"),
    body(9.5, 31.5, 2.2, "var(--emotion-fear)"), body(53, 37, 3, "var(--emotion-envy)"),
    body(20.5, 41, 1.8, "var(--emotion-anger)"),
  );
}
