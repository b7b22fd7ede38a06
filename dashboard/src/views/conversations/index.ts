/** Conversations: each turn with what was done, why, and a way to say that it was wrong. */

import { explained, isAbort } from "../../api/index.ts";
import type { DecidedTurn } from "../../api/operations.ts";
import { fill, h, type Child } from "../../dom.ts";
import { date, number } from "../../i18n.ts";
import { hashOf, placeOf } from "../../router.ts";
import { button, empty, linkButton, relativeTime, skeleton, viewHead } from "../../ui/index.ts";
import { refill } from "../../ui/refill.ts";
import { rememberDialog } from "../../ui/remember.ts";
import type { Context, View } from "../../view.ts";
import { byDay, counted, didOf, type Talk } from "./days.ts";
import "./style.css";
import { t } from "./texts.ts";

const A_PAGE = 100;

export const view: View = {
  title: { en: "Conversations", ko: "대화" },
  async mount(container, context) {
    const { api, signal, live } = context;
    fill(container, viewHead(t().title, t().about), skeleton(6));
    let turns: DecidedTurn[] = [];
    let next: string | null = null;
    const read = async (before: string | null, limit: number): Promise<void> => {
      const page = await api.call("turn_list", { limit, ...(before === null ? {} : { before }) }, { signal });
      turns = before === null ? [...page.turns] : [...turns, ...page.turns];
      next = page.next;
    };
    const side = h("nav", { class: "talks", "aria-label": t().sessions });
    const page = h("div", { class: "stack talk", tabindex: -1 });
    const again = async (): Promise<void> => {
      try {
        await read(null, Math.min(1000, Math.max(A_PAGE, turns.length)));
        draw();
      } catch (error) {
        if (!isAbort(error)) context.toast(explained(error), { kind: "bad" });
      }
    };
    const chosen = (): string | null => placeOf(location.hash).query.get("session");
    const choose = (session: string | null): void => {
      history.replaceState(null, "", hashOf(session === null ? "conversations" : `conversations?session=${encodeURIComponent(session)}`));
      draw();
      page.focus({ preventScroll: true });
    };
    const draw = (): void => {
      if (!turns.length) {
        fill(
          container,
          viewHead(t().title, t().about),
          empty({ icon: "conversations", title: t().none, body: t().noneBody, action: linkButton({ label: t().connect, href: "#/today" }) }),
        );
        return;
      }
      if (!page.isConnected) fill(container, viewHead(t().title, t().about), h("div", { class: "talk-split" }, side, page));
      const wanted = chosen();
      const item = (label: string, session: string | null, some: readonly DecidedTurn[], name: string): HTMLElement => {
        const { kept, skipped, fetched } = counted(some);
        return h(
          "button",
          {
            type: "button",
            class: "talk-item",
            "aria-current": session === wanted ? "true" : null,
            "data-testid": "talk",
            "data-focus": name,
            onclick: () => choose(session),
          },
          h("strong", null, label),
          h("span", { class: "small faint" }, t().counts(number(kept), number(skipped), number(fetched))),
        );
      };
      refill(
        side,
        item(next === null ? t().all : t().latest(number(turns.length)), null, turns, "all"),
        byDay(turns).map(({ day, talks }) =>
          h(
            "div",
            { class: "talk-day" },
            h("h2", { class: "small faint" }, date(new Date(`${day}T12:00:00`))),
            talks
              .filter(({ session }) => session !== null)
              .map((talk: Talk) => item(talk.session ?? t().unnamed, talk.session, talk.turns, `${day} ${talk.session}`)),
          ),
        ),
      );
      const shown = wanted === null ? turns : turns.filter(({ session_id }) => session_id === wanted);
      const older =
        next === null
          ? null
          : button({
              label: t().more,
              kind: "quiet",
              onclick: async () => {
                await read(next, A_PAGE);
                draw();
              },
            });
      refill(
        page,
        h(
          "ol",
          { class: "turns", "data-testid": "turns" },
          shown.map((turn) => turnLine(turn, context, again)),
        ),
        older ?? h("p", { class: "small faint" }, t().end),
      );
    };
    await read(null, A_PAGE);
    draw();
    live.onChanges(
      (changes) => {
        if (changes.some(({ type }) => /^(stored|forgotten|restored|purged|rewarded|recalled|undone|reset)$/.test(type))) void again();
      },
      signal,
      1200,
    );
  },
};

