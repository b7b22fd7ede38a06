/** The land of imagination: what was thought of, and whether it was welcome. */

import { explained, isAbort, type Idea, type IdeaPattern } from "../../api/index.ts";
import type { Known } from "../../api/known.ts";
import { fill, h } from "../../dom.ts";
import { percent } from "../../i18n.ts";
import { button, empty, emotionChip, EMOTIONS, errorPanel, progress, relativeTime, skeleton } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { moodWord, patternWord } from "./idea-words.ts";
import { memoryLinks } from "./parts.ts";
import { t } from "./texts.ts";

const WHY_NOT = ["off", "quiet_hours", "enough_today", "no_trigger", "no_idea"] as const;
const TRIGGERS = ["context", "idle", "time_of_day"] as const;

const triggerWord = (trigger: string): string => (TRIGGERS.find((each) => each === trigger) ? t()[trigger as (typeof TRIGGERS)[number]] : trigger);

export function imaginationPanel(context: Context, known: Known): HTMLElement {
  const { api, signal, toast } = context;
  const room = h("div", { "data-testid": "imagination" }, skeleton());
  const imagine = async (): Promise<void> => {
    try {
      const told = await api.call("imagine", {});
      const why = WHY_NOT.find((each) => each === told.why_not) ?? "no_idea";
      toast(told.idea ? t().imagined : t()[why], told.idea ? { kind: "good" } : {});
      if (told.idea) await show();
    } catch (error) {
      toast(explained(error), { kind: "bad" });
    }
  };
  const show = async (): Promise<void> => {
    try {
      const [{ ideas }, { patterns }] = await Promise.all([
        api.call("imagination_list", { limit: 50 }, { signal }),
        api.call("imagination_patterns", {}, { signal }),
      ]);
      const now = button({ label: t().imagine, kind: ideas.length ? "quiet" : "primary", onclick: imagine });
      now.dataset.testid = "imagine";
      fill(
        room,
        ideas.length
          ? h(
              "div",
              { class: "stack" },
              h("div", { class: "row spread" }, h("p", { class: "soft small" }, t().never), now),
              h(
                "div",
                { class: "grid" },
                ideas.map((idea) => card(context, idea, known)),
              ),
              liked(patterns),
            )
          : empty({ title: t().noIdeas, body: t().teachIdeas, action: now }),
      );
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

function card({ api, toast }: Context, idea: Idea, known: Known): HTMLElement {
  const say = async (liked: boolean): Promise<void> => {
    try {
      const told = await api.call("imagination_feedback", { id: idea.id, liked });
      mark(told.liked);
      toast(liked ? t().thanks : t().noted, { kind: "good" });
    } catch (error) {
      toast(explained(error), { kind: "bad" });
    }
  };
  const [yes, no] = [
    button({ label: t().like, small: true, onclick: () => say(true) }),
    button({ label: t().dislike, small: true, onclick: () => say(false) }),
  ];
  [yes.dataset.testid, no.dataset.testid] = ["idea-like", "idea-dislike"];
  const mark = (liked: boolean | null): void => {
    yes.setAttribute("aria-pressed", String(liked === true));
    no.setAttribute("aria-pressed", String(liked === false));
  };
  mark(idea.liked);
  const felt = (EMOTIONS as readonly string[]).includes(idea.emotion) ? emotionChip(idea.emotion) : h("span", { class: "mark" }, moodWord(idea.emotion));
  return h(
    "article",
    { class: "idea", "data-testid": "idea" },
    h("p", { class: "idea-words" }, idea.scenario),
    idea.action ? h("p", { class: "soft small" }, `${t().action}: ${idea.action}`) : null,
    h("div", { class: "memory-facts" }, felt, h("span", { class: "mark" }, `${t().from}: ${triggerWord(idea.trigger)}`), relativeTime(idea.at)),
    memoryLinks(idea.memories, known, t().gone),
    h("div", { class: "row" }, yes, no),
  );
}

function liked(patterns: readonly IdeaPattern[]): HTMLElement | null {
  if (!patterns.length) return null;
  return h(
    "section",
    { class: "panel stack" },
    h("h2", null, t().patterns),
    patterns.map((each) =>
      h(
        "div",
        { class: "measure" },
        h("span", { class: "small" }, `${patternWord(each.pattern)} · ${percent(each.strength)}`),
        progress({ label: patternWord(each.pattern), share: each.strength, colour: "--emotion-joy" }).element,
      ),
    ),
  );
}
