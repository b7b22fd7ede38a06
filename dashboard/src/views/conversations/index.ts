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
        older,
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
  const why = [t()[`why_${turn.action}`], turn.learned ? t().byLearned : null, noticed].filter(Boolean).join(" · ");
  const judged = turn.said
    ? (turn.reward ?? 0) >= 0
      ? t().saidRight
      : t().saidWrong
    : turn.reward === null
      ? null
      : turn.reward >= 0
        ? t().seemedRight
        : t().seemedWrong;
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
          h("summary", { class: "small soft" }, t().quoted(number(turn.fetched.length))),
          h(
            "ul",
            { class: "turn-quoted small" },
            turn.fetched.map(({ id, content }) =>
              h("li", null, content === null ? h("span", { class: "faint" }, t().goneMemory) : h("a", { href: `#/memory/${encodeURIComponent(id)}` }, content)),
            ),
          ),
        )
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
    : h("span", { class: "faint" }, turn.action === "save" ? t().gone : t().notStored);

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
  const tell = async (reward: number): Promise<void> => void (await api.call("feedback", { turn_id: turn.turn_id, reward }));
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
    await tell(1);
    toast(t().rightDone, { kind: "good" });
  });
  const { saved } = turn;
  if (saved && saved.state !== "cliff") {
    return [
      right,
      make("not-keep", t().notKeep, async () => {
        await api.call("memory_delete", { id: saved.id });
        await tell(-1);
        toast(t().removed, {
          kind: "good",
          undo: async () => {
            await api.call("memory_restore", { ids: [saved.id] });
            await again();
          },
        });
      }),
    ];
  }
  if (turn.action === "skip") {
    return [
      right,
      make("should-keep", t().shouldKeep, async () => {
        await tell(-1);
        toast(t().wrongDone, { kind: "good" });
        rememberDialog(context); // its words are not stored: only the user can say them again
      }),
    ];
  }
  return [
    right,
    make("wrong", t().wrong, async () => {
      await tell(-1);
      toast(t().wrongDone, { kind: "good" });
    }),
  ];
}
