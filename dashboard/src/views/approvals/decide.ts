/** The user's word: an approval in two steps, a rejection after one question. */

import { ApiError, explained, isAbort, type Proposal } from "../../api/index.ts";
import { h } from "../../dom.ts";
import { button, confirm, dialog } from "../../ui/index.ts";
import { kindWord } from "../../ui/self-words.ts";
import type { Context } from "../../view.ts";
import { changesOf } from "./changes.ts";
import type { Ground } from "./ground.ts";
import { shakenBy } from "./reasons.ts";
import { t } from "./texts.ts";

/** Opens the proposal again: the token stands for exactly the diff that is shown here. True once it is decided, by whomever. */
export async function approve(context: Context, proposal: Proposal, groundFor: (fresh: Proposal) => Promise<Ground>): Promise<boolean> {
  const { api, signal, toast } = context;
  try {
    const opened = await api.call("proposal_open", { proposal: proposal.id }, { signal });
    if (JSON.stringify(opened.proposal.changes) !== JSON.stringify(proposal.changes)) toast(t().anotherWas, { kind: "bad" });
    if (opened.limit !== null) {
      showLimit(signal); // before anybody has read and ticked anything in vain
      return false;
    }
    if (!(await agreed(opened.proposal, await groundFor(opened.proposal), signal))) return false;
    await api.call("proposal_approve", { proposal: proposal.id, token: opened.token });
    toast(t().approved, { kind: "good" });
    return true;
  } catch (error) {
    return told(context, error);
  }
}

function showLimit(signal: AbortSignal): void {
  const close = button({ label: t().understood, kind: "primary", onclick: () => shown.close() });
  const shown = dialog({ title: t().limitTitle, body: h("p", { "data-testid": "approve-limit" }, t().limit), actions: [close], signal });
  close.focus();
}

/** Shows the diff once more; the button wakes only after the box is ticked. */
async function agreed(proposal: Proposal, ground: Ground, signal: AbortSignal): Promise<boolean> {
  let said = false;
  const box = h("input", {
    type: "checkbox",
    class: "approve-box",
    "data-testid": "approve-understood",
    onchange: () => {
      yes.disabled = !box.checked;
    },
  });
  const heavy = proposal.changes.some(({ after }) => after === null);
  const yes = button({
    label: t().approveNow,
    kind: heavy ? "danger" : "primary",
    disabled: true,
    onclick: () => {
      said = true;
      asked.close();
    },
  });
  yes.dataset.testid = "approve-confirm";
  const no = button({ label: t().cancel, kind: "quiet", onclick: () => asked.close() });
  const asked = dialog({
    title: `${t().approveTitle} ${kindWord(proposal.kind)}`,
    wide: true,
    signal,
    actions: [no, yes],
    body: h(
      "div",
      { class: "stack" },
      shakenBy(proposal, ground),
      h("p", { class: "soft" }, t().exactly),
      changesOf(proposal, ground),
      h("label", { class: "row" }, box, t().understand),
    ),
  });
  box.focus();
  await asked.closed;
  return said;
}

export async function reject(context: Context, proposal: Proposal): Promise<boolean> {
  const { api, signal, toast } = context;
  if (!(await confirm({ title: t().rejectTitle, body: t().rejectBody, action: t().reject, signal }))) return false;
  try {
    await api.call("proposal_reject", { proposal: proposal.id });
    toast(t().rejected, { kind: "good" });
    return true;
  } catch (error) {
    return told(context, error);
  }
}

/** Everything that waits, after one question. */
export async function rejectAll(context: Context, proposals: readonly Proposal[]): Promise<boolean> {
  const { api, signal, toast } = context;
  if (!(await confirm({ title: t().rejectAllTitle(proposals.length), body: t().rejectBody, action: t().reject, danger: true, signal }))) return false;
  try {
    for (const { id } of proposals) await api.call("proposal_reject", { proposal: id });
    toast(t().rejected, { kind: "good" });
  } catch (error) {
    told(context, error);
  }
  return true;
}

/** What somebody else decided meanwhile is decided. */
function told({ toast }: Context, error: unknown): boolean {
  if (isAbort(error)) return false;
  toast(explained(error), { kind: "bad" });
  return error instanceof ApiError && (error.code === "already_decided" || error.code === "proposal_expired" || error.status === 404);
}
