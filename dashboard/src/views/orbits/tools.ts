/** Small round buttons with drawings of their own. */

import { h, svg } from "../../dom.ts";

const PATHS = {
  play: "M8 5.500v13l10.5-6.500z",
  pause: "M9 5.500v13M15 5.500v13",
  nearer: "M12 5.500v13M5.500 12h13",
  farther: "M5.500 12h13",
  whole: "M4.500 9V4.500H9M15 4.500h4.500V9M19.500 15v4.500H15M9 19.500H4.500V15",
  list: "M8.500 6.500h11M8.500 12h11M8.500 17.500h11M4.500 6.500h.01M4.500 12h.01M4.500 17.500h.01",
  legend: "M6 7.500h.01M6 12h.01M6 16.500h.01M10 7.500h8M10 12h8M10 16.500h5",
} as const;

export type Glyph = keyof typeof PATHS;

export interface Tool {
  readonly element: HTMLButtonElement;
  /** Another drawing and label; the button and its focus stay. */
  set(glyph: Glyph, label: string, pressed?: boolean): void;
}

export function tool(options: { readonly glyph: Glyph; readonly label: string; readonly testid: string; readonly onclick: () => void }): Tool {
  const path = svg("path", { d: PATHS[options.glyph] });
  const element = h(
    "button",
    { type: "button", class: "button quiet bare", "data-testid": options.testid, onclick: options.onclick },
    svg(
      "svg",
      {
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        "stroke-width": 1.8,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
        "aria-hidden": "true",
        focusable: "false",
      },
      path,
    ),
  );
  const set = (glyph: Glyph, label: string, pressed?: boolean): void => {
    path.setAttribute("d", PATHS[glyph]);
    element.setAttribute("aria-label", label);
    element.title = label;
    if (pressed !== undefined) element.setAttribute("aria-pressed", String(pressed));
  };
  set(options.glyph, options.label);
  return { element, set };
}
