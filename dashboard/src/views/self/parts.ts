/** An island opened, beliefs, and the memories under them. */

import type { Belief, Island, Memory } from "../../api/index.ts";
import type { Known } from "../../api/known.ts";
import { fill, h, type Child } from "../../dom.ts";
import { percent } from "../../i18n.ts";
import { button, emotionChip, list, memoryCard, progress, tierMark } from "../../ui/index.ts";
import { islandTitle, statusWord } from "../../ui/self-words.ts";
import { t } from "./texts.ts";

const DOUBTFUL = 0.3;

/** Memories as links, told once they are known. */
export function memoryLinks(ids: readonly string[], known: Known, none: string): HTMLElement {
  if (!ids.length) return h("p", { class: "soft small" }, none);
  const element = h(
    "ul",
    { class: "self-memories" },
    ids.map(() => h("li", { class: "faint" }, "…")),
  );
  void known.all(ids).then(
    (found) =>
      fill(
        element,
        ids.map((id) => {
          const memory = found.get(id);
          if (!memory) return h("li", { class: "faint" }, t().gone);
          return h(
            "li",
            null,
            h("a", { href: `#/memory/${encodeURIComponent(id)}` }, memory.content),
            " ",
            tierMark(memory.tier),
            " ",
            memory.emotions.map((each) => emotionChip(each)),
          );
        }),
      ),
    () => {},
  );
  return element;
}

export function openIsland(island: Island, beliefs: readonly Belief[], known: Known, onclose: () => void): HTMLElement {
  const close = button({ label: t().close, icon: "close", kind: "quiet", bare: true, onclick: onclose });
  close.dataset.focus = "close-island";
  return h(
    "section",
    { class: "panel open-island", "data-testid": "open-island", "aria-label": islandTitle(island) },
    h("div", { class: "row spread" }, h("h2", null, islandTitle(island)), close),
    islandBody(island, beliefs, known),
  );
}

/** Every island with the memories it stands on. */
export function islandCards(islands: readonly Island[], beliefs: readonly Belief[], known: Known): HTMLElement {
  if (!islands.length) return h("p", { class: "soft" }, t().noIslands);
  return h(
    "div",
    { class: "grid", "data-testid": "island-cards" },
    islands.map((island) =>
      h("article", { class: "panel open-island", "data-testid": "island-card" }, h("h2", null, islandTitle(island)), islandBody(island, beliefs, known)),
    ),
  );
}

function islandBody(island: Island, beliefs: readonly Belief[], known: Known): Child {
  const theirs = beliefs.filter((belief) => belief.island === island.id);
  return [
    island.description ? h("p", null, island.description) : null,
    h(
      "p",
      { class: "row" },
      h("span", { class: `island-status ${island.status}` }, statusWord(island.status)),
      h("span", { class: "soft" }, t()[island.status]),
    ),
    h(
      "div",
      { class: "measure" },
      h("span", { class: "soft small" }, `${t().strength} ${percent(island.strength)}`),
      progress({ label: t().strength, share: island.strength, colour: island.status === "shaking" ? "--warn" : "--good" }).element,
    ),
    h("h3", null, t().foundersTitle),
    memoryLinks(island.founders, known, t().noFounders),
    theirs.length
      ? [
          h("h3", null, t().beliefsTitle),
          h(
            "ul",
            { class: "self-memories" },
            theirs.map((each) => h("li", null, `“${each.statement}” `, h("span", { class: "faint small" }, percent(each.confidence)))),
          ),
        ]
      : null,
  ];
}

export function beliefCards(beliefs: readonly Belief[], islands: readonly Island[], known: Known): HTMLElement {
  if (!beliefs.length) return h("p", { class: "soft" }, `${t().noBeliefs}. ${t().teachBeliefs}`);
  const names = new Map(islands.map((island) => [island.id, island]));
  return h(
    "div",
    { class: "grid", "data-testid": "beliefs" },
    beliefs.map((belief) => {
      const home = belief.island ? names.get(belief.island) : undefined;
      const doubtful = belief.confidence < DOUBTFUL;
      const asleep = home?.status === "collapsed";
      const under: HTMLElement = h(
        "details",
        {
          class: "belief-under",
          ontoggle: () => {
            if ((under as HTMLDetailsElement).open && under.childElementCount === 1) under.append(memoryLinks(belief.supports, known, t().noSupports));
          },
        },
        h("summary", { class: "soft small" }, t().supports(belief.supports.length)),
      );
      return h(
        "article",
        { class: asleep ? "belief asleep" : "belief", "data-testid": "belief" },
        h("p", { class: "belief-words" }, belief.statement),
        h(
          "div",
          { class: "measure" },
          h(
            "span",
            { class: "soft small" },
            `${t().confidence} ${percent(belief.confidence)}`,
            doubtful ? h("span", { class: "doubt" }, ` ${t().doubtful}`) : null,
          ),
          progress({ label: t().confidence, share: belief.confidence, colour: doubtful ? "--warn" : "--emotion-nostalgia" }).element,
        ),
        home ? h("p", { class: "faint small" }, islandTitle(home), asleep ? ` · ${statusWord("collapsed")}` : null) : null,
        belief.supports.length ? under : h("p", { class: "soft small" }, t().noSupports),
      );
    }),
  );
}

export const coreCards = (core: readonly Memory[]): Child =>
  core.length
    ? h("div", { "data-testid": "core-memories" }, list({ label: t().cores, items: core, render: (memory) => memoryCard(memory) }))
    : h("p", { class: "soft" }, `${t().noCores}. ${t().teachCores}`);
