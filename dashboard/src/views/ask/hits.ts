/** What was found, best first, each with a plain reason; numbers are behind "Details". */

import { explained, isAbort } from "../../api/index.ts";
import type { SearchHits, Memory, MemoryFilter } from "../../api/operations.ts";
import type { Reasoned } from "../../api/reasons.ts";
import { fill, h, type Child } from "../../dom.ts";
import { button, empty, list, memoryCard } from "../../ui/index.ts";
import { marked, matchedWords } from "../../ui/matched.ts";
import { rememberDialog } from "../../ui/remember.ts";
import type { Context } from "../../view.ts";
import { t } from "./texts.ts";
import { grouped, longestOf, share, stages, why } from "./why.ts";

export interface Result {
  readonly question: string;
  readonly where: MemoryFilter | null;
  readonly hits: readonly Reasoned[];
  /** Whether anything answers the question; else the hits are only the nearest. */
  readonly known: boolean;
  readonly stages: SearchHits["stages"];
  /** How to get more of them; null if these are all. */
  readonly more: (() => Promise<void>) | null;
}

export function resultView(result: Result, isNarrowed: boolean, clear: () => void, context: Context): Child {
  const teach = (): HTMLElement => button({ label: t().teachIt, kind: "primary", icon: "plus", onclick: () => rememberDialog(context) });
  if (!result.hits.length) {
    return h(
      "div",
      { "data-testid": "ask-nothing" },
      empty({
        icon: "ask",
        title: isNarrowed ? t().nothing : t().unknown,
        body: t().nothingBody,
        action: isNarrowed ? button({ label: t().clear, onclick: clear }) : teach(),
      }),
      stages(result.stages),
    );
  }
  const longest = longestOf(result.hits);
  const shownCard = (hit: Reasoned): Child => card(hit, result, longest, context);
  const cards = (hits: readonly Reasoned[]): HTMLElement =>
    list({
      label: t().list,
      items: folded(hits),
      render: ([hit, ...same]) => [shownCard(hit), same.length ? sayingTheSame(same, shownCard) : null],
    });
  const more = result.more && button({ label: t().more, kind: "quiet", onclick: result.more });
  if (!result.known) {
    const nearest = cards(result.hits);
    nearest.dataset.testid = "ask-nearest";
    return [
      h("div", { "data-testid": "ask-unknown" }, empty({ icon: "ask", title: t().unknown, body: t().unknownBody, action: teach() })),
      h("details", { class: "ask-near" }, h("summary", null, t().near(result.hits.length)), h("div", { class: "stack" }, nearest)),
      stages(result.stages),
    ];
  }
  const shown = cards(result.hits);
  shown.dataset.testid = "ask-hits";
  return [shown, judgement(result, context), more, stages(result.stages)];
}

/** Those that say the same stand behind the best of them. */
export function folded(hits: readonly Reasoned[]): readonly (readonly [Reasoned, ...Reasoned[]])[] {
  const groups = new Map<string, [Reasoned, ...Reasoned[]]>();
  for (const hit of hits) {
    const first = hit.same_as ? groups.get(hit.same_as) : undefined;
    if (first) first.push(hit);
    else groups.set(hit.memory.id, [hit]);
  }
  return [...groups.values()];
}

const sayingTheSame = (same: readonly Reasoned[], shown: (hit: Reasoned) => Child): HTMLElement =>
  h(
    "details",
    { class: "ask-same", "data-testid": "ask-same" },
    h("summary", { class: "small faint" }, t().same(same.length)),
    h("div", { class: "stack" }, same.map(shown)),
  );

