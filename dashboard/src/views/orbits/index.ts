/** Orbits: every memory as a body around the sun, now and in the past. */

import { skeleton } from "../../ui/index.ts";
import type { View } from "../../view.ts";
import { BODIES, Page, TITLE } from "./page.ts";
import "./style.css";
import "./controls.css";
import "./legend.css";

export const view: View = {
  title: TITLE,
  async mount(container, context) {
    container.append(skeleton());
    const orbits = await context.api.call("orbits", { limit: BODIES }, { signal: context.signal });
    container.classList.add("whole");
    new Page(container, context, orbits);
  },
};
