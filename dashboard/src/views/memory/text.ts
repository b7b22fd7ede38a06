/** What the memory says: whole, in a sentence, as facts; and what the user thinks of it. */

import type { Memory } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { factWords, table, tabs } from "../../ui/index.ts";
import { done, isInOrbit, type Page } from "./page.ts";
import { t } from "./texts.ts";

/** Which resolution is looked at stays so while the page is drawn again. */
let shown = "full";

export function textSection(page: Page): Child {
  const memory = page.memory();
  const resolutions = tabs({
    label: t().resolution,
    selected: shown,
    onselect: (id) => (shown = id),
    tabs: [
      { id: "full", label: t().full, panel: () => h("p", { class: "memory-whole" }, memory.content) },
      { id: "gist", label: t().gist, panel: () => h("p", memory.gist ? { class: "memory-whole" } : { class: "soft" }, memory.gist ?? t().noGist) },
      { id: "facts", label: t().facts, panel: () => facts(memory) },
    ],
  });
  for (const stop of resolutions.querySelectorAll("[role=tab]")) stop.setAttribute("data-focus", `tab-${stop.id.slice(stop.id.lastIndexOf("-") + 1)}`);
  return [
    resolutions,
    memory.state === "faded" && h("p", { class: "small soft memory-aside" }, t().shownBy),
    memory.trust === "low" && h("p", { class: "small memory-aside memory-warn" }, t().low),
    memory.trust === "doubtful" && h("p", { class: "small memory-aside soft" }, t().doubtful),
    memory.keywords.length > 0 &&
      h(
        "p",
        { class: "memory-words" },
        h("span", { class: "small faint" }, t().keywords),
        memory.keywords.map((each) => h("a", { class: "memory-word", href: `#/ask?q=${encodeURIComponent(each)}` }, each)),
      ),
    rating(page),
  ];
}

function facts(memory: Memory): Child {
  if (!memory.facts.length) return h("p", { class: "soft" }, t().noFacts);
  const rows = memory.facts.map((fact) => {
    const [subject, predicate, object] = factWords(fact);
    return { subject, predicate, object };
  });
  return table({
    label: t().facts,
    rows,
    columns: [
      { title: t().subject, cell: (row) => row.subject },
      { title: t().predicate, cell: (row) => row.predicate },
      { title: t().object, cell: (row) => row.object },
    ],
  });
}

/** Five stars as one group of radio buttons: arrows choose, as everywhere. */
function rating(page: Page): HTMLElement {
  const memory = page.memory();
  const given = memory.user_rating ?? 0;
  const open = isInOrbit(memory);
  const rate = (stars: number): Promise<void> => done(page, () => page.context.api.call("memory_rate", { id: memory.id, stars }), t().rated(stars), "rated");
  const stars = [1, 2, 3, 4, 5].map((each) =>
    h(
      "label",
      { class: each <= given ? "star on" : "star", title: t().star(each) },
      h("input", {
        type: "radio",
        name: "rating",
        value: each,
        checked: each === given,
        disabled: !open,
        "data-testid": `memory-star-${each}`,
        onchange: () => void rate(each),
      }),
      h("span", { class: "unseen" }, t().star(each)),
      h("span", { "aria-hidden": "true" }, each <= given ? "★" : "☆"),
    ),
  );
  return h("fieldset", { class: "stars", "data-testid": "memory-rating" }, h("legend", { class: "small faint" }, t().rating), h("div", null, stars));
}
