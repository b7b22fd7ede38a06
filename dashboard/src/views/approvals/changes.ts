/** What a proposal would change, part by part, each field before and after. */

import type { Proposal } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { wordDiff } from "../../ui/diff.ts";
import { tierMark } from "../../ui/index.ts";
import { fieldWord } from "../../ui/self-words.ts";
import { textsIn, type Ground } from "./ground.ts";
import { t } from "./texts.ts";

type Change = Proposal["changes"][number];

export function changesOf(proposal: Proposal, ground: Ground): HTMLElement {
  if (!proposal.changes.length) return h("p", { class: "soft" }, t().nameless);
  return h(
    "div",
    { class: "changes", "data-testid": "proposal-diff" },
    proposal.changes.map((change) => (change.on === "memory" ? ofMemory(change, ground) : ofPart(change, ground))),
  );
}

const titled = (kind: string, mark: string, what: "fresh" | "altered" | "ended", ...children: Child[]): HTMLElement =>
  h("section", { class: `change ${what}` }, h("p", { class: "change-head" }, kind, " ", h("span", { class: "change-mark" }, mark)), children);

function ofMemory(change: Change, ground: Ground): HTMLElement {
  const said = ground.said(change.id);
  if (change.after === null) return titled(t().memory, t().ended, "ended", h("p", null, wordDiff(said, null)), h("p", { class: "soft small" }, t().goesOver));
  if (typeof change.after.content === "string") return titled(t().memory, t().altered, "altered", h("p", null, wordDiff(said, change.after.content)));
  const joined = typeof change.after.island === "string" ? ground.island(change.after.island) : null;
  return titled(
    t().memory,
    t().altered,
    "fresh",
    h("p", null, said),
    h("p", { class: "row" }, tierMark(String(change.before?.tier ?? "M30")), h("span", { "aria-hidden": "true" }, "→"), tierMark("M0")),
    joined ? h("p", { class: "soft small" }, t().joins(joined)) : null,
  );
}

function ofPart(change: Change, ground: Ground): HTMLElement {
  const [before, after] = [change.before ?? {}, change.after ?? {}];
  const what = change.before === null ? "fresh" : change.after === null ? "ended" : "altered";
  const named = new Set([...ORDER, ...Object.keys(before), ...Object.keys(after)]);
  const fields = [...named].filter((name) => !same(before[name], after[name]));
  return titled(
    change.on === "island" ? t().island : t().belief,
    t()[what],
    what,
    h(
      "dl",
      { class: "change-fields" },
      fields.map((name) => [h("dt", null, fieldWord(name)), h("dd", null, field(name, before[name], after[name], ground))]),
    ),
  );
}

const ORDER = ["statement", "name", "emoji", "description", "island", "founders", "supports"];
const same = (one: unknown, other: unknown): boolean => plain(one) === plain(other);
const plain = (value: unknown): string =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && !value.length) ? "" : JSON.stringify(value);

function field(name: string, before: unknown, after: unknown, ground: Ground): Child {
  if (Array.isArray(before) || Array.isArray(after)) {
    const [had, has] = [textsIn(before), textsIn(after)];
    const all = [...new Set([...had, ...has])];
    return h(
      "ul",
      { class: "change-memories" },
      all.map((id) => {
        const said = ground.said(id);
        return h("li", null, had.includes(id) && has.includes(id) ? said : had.includes(id) ? wordDiff(said, null) : wordDiff(null, said));
      }),
    );
  }
  const told = (value: unknown): string | null =>
    value === undefined || value === null || value === "" ? null : name === "island" ? ground.island(String(value)) : String(value);
  return wordDiff(told(before), told(after));
}
