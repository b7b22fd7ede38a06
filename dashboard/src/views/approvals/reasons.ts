/** Why something was proposed, and what it would shake, in sentences. */

import type { Island, Proposal } from "../../api/index.ts";
import { h } from "../../dom.ts";
import { percent } from "../../i18n.ts";
import { word } from "../../ui/index.ts";
import { statusWord } from "../../ui/self-words.ts";
import { textsIn, type Ground } from "./ground.ts";
import { t } from "./texts.ts";

export function whyOf(proposal: Proposal, ground: Ground): HTMLElement | null {
  const lines = sentences(proposal, ground);
  return lines.length
    ? h(
        "ul",
        { class: "why" },
        lines.map((line) => h("li", null, line)),
      )
    : null;
}

function sentences({ kind, reasons, changes }: Proposal, ground: Ground): string[] {
  const count = (name: string): number | null => (typeof reasons[name] === "number" ? (reasons[name] as number) : null);
  const text = (name: string): string | null => (typeof reasons[name] === "string" ? (reasons[name] as string) : null);
  const told = <Value>(value: Value | null, say: (value: Value) => string): string | null => (value === null ? null : say(value));
  const dropsBelief = kind === "belief_changed" && changes[0]?.after === null;
  return [
    told(count("recalled"), t().recalled),
    told(count("days"), t().days),
    told(text("tier"), (tier) => t().tier(word("tier", tier))),
    told(text("island"), (id) => joins(ground.island(id), text("status"))),
    told(text("founded"), (id) => t().founded(ground.island(id))),
    told(count("memories"), t().memories),
    told(text("written_by"), t().writtenBy),
    told(count("without_founders"), t().withoutFounders),
    told(count("confidence"), (share) => t().confidence(percent(share))),
    told(count("lost"), t().lost),
    dropsBelief ? t().stillHolds : null,
  ].filter((each) => each !== null);
}

const joins = (island: string, status: string | null): string =>
  status === null ? t().joinsIsland(island) : t().joinsWhich(island, statusWord(status as Island["status"]));

export function shakenBy({ reasons }: Proposal, ground: Ground): HTMLElement | null {
  const islands = textsIn(reasons.shakes_islands).map((id) => t().shakesIsland(ground.island(id)));
  const beliefs = textsIn(reasons.shakes_beliefs).map((id) => t().shakesBelief(ground.belief(id)));
  if (!islands.length && !beliefs.length) return null;
  return h(
    "section",
    { class: "shakes", "data-testid": "proposal-shakes" },
    h("h3", null, t().shakes),
    h(
      "ul",
      null,
      [...islands, ...beliefs].map((each) => h("li", null, each)),
    ),
  );
}
