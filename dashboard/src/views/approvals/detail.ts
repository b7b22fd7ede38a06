/** One proposal, whole: what would change, what it would shake, why, and on what ground. */

import type { Proposal } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { date, dateTime } from "../../i18n.ts";
import { lineDiff } from "../../ui/diff.ts";
import { emotionChip, relativeTime, tierMark } from "../../ui/index.ts";
import { channelWord, kindWord, selfLines, statusWord } from "../../ui/self-words.ts";
import { changesOf } from "./changes.ts";
import { headline, selfAfter, type Ground } from "./ground.ts";
import { shakenBy, whyOf } from "./reasons.ts";
import { t } from "./texts.ts";

export function detail(proposal: Proposal, ground: Ground, actions: Child): HTMLElement {
  const pending = proposal.status === "pending";
  const why = whyOf(proposal, ground);
  return h(
    "article",
    { class: "proposal", "data-testid": "proposal", "data-id": proposal.id },
    h(
      "header",
      null,
      h(
        "div",
        { class: "row" },
        h("span", { class: `kind-mark ${proposal.kind}` }, kindWord(proposal.kind)),
        pending ? null : h("span", { class: `status-mark ${proposal.status}` }, statusWord(proposal.status)),
      ),
      h("h2", null, headline(proposal, ground.said)),
      h("p", { class: "faint small row" }, t().proposedBy(proposal.proposed_by, channelWord(proposal.channel)), relativeTime(proposal.proposed_at)),
      h(
        "p",
        { class: "faint small" },
        pending
          ? `${t().decide} ${date(proposal.expires_at)}`
          : proposal.decided_at
            ? `${t().decidedBy(proposal.decided_by ?? t().nobody)} · ${dateTime(proposal.decided_at)}`
            : null,
      ),
    ),
    pending ? shakenBy(proposal, ground) : null,
    h("section", null, h("h3", null, pending ? t().changes : t().changed), changesOf(proposal, ground)),
    pending ? asText(proposal, ground) : null,
    why && h("section", null, h("h3", null, t().why), why),
    h("section", null, h("h3", null, t().evidence), evidence(proposal, ground)),
    actions ? h("footer", { class: "proposal-actions" }, actions) : null,
  );
}

function asText(proposal: Proposal, ground: Ground): HTMLElement | null {
  if (!proposal.changes.length) return null;
  const { before, after } = selfAfter(ground.self, proposal);
  const said = (id: string): string | null => ground.memory(id)?.content ?? null;
  const [was, would] = [selfLines(before, said), selfLines(after, said)];
  if (was.join("\n") === would.join("\n")) return null;
  return h("details", { class: "as-text" }, h("summary", null, t().asText), lineDiff(was, would, t().asText));
}

function evidence(proposal: Proposal, ground: Ground): HTMLElement {
  if (!proposal.evidence.length) return h("p", { class: "soft" }, t().noEvidence);
  return h(
    "ul",
    { class: "evidence", "data-testid": "proposal-evidence" },
    proposal.evidence.map((id) => {
      const memory = ground.memory(id);
      if (!memory) return h("li", { class: "faint" }, t().gone);
      return h(
        "li",
        null,
        h("a", { href: `#/memory/${encodeURIComponent(id)}` }, memory.content),
        h(
          "span",
          { class: "memory-facts" },
          tierMark(memory.tier),
          memory.emotions.map((each) => emotionChip(each)),
        ),
      );
    }),
  );
}
