/** One memory beside the table: what it says, and what is done most often. */

import type { Memory } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { dateTime, percent } from "../../i18n.ts";
import { attributeWord, sourceWord } from "../../ui/attribute-words.ts";
import { endsAt } from "../../ui/ends.ts";
import { button, emotionChip, factWords, linkButton, relativeTime, tierMark, word, zoneMark } from "../../ui/index.ts";
import { t } from "./texts.ts";

export interface PanelDoing {
  readonly close: () => void;
  readonly pin: () => Promise<void>;
  readonly forget: () => Promise<void>;
  readonly restore: () => Promise<void>;
}

const pair = (label: string, value: Child): Child => [h("dt", null, label), h("dd", null, value)];

export function sidePanel(memory: Memory, doing: PanelDoing): HTMLElement {
  const close = button({ label: t().close, icon: "close", kind: "quiet", bare: true, onclick: doing.close });
  close.dataset.testid = "panel-close";
  const isCore = memory.protection === "core" || memory.protection === "immutable";
  const actions =
    memory.state === "cliff"
      ? [button({ label: t().restore, icon: "undo", kind: "primary", small: true, onclick: doing.restore })]
      : isCore
        ? []
        : [
            memory.protection === "none" ? button({ label: t().pin, icon: "pin", small: true, onclick: doing.pin }) : null,
            button({ label: t().forget, small: true, onclick: doing.forget }),
          ];
  return h(
    "aside",
    {
      class: "panel memories-panel",
      "aria-label": t().details,
      "data-testid": "memory-panel",
      tabindex: -1,
      onkeydown: (event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          doing.close();
        }
      },
    },
    h("div", { class: "row spread" }, h("h2", null, t().details), close),
    h("p", { class: "panel-text" }, memory.content),
    h(
      "div",
      { class: "row" },
      zoneMark(memory.zone),
      tierMark(memory.tier),
      memory.emotions.map((each) => emotionChip(each)),
    ),
    memory.facts.length
      ? h(
          "div",
          null,
          h("h3", null, t().facts),
          h(
            "ul",
            { class: "panel-facts small" },
            memory.facts.map((fact) => h("li", null, factWords(fact).join(" · "))),
          ),
        )
      : null,
    memory.replaces.length
      ? h(
          "div",
          null,
          h("h3", null, t().replaces),
          memory.replaces.map(({ content }) => h("p", { class: "small soft" }, content)),
        )
      : null,
    memory.superseded_by ? h("p", { class: "small" }, h("a", { href: `#/memory/${encodeURIComponent(memory.superseded_by)}` }, t().replacedBy)) : null,
    h(
      "dl",
      { class: "panel-pairs small" },
      memory.attribute ? pair(t().field_attribute, attributeWord(memory.attribute)) : null,
      pair(t().importance, percent(memory.importance)),
      pair(t().field_source, sourceWord(memory.source)),
      pair(t().created, dateTime(memory.created_at)),
      memory.recall_count || memory.mention_count ? pair(t().recalled, relativeTime(memory.last_recalled_at)) : null,
      endsAt(memory) ? pair(t().leaving, dateTime(endsAt(memory) ?? "")) : null,
      memory.protection === "none" ? null : pair(t().field_protection, word("protection", memory.protection)),
      memory.session_id ? pair(t().field_session_id, memory.session_id) : null,
      memory.tags.length ? pair(t().field_tag, memory.tags.join(", ")) : null,
    ),
    h("div", { class: "row" }, linkButton({ label: t().open, href: `#/memory/${encodeURIComponent(memory.id)}`, small: true, kind: "primary" }), actions),
  );
}