/** Whether all of it answers the question: the policy and the ranking learn from that, and no memory is changed. */
function judgement({ question, where }: Result, { api, session, toast, signal }: Context): Child {
  if (!question || !session.scopes.includes("write")) return null;
  const room = h("div", { class: "row ask-judge", role: "group", "aria-label": t().answered, "data-testid": "ask-judge" });
  const make = (right: boolean): HTMLElement => {
    const made = button({
      label: right ? t().yes : t().no,
      small: true,
      onclick: async () => {
        try {
          const { credited } = await api.call("answer_judge", { question, right, where }, { signal });
          fill(room, h("span", { class: "small soft", role: "status", tabindex: -1 }, credited ? (right ? t().toldRight : t().toldWrong) : t().notLearning));
          room.querySelector<HTMLElement>("[role=status]")?.focus();
        } catch (error) {
          if (!isAbort(error)) toast(explained(error), { kind: "bad" });
        }
      },
    });
    made.dataset.testid = right ? "answer-right" : "answer-wrong";
    return made;
  };
  fill(room, h("span", { class: "small" }, t().answered), make(true), make(false));
  return room;
}

/** In one or two sentences, from the lists that had it. */
export function reasonOf(hit: Reasoned, question: string): string {
  const words = matchedWords(hit.memory.content, question);
  const says = [
    words.length ? t().hasWords(words.map((word) => `“${word}”`).join(", ")) : null,
    hit.lists.includes("vectors") ? t().means : null,
    hit.lists.includes("graph") && !words.length ? t().related : null,
    hit.memory.valid_until ? t().replacedSince : hit.outdated_by ? t().likelyOutdated : null,
  ].filter((each) => each !== null);
  return says.length ? says.join(" ") : strongest(hit);
}

/** What counted most, where no word of the question is in the text. */
function strongest(hit: Reasoned): string {
  const sentences = { words: t().likeWords, vectors: t().means, graph: t().related, signals: t().kindFits, prior: t().central };
  const [group] = [...grouped(hit)].sort(([, one], [, other]) => other - one)[0] ?? ["prior"];
  return sentences[group];
}

function card(hit: Reasoned, { question }: Result, longest: number, context: Context): Child {
  if (!hit.lists.length && !hit.parts) return memoryCard(hit.memory);
  const shown = memoryCard(hit.memory, { words: marked(hit.memory.content, question) });
  shown.append(
    h(
      "div",
      { class: "hit-why" },
      h(
        "div",
        { class: "row spread" },
        h("p", { class: "small soft", "data-testid": "why-reason" }, reasonOf(hit, question)),
        h("div", { class: "row hit-judge" }, judgements(hit.memory, context)),
      ),
      h(
        "details",
        null,
        h("summary", { class: "small faint" }, t().details),
        h("div", { class: "hit-trace" }, h("span", { class: "hit-share", title: t().why }, share(hit.relevance)), why(hit, longest)),
      ),
    ),
  );
  return shown;
}

/** Right counts as a recall; wrong lets it go, with a way back. */
function judgements(memory: Memory, { api, toast }: Context): Child {
  const make = (name: string, label: string, hint: string, doing: () => Promise<void>): HTMLElement => {
    const made = button({
      label,
      small: true,
      kind: "quiet",
      onclick: async () => {
        try {
          await doing();
        } catch (error) {
          if (!isAbort(error)) toast(explained(error), { kind: "bad" });
        }
      },
    });
    [made.title, made.dataset.testid] = [hint, `hit-${name}`];
    return made;
  };
  return [
    make("right", t().right, t().rightHint, async () => {
      await api.call("memory_remind", { id: memory.id });
      toast(t().rightTold, { kind: "good" });
    }),
    memory.protection === "none"
      ? make("wrong", t().wrong, t().wrongHint, async () => {
          await api.call("memory_delete", { id: memory.id });
          toast(t().wrongTold, { kind: "good", undo: async () => void (await api.call("memory_restore", { ids: [memory.id] })) });
        })
      : null,
  ];
}

/** Memories that were listed, not searched: nothing ranks them. */
export const unranked = (memories: readonly Memory[]): readonly Reasoned[] =>
  memories.map((memory) => ({ memory, relevance: 0, lists: [], ranks: null, probability: 1, known: true, same_as: null, outdated_by: null }));
