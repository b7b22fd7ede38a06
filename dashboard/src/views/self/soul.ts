/** SOUL.md as it is, and every version of the self: what each changed, and the way back. */

import { explained, isAbort } from "../../api/index.ts";
import type { ApprovedSelf } from "../../api/operations.ts";
import { fill, h } from "../../dom.ts";
import { dateTime } from "../../i18n.ts";
import { copyButton } from "../../ui/copy.ts";
import { lineDiff } from "../../ui/diff.ts";
import { button, confirm, errorPanel, field, relativeTime, select, skeleton } from "../../ui/index.ts";
import { channelWord, kindWord, selfLines } from "../../ui/self-words.ts";
import type { Context } from "../../view.ts";
import { hasSoulDraft, soulEditor } from "./soul-editor.ts";
import { t } from "./texts.ts";

type Against = "before" | "now";

export function soulPanel(context: Context): HTMLElement {
  const room = h("div", { class: "soul", "data-testid": "soul" }, skeleton());
  const show = async (): Promise<void> => {
    try {
      const { api, signal } = context;
      const [{ text }, { versions }] = await Promise.all([api.call("soul_show", {}, { signal }), api.call("self_versions", { limit: 200 }, { signal })]);
      const open = (editing: boolean): void => {
        room.classList.toggle("editing", editing);
        fill(room, editing ? soulEditor(context, text, () => open(false)) : page(text, () => open(true)), past(context, versions));
        if (editing) room.querySelector("textarea")?.focus();
      };
      open(hasSoulDraft());
    } catch (error) {
      if (!isAbort(error))
        fill(
          room,
          errorPanel(error, () => void show()),
        );
    }
  };
  void show();
  return room;
}

function page(text: string, onedit: () => void): HTMLElement {
  const shown = h("div", { class: "soul-page", "data-testid": "soul-page", tabindex: 0, role: "region", "aria-label": t().soul }, text.split("\n").map(line));
  const copy = copyButton(() => text, { kind: "quiet", from: () => shown });
  copy.dataset.testid = "soul-copy";
  const edit = button({ label: t().editSoul, onclick: onedit });
  edit.dataset.testid = "soul-edit";
  return h("section", { class: "panel" }, h("div", { class: "row spread" }, h("h2", null, t().page), h("div", { class: "row" }, copy, edit)), shown);
}

/** Marks for programs stay out of sight; the rest is text, whatever it says. */
function line(text: string): HTMLElement | null {
  const said = text.replace(/\s*<!--.*?-->\s*$/, "");
  if (!said && text) return null;
  const heading = /^(#{1,3})\s+(.*)/.exec(said);
  if (heading) return h("div", { class: `soul-head level-${heading[1]?.length ?? 1}` }, heading[2]);
  const item = /^\s*[-*]\s+(.*)/.exec(said);
  return item ? h("div", { class: "soul-item" }, item[1]) : h("div", { class: "soul-line" }, said);
}

function past(context: Context, versions: readonly ApprovedSelf[]): HTMLElement {
  const shown = h("div", { class: "stack" });
  let against: Against = "before";
  let chosen = versions[0];
  const draw = (): void => {
    for (const each of index.querySelectorAll("button")) each.setAttribute("aria-pressed", String(each.dataset.version === String(chosen?.version)));
    if (chosen)
      fill(
        shown,
        compared(context, versions, chosen, against, (next) => {
          against = next;
          draw();
          shown.querySelector("select")?.focus();
        }),
      );
  };
  const index = h(
    "ol",
    { class: "soul-versions", "aria-label": t().versions, "data-testid": "soul-versions" },
    versions.map((each) =>
      h(
        "li",
        null,
        h(
          "button",
          {
            type: "button",
            class: "soul-version",
            "data-testid": "soul-version",
            "data-version": each.version,
            title: dateTime(each.at),
            onclick: () => {
              chosen = each;
              draw();
            },
          },
          h("strong", null, each.version),
          h("span", null, kindWord(each.kind)),
          relativeTime(each.at),
        ),
      ),
    ),
  );
  draw();
  return h(
    "section",
    { class: "panel" },
    h("h2", null, t().versions),
    versions.length ? h("div", { class: "soul-past" }, index, shown) : h("p", { class: "soft" }, t().noVersions),
  );
}

function compared(
  context: Context,
  versions: readonly ApprovedSelf[],
  chosen: ApprovedSelf,
  against: Against,
  onagainst: (next: Against) => void,
): HTMLElement[] {
  const newest = versions[0];
  const other = against === "now" ? newest : versions.find(({ version }) => version === chosen.version - 1);
  const [older, newer] = against === "now" ? [chosen, other] : [other, chosen];
  const nothing = { islands: [], beliefs: [] };
  const which = field({
    label: t().against,
    control: select<Against>({
      options: [
        ["before", t().before],
        ["now", t().now],
      ],
      selected: against,
      onchange: onagainst,
    }),
  });
  const title = t().compared(older?.version ?? 0, newer?.version ?? 0);
  const back = button({ label: t().goBack(chosen.version), icon: "undo", onclick: () => goBack(context, chosen.version) });
  back.dataset.testid = "soul-rollback";
  return [
    h("p", { class: "soft small" }, `${kindWord(chosen.kind)} · ${t().by(chosen.by)} · ${channelWord(chosen.channel)} · ${dateTime(chosen.at)}`),
    which,
    h("h3", null, title),
    lineDiff(selfLines(older ?? nothing), selfLines(newer ?? nothing), title),
    chosen === newest ? h("p", { class: "soft small" }, t().isNow) : h("div", null, back),
  ];
}

async function goBack({ api, signal, toast, navigate }: Context, version: number): Promise<void> {
  if (!(await confirm({ title: t().goBackTitle, body: t().goBackBody, action: t().proposeVerb, signal }))) return;
  try {
    const proposal = await api.call("propose_rollback", { version });
    toast(t().proposed, { kind: "good" });
    navigate(`approvals/${encodeURIComponent(proposal.id)}`);
  } catch (error) {
    toast(explained(error), { kind: "bad" });
  }
}
