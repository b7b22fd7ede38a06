/** The inbox of the self: what waits for the user's word, and what was decided. */

import { explained, isAbort, type Proposal, type Self } from "../../api/index.ts";
import { Known } from "../../api/known.ts";
import { fill, h } from "../../dom.ts";
import { said } from "../../i18n.ts";
import { button, empty, errorPanel, linkButton, relativeTime, skeleton, viewHead } from "../../ui/index.ts";
import { kindWord, statusWord } from "../../ui/self-words.ts";
import type { View } from "../../view.ts";
import { approve, reject, rejectAll } from "./decide.ts";
import { detail } from "./detail.ts";
import { groundOf, headline } from "./ground.ts";
import "./proposal.css";
import "./style.css";
import { t } from "./texts.ts";

const TOUCHES_PROPOSALS = /^(proposed|approved|rejected|proposal_ended|self_changed|island_changed|purged|backup_restored|reset)$/;
const STATUSES = ["pending", "approved", "rejected", "expired", "withdrawn"] as const;
const MOST = 200;

export const view: View = {
  title: { en: "Approvals", ko: "승인" },
  async mount(container, context) {
    const { api, live, signal, toast, params } = context;
    fill(container, viewHead(said(view.title), t().about), skeleton());
    const known = new Known(api, signal);
    const index = h("ul", { class: "inbox-list", "aria-label": t().list, "data-testid": "inbox" });
    const page = h("div", { class: "inbox-page", tabindex: -1, "data-testid": "inbox-page" });
    const inbox = h("div", { class: "inbox" }, index, page);
    const nothing = h("div");
    const which = h("div", { class: "inbox-which", role: "group", "aria-label": t().which });
    let [proposals, self] = await load();
    let chosen: string | null = params[0] ?? null;
    let decided = chosen !== null && proposals.some(({ id, status }) => id === chosen && status !== "pending");
    let opening = 0;

    async function load(): Promise<[readonly Proposal[], Self]> {
      const inboxes = STATUSES.map((status) => api.call("inbox_list", { status, limit: MOST }, { signal }));
      const [self, waiting, ...over] = await Promise.all([api.call("self_show", {}, { signal }), ...inboxes]);
      const past = over
        .flatMap(({ proposals }) => proposals)
        .sort((one, other) => (other.decided_at ?? other.expires_at).localeCompare(one.decided_at ?? one.expires_at));
      return [[...(waiting?.proposals ?? []), ...past], self];
    }
    const shown = (): Proposal[] => proposals.filter(({ status }) => (status === "pending") !== decided);

    const again = async (): Promise<void> => {
      try {
        [proposals, self] = await load();
        await draw();
      } catch (error) {
        if (!isAbort(error)) toast(explained(error), { kind: "bad" });
      }
    };
    const choose = (id: string | null, open: boolean): void => {
      chosen = id;
      history.replaceState(null, "", id && open ? `#/approvals/${encodeURIComponent(id)}` : "#/approvals");
      inbox.classList.toggle("open", open);
    };

    const draw = async (): Promise<void> => {
      const all = shown();
      const focused = inbox.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.focus : undefined;
      const waiting = proposals.filter(({ status }) => status === "pending").length;
      const side = (done: boolean, label: string, count: number) =>
        h(
          "button",
          {
            type: "button",
            class: "inbox-side",
            "aria-pressed": String(decided === done),
            "data-testid": done ? "inbox-decided" : "inbox-waiting",
            onclick: (event) => {
              decided = done;
              choose(null, false);
              void draw().then(() => which.querySelector<HTMLElement>(`[data-testid=${(event.target as HTMLElement).dataset.testid}]`)?.focus());
            },
          },
          label,
          h("span", { class: "faint" }, ` ${count}`),
        );
      const every =
        !decided && all.length > 1
          ? button({
              label: t().rejectAll,
              small: true,
              kind: "quiet",
              onclick: async () => {
                if (await rejectAll(context, shown())) await again();
              },
            })
          : null;
      if (every) every.dataset.testid = "reject-all";
      fill(
        which,
        side(false, t().waiting, waiting),
        side(true, t().decided, proposals.length - waiting),
        every,
        all.length ? h("span", { class: "small faint inbox-keys" }, t().keys) : null,
      );
      if (!all.some(({ id }) => id === chosen)) choose(all[0]?.id ?? null, false);
      inbox.hidden = all.length === 0;
      fill(
        nothing,
        all.length
          ? null
          : decided
            ? empty({ icon: "approvals", title: t().noneDecided, body: t().teachDecided })
            : empty({ icon: "approvals", title: t().nothing, body: t().teach, action: linkButton({ label: t().goToSelf, href: "#/self" }) }),
      );
      await Promise.all([drawList(all), drawPage()]);
      if (focused && !inbox.contains(document.activeElement))
        (inbox.querySelector<HTMLElement>(`[data-focus="${focused}"]`) ?? page).focus({ preventScroll: true });
    };

    const drawList = async (all: readonly Proposal[]): Promise<void> => {
      const memories = await known.all(all.flatMap(({ changes }) => (changes[0]?.on === "memory" ? [changes[0].id] : [])));
      fill(
        index,
        all.map((proposal) =>
          h(
            "li",
            null,
            h(
              "button",
              {
                type: "button",
                class: "inbox-item",
                "aria-current": proposal.id === chosen ? "true" : null,
                "data-focus": `item-${proposal.id}`,
                "data-testid": "inbox-item",
                onclick: () => {
                  choose(proposal.id, true);
                  void draw();
                  if (getComputedStyle(index).display === "none") page.focus();
                },
              },
              h(
                "span",
                { class: "row spread" },
                h("span", { class: `kind-mark ${proposal.kind}` }, kindWord(proposal.kind)),
                proposal.status === "pending"
                  ? relativeTime(proposal.proposed_at)
                  : h("span", { class: `status-mark ${proposal.status}` }, statusWord(proposal.status)),
              ),
              h(
                "span",
                { class: "inbox-headline" },
                headline(proposal, (id) => memories.get(id)?.content ?? null),
              ),
            ),
          ),
        ),
      );
    };

    const drawPage = async (): Promise<void> => {
      const turn = ++opening;
      const proposal = proposals.find(({ id }) => id === chosen);
      if (!proposal) return fill(page);
      try {
        const ground = await groundOf(proposal, self, known);
        if (turn !== opening) return;
        const focused = page.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.focus : undefined;
        const open = page.querySelector<HTMLDetailsElement>(`[data-id="${proposal.id}"] details`)?.open ?? false;
        fill(
          page,
          h(
            "div",
            { class: "inbox-back" },
            button({
              label: t().back,
              icon: "undo",
              kind: "quiet",
              onclick: () => {
                choose(chosen, false);
                index.querySelector<HTMLElement>("[aria-current]")?.focus();
              },
            }),
          ),
          detail(proposal, ground, proposal.status === "pending" ? actions(proposal) : null),
        );
        for (const each of page.querySelectorAll("details")) each.open = open;
        if (focused) (page.querySelector<HTMLElement>(`[data-focus="${focused}"]`) ?? page).focus({ preventScroll: true });
      } catch (error) {
        if (!isAbort(error) && turn === opening)
          fill(
            page,
            errorPanel(error, () => void drawPage()),
          );
      }
    };

    const actions = (proposal: Proposal): HTMLElement[] => {
      const yes = button({
        label: t().approve,
        icon: "approvals",
        kind: "primary",
        onclick: async () => {
          if (await approve(context, proposal, (fresh) => groundOf(fresh, self, known))) await again();
        },
      });
      const no = button({
        label: t().reject,
        onclick: async () => {
          if (await reject(context, proposal)) await again();
        },
      });
      [yes.dataset.testid, yes.dataset.focus, no.dataset.testid, no.dataset.focus] = ["proposal-approve", "approve", "proposal-reject", "reject"];
      return [no, yes];
    };

    document.addEventListener(
      "keydown",
      (event) => {
        const typing = event.target instanceof HTMLElement && (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName));
        if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing || document.querySelector("dialog[open]")) return;
        const all = shown();
        const at = all.findIndex(({ id }) => id === chosen);
        const next = { KeyJ: at + 1, KeyK: at - 1 }[event.code];
        const proposal = next === undefined ? undefined : all[Math.min(all.length - 1, Math.max(0, next))];
        if (proposal) {
          choose(proposal.id, true);
          void draw().then(() => index.querySelector<HTMLElement>("[aria-current]")?.focus());
        } else if (event.code === "KeyA") page.querySelector<HTMLElement>("[data-testid=proposal-approve]")?.click();
        else if (event.code === "KeyR") page.querySelector<HTMLElement>("[data-testid=proposal-reject]")?.click();
      },
      { signal },
    );
    index.addEventListener("keydown", (event) => {
      const stops = [...index.querySelectorAll<HTMLElement>(".inbox-item")];
      const now = stops.indexOf(document.activeElement as HTMLElement);
      const next = { ArrowUp: now - 1, ArrowDown: now + 1, Home: 0, End: stops.length - 1 }[event.key];
      if (next === undefined || now < 0) return;
      event.preventDefault();
      stops[Math.min(stops.length - 1, Math.max(0, next))]?.focus();
    });
    fill(container, viewHead(said(view.title), t().about), which, inbox, nothing);
    if (params[0]) choose(params[0], true);
    await draw();
    live.onChanges((changes) => {
      for (const { type, id } of changes) if (id && /^(purged|updated|promoted|restored|forgotten)$/.test(type)) known.forget(id);
      if (changes.some(({ type }) => TOUCHES_PROPOSALS.test(type))) void again();
    }, signal);
  },
};
