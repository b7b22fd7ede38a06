/** SOUL.md to write in: what would change stands beside it, and becomes proposals. The text is kept until then. */

import { explained, isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { number } from "../../i18n.ts";
import { lineDiff } from "../../ui/diff.ts";
import { draftOf, keepDraft } from "../../ui/drafts.ts";
import { button, confirm, textarea } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { markedSoul, plainSoul } from "./soul-marks.ts";
import { t } from "./texts.ts";

const DRAFT = "soul";

/** Whether something was written here before and not proposed yet. */
export const hasSoulDraft = (): boolean => draftOf(DRAFT) !== null;

export function soulEditor(context: Context, now: string, onclose: () => void): HTMLElement {
  const kept = draftOf(DRAFT);
  const page = kept?.base ?? now;
  const original = plainSoul(page);
  const shown = h("div", { "data-testid": "soul-diff" });
  const fault = h("p", { class: "form-fault", role: "alert" });
  const propose = button({ label: t().proposeEdits, kind: "primary", disabled: true, onclick: () => send() });
  propose.dataset.testid = "soul-propose";
  const box = textarea({
    rows: Math.min(28, Math.max(14, original.split("\n").length + 3)),
    class: "soul-text",
    "aria-label": t().soul,
    spellcheck: "false",
    value: kept?.values[0] ?? original,
    "data-testid": "soul-text",
    "data-keeps": "",
    oninput: () => {
      keepDraft(DRAFT, box.value === original ? null : { values: [box.value], base: page, place: location.hash });
      draw();
    },
  });
  const draw = (): void => {
    const changed = box.value.trimEnd() !== original;
    propose.disabled = !changed;
    fill(shown, changed ? lineDiff(original.split("\n"), box.value.trimEnd().split("\n"), t().edits) : h("p", { class: "soft" }, t().noEdits));
  };
  const close = (): void => {
    keepDraft(DRAFT, null);
    onclose();
  };
  const send = async (): Promise<void> => {
    fault.textContent = "";
    try {
      const { proposals } = await context.api.call("soul_propose", { text: markedSoul(page, box.value) });
      if (!proposals.length) {
        fault.textContent = t().nothingToPropose;
        return;
      }
      close();
      context.toast(t().editsProposed(number(proposals.length)), { kind: "good" });
      context.navigate(`approvals/${encodeURIComponent(proposals[0]?.id ?? "")}`);
    } catch (error) {
      if (!isAbort(error)) fault.textContent = explained(error); // the text stays
    }
  };
  const cancel = button({
    label: t().stopEditing,
    kind: "quiet",
    onclick: async () => {
      const changed = box.value.trimEnd() !== original;
      if (!changed || (await confirm({ title: t().discardTitle, body: t().discardBody, action: t().discard, danger: true, signal: context.signal }))) close();
    },
  });
  cancel.dataset.testid = "soul-cancel";
  draw();
  return h(
    "section",
    { class: "panel stack", "data-testid": "soul-editor" },
    h("div", { class: "row spread" }, h("h2", null, t().editTitle), h("div", { class: "row" }, cancel, propose)),
    h("p", { class: "soft small" }, t().editAbout),
    kept && page !== now ? h("p", { class: "small", role: "status" }, t().olderDraft) : null,
    fault,
    h("div", { class: "soul-edit" }, box, h("div", { class: "stack" }, h("h3", null, t().edits), shown)),
  );
}
