/** Small drawings, all strokes in the colour of the text around them. */

import { svg } from "../dom.ts";

const PATHS = {
  today: [
    "M12 7.500a4.5 4.5 0 0 1 4.500 4.500M7.500 12A4.5 4.5 0 0 1 12 7.500",
    "M3.500 16h17",
    "M12 3v1.500M4.800 6.800l1.100 1.100M19.200 6.800l-1.100 1.100M2.500 12h1.500M20 12h1.500",
    "M7 19.500h10",
  ],
  memories: ["M4.500 6h15v12h-15z", "M4.500 10h15M4.500 14h15M9.500 6v12"],
  people: [
    "M9 5.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
    "M3.500 19c.4-3.600 2.500-5.500 5.500-5.500s5.100 1.900 5.500 5.500",
    "M16 6.500a2.500 2.500 0 0 1 0 5M17.500 14c2 .6 3 2.300 3.200 5",
  ],
  conversations: ["M4 5.500h11v8H9l-3 3v-3H4z", "M18 9.500h2.500v7H19v2.500l-2.500-2.500H11"],
  federation: [
    "M12 4.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
    "M6 15.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM18 15.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
    "M11 8.200l-4 7.500M13 8.200l4 7.500M8 17.500h8",
  ],
  command: [
    "M9 9h6v6H9z",
    "M9 9H6.500A2.500 2.500 0 1 1 9 6.500zM15 9V6.500A2.500 2.500 0 1 1 17.500 9zM15 15h2.500a2.500 2.500 0 1 1-2.500 2.500zM9 15v2.500A2.500 2.500 0 1 1 6.500 15z",
  ],
  plus: ["M12 5v14M5 12h14"],
  check: ["M5 12.500l4.500 4.500L19 7.500"],
  orbits: ["M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z", "M4.2 16.5c-1.6-2.8 1-7.6 5.8-10.4s10.2-2.7 11.8.100-1 7.6-5.8 10.400S5.8 19.3 4.2 16.500z"],
  ask: ["M20 11.500a8 7.5 0 0 1-11.5 6.700L4 19.500l1.3-4A7.2 7.2 0 0 1 4 11.5 8 7.5 0 0 1 20 11.500z", "M9 10.500h6M9 13.500h3.5"],
  cliff: ["M3 8h8l1.5 4-1.5 3.5 2 4.5", "M17.5 5v1M17.5 10v1.500M17.5 15.500v1.5", "M16 18.500l1.5 1.8 1.5-1.8"],
  approvals: ["M12 3.500l7 2.800v5.200c0 4.3-2.9 7.3-7 9-4.1-1.7-7-4.7-7-9V6.300z", "M8.8 12l2.3 2.3 4.2-4.5"],
  self: ["M4 17.500c1.5-3 4.5-3 6-1.500s4.5 1.5 10-.5", "M6 14.500c0-4 2-7 4-7s3.5 3 4 6.5", "M14 10.500c1-1.5 2.3-2 3.3-1.300s1.5 2.6 1.7 5", "M3 20.500h18"],
  personas: ["M8 5.500a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z", "M3.5 18c.3-3.300 2-5 4.500-5s4.200 1.700 4.500 5", "M14.500 6.500h6v5h-3l-2 2v-2h-1z"],
  insight: ["M4 20h16", "M6.5 16.500v-4M11 16.500V7M15.5 16.500v-6.500M20 16.500V4.5"],
  settings: [
    "M4 7h9M17.5 7H20M4 12h2.500M11 12h9M4 17h8M16.5 17H20",
    "M15.3 9.200a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400z",
    "M8.7 14.200a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400z",
    "M14.3 19.200a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.400z",
  ],
  memory: ["M12 3.500l2.1 5.2 5.4.4-4.1 3.5 1.3 5.4-4.7-2.900L7.3 18l1.3-5.400L4.5 9.100l5.4-.4z"],
  search: ["M10.5 4.500a6 6 0 1 0 0 12 6 6 0 0 0 0-12z", "M15 15l4.5 4.5"],
  more: ["M5.5 12h.01M12 12h.01M18.5 12h.01"],
  close: ["M6 6l12 12M18 6L6 18"],
  dark: ["M19.5 14.500A8 8 0 0 1 9.5 4.500a8 8 0 1 0 10 10z"],
  light: [
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
    "M12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M5.3 18.700l1.4-1.400M17.3 6.700l1.4-1.4",
  ],
  auto: ["M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z", "M12 4v16M14.5 7h2M14.5 10.500h4M14.5 14h4M14.5 17h2"],
  help: ["M9 9.500a3 3 0 1 1 4.3 2.700c-.9.5-1.3 1-1.3 2M12 17.500h.01", "M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z"],
  leave: ["M10 4.500H5v15h5", "M14.500 8l4 4-4 4M18.500 12H9.500"],
  undo: ["M8.5 5.500L4.5 9.500l4 4", "M4.5 9.500H14a5 5 0 0 1 0 10H8"],
  pin: ["M9 4h6l-1 6 3 3.500H7L10 10z", "M12 13.500V20"],
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  return svg(
    "svg",
    {
      viewBox: "0 0 24 24",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.6,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      "aria-hidden": "true",
      focusable: "false",
    },
    PATHS[name].map((d) => svg("path", { d, ...(name === "more" ? { "stroke-width": 3 } : {}) })),
  );
}

/** The sign of the engine: a sun, two orbits, a few bodies. */
export function emblem(): SVGSVGElement {
  const orbit = (rx: number, ry: number) =>
    svg("ellipse", { cx: 32, cy: 32, rx, ry, fill: "none", stroke: "currentColor", "stroke-width": 1.2, opacity: 0.55, transform: "rotate(-24 32 32)" });
  const body = (cx: number, cy: number, r: number, fill: string) => svg("circle", { cx, cy, r, style: { fill } });
  return svg(
    "svg",
    { viewBox: "0 0 64 64", class: "sky", "aria-hidden": "true", focusable: "false" },
    orbit(17, 9),
    orbit(29, 17),
    body(32, 32, 7, "var(--zone-core)"),
    body(46.5, 23.5, 2.6, "var(--emotion-sadness)"),
    body(9.5, 31.5, 2.2, "var(--emotion-fear)"),
    body(53, 37, 3, "var(--emotion-envy)"),
    body(20.5, 41, 1.8, "var(--emotion-anger)"),
  );
}
