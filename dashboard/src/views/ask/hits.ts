/** What was found, best first, each with its reasons. */

import type { SearchHits, Memory } from "../../api/operations.ts";
import type { Reasoned } from "../../api/reasons.ts";
import { h, type Child } from "../../dom.ts";
import { button, empty, list, memoryCard } from "../../ui/index.ts";
import { t } from "./texts.ts";
import { longestOf, share, stages, why } from "./why.ts";

export interface Result {
  readonly hits: readonly Reasoned[];
  readonly stages: SearchHits["stages"];
  /** How to get more of them; null if these are all. */
  readonly more: (() => Promise<void>) | null;
}

export function resultView(result: Result, isNarrowed: boolean, clear: () => void): Child {
  if (!result.hits.length) {
    return h("div", { "data-testid": "ask-nothing" }, empty({ icon: "ask", title: t().nothing, body: t().nothingBody,
      ...(isNarrowed ? { action: button({ label: t().clear, onclick: clear }) } : {}) }), stages(result.stages));
  }
  const longest = longestOf(result.hits);
  const shown = list({ label: t().list, items: result.hits, render: (hit) => card(hit, longest) });
  shown.dataset.testid = "ask-hits";
  return [shown, result.more && button({ label: t().more, kind: "quiet", onclick: result.more }), stages(result.stages)];
}

function card(hit: Reasoned, longest: number): Child {
  const shown = memoryCard(hit.memory);
  if (hit.lists.length || hit.parts) {
    shown.append(h("div", { class: "hit-why" }, h("span", { class: "hit-share", title: t().why }, share(hit.relevance)), why(hit, longest)));
  }
  return shown;
}

/** Memories that were listed, not searched: nothing ranks them. */
export const unranked = (memories: readonly Memory[]): readonly Reasoned[] => memories.map((memory) => ({ memory, relevance: 0, lists: [], ranks: null, probability: 1, known: true }));