function turnLine(turn: DecidedTurn, context: Context, again: () => Promise<void>): HTMLElement {
  const did = didOf(turn);
  const noticed = turn.signs.length ? t().noticed(turn.signs.map(signWord).join(", ")) : null;
  const why = [reasonOf(turn), turn.learned ? t().byLearned : null, noticed].filter(Boolean).join(" · ");
  const [right, wrong] = turn.said ? [t().saidRight, t().saidWrong] : [t().seemedRight, t().seemedWrong];
  const judged = turn.reward ? (turn.reward > 0 ? right : wrong) : null; // zero says neither
  const said = judged === null ? null : h("span", { class: "mark" }, judged);
  return h(
    "li",
    { class: `turn turn-${did}`, "data-testid": "turn", "data-turn": turn.turn_id },
    h("div", { class: "row spread" }, h("span", { class: `did did-${did}` }, t()[did]), h("span", { class: "row" }, said, relativeTime(turn.at))),
    h("p", { class: "turn-text" }, words(turn)),
    turn.fetched.length
      ? h(
          "details",
          { "data-focus": `fetched-${turn.turn_id}` },
          h("summary", { class: "small soft" }, (isLookup(turn) ? t().foundThere : t().quoted)(number(turn.fetched.length))),
          h(
            "ul",
            { class: "turn-quoted small" },
            turn.fetched.map(({ id, content }) =>
              h("li", null, content === null ? h("span", { class: "faint" }, t().goneMemory) : h("a", { href: `#/memory/${encodeURIComponent(id)}` }, content)),
            ),
          ),
        )
      : did === "asked"
        ? h("p", { class: "small soft" }, turn.reason === "asks_for_profile" ? t().profileGiven : t().noneGiven)
        : null,
    h(
      "div",
      { class: "row spread" },
      h("span", { class: "small faint", "data-testid": "turn-why" }, `${t().why}: ${why}`),
      !turn.said ? h("div", { class: "row" }, corrections(turn, context, again)) : null,
    ),
  );
}

const words = (turn: DecidedTurn): Child =>
  turn.saved
    ? h("a", { href: `#/memory/${encodeURIComponent(turn.saved.id)}` }, turn.saved.content)
    : h("span", { class: "faint" }, turn.action === "save" ? t().gone : isLookup(turn) ? t().lookedUp : t().notStored);

/** No turn of a conversation: what was asked in this page, and judged there. */
const isLookup = ({ reason }: DecidedTurn): boolean => reason === "looked_up";

/** Turns of older versions came without a reason, and newer ones may know others: then what was done says it. */
function reasonOf({ action, reason }: DecidedTurn): string {
  const words = t();
  const key = `why_${reason ?? action}`;
  return key in words ? (words[key as keyof typeof words] as string) : words[`why_${action}`];
}

/** Skipped for another reason than that there is little in it: nothing to keep, or not wanted. */
const NOT_TO_KEEP = new Set<string | null>(["asked_to_forget", "blocked", "duplicate", "unwanted", "nothing_stored"]);

function signWord(sign: string): string {
  const known = {
    question: t().sign_question,
    personal: t().sign_personal,
    preference: t().sign_preference,
    technical: t().sign_technical,
    emotion: t().sign_emotion,
  };
  return known[sign as keyof typeof known] ?? sign;
}

function corrections(turn: DecidedTurn, context: Context, again: () => Promise<void>): HTMLElement[] {
  const { api, toast } = context;
  /** What follows from it; no version is written while learning is switched off. */
  const tell = async (reward: number): Promise<string> => {
    const { credited, version } = await api.call("feedback", { turn_id: turn.turn_id, reward });
    return credited ? (version ? t().learns : t().learnsNot) : t().judgedBefore;
  };
  const make = (name: string, label: string, doing: () => Promise<void>): HTMLElement => {
    const made = button({
      label,
      small: true,
      kind: "quiet",
      onclick: async () => {
        try {
          await doing();
          await again();
        } catch (error) {
          if (!isAbort(error)) toast(explained(error), { kind: "bad" });
        }
      },
    });
    made.dataset.testid = `turn-${name}`;
    return made;
  };
  const right = make("right", t().right, async () => {
    const learns = await tell(1);
    toast(`${t().rightDone} ${learns}`, { kind: "good" });
  });
  const { saved } = turn;
  if (saved && saved.state !== "cliff") {
    return [
      right,
      make("not-keep", t().notKeep, async () => {
        await api.call("memory_delete", { id: saved.id });
        const learns = await tell(-1);
        toast(`${t().removed} ${learns}`, {
          kind: "good",
          undo: async () => {
            await api.call("memory_restore", { ids: [saved.id] });
            toast(t().back, { kind: "good" });
            await again();
          },
        });
      }),
    ];
  }
  if (turn.reason === "unwanted") return [right, linkButton({ label: t().wanted, href: "#/settings/engine", small: true, kind: "quiet" })];
  if (turn.action === "skip" && !NOT_TO_KEEP.has(turn.reason)) {
    return [
      right,
      make("should-keep", t().shouldKeep, async () => {
        const learns = await tell(-1);
        toast(`${t().wrongDone} ${learns}`, { kind: "good" });
        rememberDialog(context); // its words are not stored: only the user can say them again
      }),
    ];
  }
  return [
    right,
    make("wrong", t().wrong, async () => {
      const learns = await tell(-1);
      toast(`${t().wrongDone} ${learns}`, { kind: "good" });
    }),
  ];
}
