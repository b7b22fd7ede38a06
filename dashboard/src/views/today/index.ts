/** The first view: what was learned, what waits, what leaves, what changed; and a box to remember something. */

import { explained, isAbort, type Memory } from "../../api/index.ts";
import { fill, h, type Child } from "../../dom.ts";
import { fromNow, number } from "../../i18n.ts";
import { button, linkButton, relativeTime, skeleton, viewHead } from "../../ui/index.ts";
import { begunDrafts, keepDraft } from "../../ui/drafts.ts";
import { endsAt } from "../../ui/ends.ts";
import { refill } from "../../ui/refill.ts";
import { holdAgain, rememberBox, takeBack } from "../../ui/remember.ts";
import { kindWord } from "../../ui/self-words.ts";
import { wordDiff } from "../../ui/diff.ts";
import type { Context, View } from "../../view.ts";
import { firstRun, type FirstRun } from "./first-run.ts";
import { load, loadRest, type News } from "./news.ts";
import { visit } from "./since.ts";
import "./style.css";
import { t } from "./texts.ts";

const SHOWN = 6;

export const view: View = {
  title: { en: "Today", ko: "오늘" },
  async mount(container, context) {
    const {
      api,
      session: { owner },
      live,
      signal,
      toast,
    } = context;
    const { since, first } = visit(`${owner.user_id}/${owner.agent_id}`);
    const room = h("div", { class: "today-grid" });
    fill(container, viewHead(t().title), skeleton());
    let news = await load(context, since);
    const isNothing = (): boolean => news.stats.total + news.stats.cliff === 0;
    const figureRoom = h("div");
    const again = async (): Promise<void> => {
      try {
        const before = isNothing();
        news = await load(context, since, news.rest);
        if (before !== isNothing()) show();
        else draw();
        await complete();
      } catch (error) {
        if (!isAbort(error)) toast(explained(error), { kind: "bad" });
      }
    };
    const draw = (): void => {
      refill(room, sections(news, context, again));
      refill(figureRoom, figures(news));
    };
    const complete = async (): Promise<void> => {
      if (isNothing()) return;
      news = { ...news, rest: await loadRest(context, news.stats.total) };
      draw();
    };
    let starting: FirstRun | null = null;
    const show = (): void => {
      const isEmpty = isNothing();
      starting = isEmpty ? firstRun(context, again) : null;
      fill(room, isEmpty ? null : sections(news, context, again));
      fill(figureRoom, isEmpty ? null : figures(news));
      fill(
        container,
        viewHead(t().title, isEmpty ? null : first ? t().first : t().about(fromNow(since / 1000))),
        h(
          "section",
          { class: "panel today-remember", "data-testid": "today-remember" },
          rememberBox(context, (memory) => (starting ? starting.arrived(memory) : void again())),
        ),
        starting ? starting.element : [figureRoom, room],
      );
    };
    show();
    void complete().catch((error: unknown) => {
      if (!isAbort(error) && !signal.aborted) toast(explained(error), { kind: "bad" });
    });
    live.onChanges(
      (changes) => {
        if (starting) void greet(starting);
        else if (changes.some(({ type }) => type !== "recalled" && type !== "moved")) void again();
      },
      signal,
      400,
    );
    /** The first memory is shown where the reader waits for it; they say when to go on. */
    const greet = async (run: FirstRun): Promise<void> => {
      const newest = await api.call("memory_list", { limit: 1 }, { signal }).catch(() => null);
      if (newest?.memories[0]) run.arrived(newest.memories[0]);
    };
  },
};

function figures({ stats, rest }: News): HTMLElement {
  const figure = (count: number | undefined, label: string, href: string) =>
    h(
      "a",
      { class: "today-figure", href },
      h("strong", { "aria-busy": count === undefined ? "true" : null }, count === undefined ? "…" : number(count)),
      h("span", { class: "small soft" }, label),
    );
  return h(
    "div",
    { class: "today-figures", "data-testid": "today-figures" },
    figure(stats.total, t().known, "#/memories"),
    rest?.people === null ? null : figure(rest?.people, t().people, "#/people"),
    figure(stats.tiers.M0 ?? 0, t().core, "#/self/cores"),
    figure(stats.cliff, t().onCliff, "#/cliff"),
  );
}

function sections(news: News, context: Context, again: () => Promise<void>): Child {
  const { rest } = news;
  const demo = rest?.demo
    ? h(
        "div",
        { class: "panel row spread today-demo", "data-testid": "today-demo" },
        h("span", { class: "soft" }, t().demoHere(number(rest.demo))),
        removeDemo(context, again),
      )
    : null;
  const learned = part(
    "learned",
    t().learned,
    null,
    news.learned.slice(0, SHOWN).map((memory) => line(memory, relativeTime(memory.created_at), notTrue(memory, context, again))),
    t().learnedNone,
    counted(news.learned.length, news.hasMore),
    news.learned.length > SHOWN ? linkButton({ label: t().allNewest, href: "#/memories", small: true, kind: "quiet" }) : null,
  );
  const waiting = part(
    "waiting",
    t().waiting,
    null,
    news.waiting
      .slice(0, SHOWN)
      .map((proposal) =>
        h(
          "div",
          { class: "today-line" },
          h(
            "div",
            { class: "today-text" },
            h("a", { href: `#/approvals/${encodeURIComponent(proposal.id)}` }, kindWord(proposal.kind), " ", h("span", { class: "soft" }, headline(proposal))),
          ),
          h("div", { class: "today-end" }, relativeTime(proposal.proposed_at)),
        ),
      ),
    t().waitingNone,
    counted(news.waiting.length),
    news.waiting.length ? h("div", null, linkButton({ label: t().decide, href: "#/approvals", small: true, kind: "primary" })) : null,
  );
  const changed = part(
    "changed",
    t().changed,
    null,
    news.changed.slice(0, SHOWN).map((memory) =>
      h(
        "div",
        { class: "today-line today-changed" },
        memory.replaces.map(({ content }) =>
          h("div", { class: "today-text" }, h("a", { href: hrefOf(memory) }, content === null ? memory.content : wordDiff(content, memory.content))),
        ),
        h("div", { class: "today-end" }, relativeTime(memory.created_at), notTrue(memory, context, again)),
      ),
    ),
    t().changedNone,
    counted(news.changed.length, news.hasMore && news.changed.length > 0),
  );
  return [h("div", { class: "stack" }, begunPart(again), learned, leavingPart(news, context, again)), h("div", { class: "stack" }, waiting, changed, demo)];
}

/** What was being written when a session ended, or a page was closed. */
function begunPart(again: () => Promise<void>): HTMLElement | null {
  const begun = begunDrafts();
  if (!begun.length) return null;
  const lines = begun.map(({ name, place, values }) => {
    const discard = button({
      label: t().discard,
      small: true,
      kind: "quiet",
      onclick: async () => {
        keepDraft(name, null);
        await again();
      },
    });
    discard.dataset.testid = "begun-discard";
    const text = values.find((each) => each.trim()) ?? "";
    return h("div", { class: "today-line" }, h("div", { class: "today-text" }, h("a", { href: place }, text)), h("div", { class: "today-end" }, discard));
  });
  return part("begun", t().begun, t().begunAbout, lines, "", counted(begun.length));
}

function leavingPart({ rest, stats }: News, context: Context, again: () => Promise<void>): HTMLElement {
  if (!rest) return h("section", { class: "panel today-part", "data-testid": "today-leaving" }, h("h2", null, t().leaving), skeleton(3));
  const { leaving } = rest;
  return part(
    "leaving",
    t().leaving,
    t().leavingAbout,
    leaving
      .slice(0, SHOWN)
      .map((memory) => line(memory, h("span", { class: "small faint" }, t().ends(fromNow(endsAt(memory) ?? memory.created_at))), keep(memory, context, again))),
    t().leavingNone,
    counted(leaving.length, rest.moreLeave),
    [
      leaving.length > SHOWN ? linkButton({ label: t().bySoonest, href: "#/memories?sort=leaving&dir=asc", small: true, kind: "quiet" }) : null,
      stats.cliff ? h("a", { class: "small", href: "#/cliff" }, t().cliff(number(stats.cliff))) : null,
    ],
  );
}

function removeDemo({ api, toast }: Context, again: () => Promise<void>): HTMLElement {
  const made = button({
    label: t().demoRemove,
    small: true,
    onclick: async () => {
      try {
        const { removed, kept } = await api.call("demo_remove");
        toast([t().demoRemoved(number(removed)), kept ? t().demoKept(number(kept)) : ""].join(" ").trim(), { kind: "good" });
        await again();
      } catch (error) {
        if (!isAbort(error)) toast(explained(error), { kind: "bad" });
      }
    },
  });
  made.dataset.testid = "today-demo-remove";
  return made;
}

/** How many there are, as far as they were read. */
const counted = (count: number, hasMore = false): string => (count || hasMore ? `${number(count)}${hasMore ? "+" : ""}` : "");

const part = (name: string, title: string, about: string | null, lines: readonly HTMLElement[], none: string, total: string, foot: Child = null): HTMLElement =>
  h(
    "section",
    { class: "panel today-part", "data-testid": `today-${name}` },
    h("div", { class: "row spread" }, h("h2", null, title), total ? h("span", { class: "small faint" }, total) : null),
    about && lines.length ? h("p", { class: "small soft" }, about) : null,
    lines.length
      ? h(
          "ul",
          { class: "today-lines" },
          lines.map((each) => h("li", null, each)),
        )
      : h("p", { class: "soft" }, none),
    foot,
  );

const hrefOf = (memory: Memory): string => `#/memory/${encodeURIComponent(memory.id)}`;

const line = (memory: Memory, when: Child, action: Child): HTMLElement =>
  h(
    "div",
    { class: "today-line" },
    h("div", { class: "today-text" }, h("a", { href: hrefOf(memory) }, memory.content)),
    h("div", { class: "today-end" }, when, action),
  );

function keep(memory: Memory, { api, toast }: Context, again: () => Promise<void>): HTMLElement {
  const made = button({
    label: t().keep,
    small: true,
    icon: "pin",
    onclick: async () => {
      await api.call("memory_pin", { id: memory.id });
      toast(t().kept, {
        kind: "good",
        undo: async () => {
          await api.call("memory_unpin", { id: memory.id });
          await again();
        },
      });
      await again();
    },
  });
  made.dataset.testid = `keep-${memory.id}`;
  return made;
}

function notTrue(memory: Memory, { api, toast }: Context, again: () => Promise<void>): HTMLElement | null {
  if (memory.protection !== "none") return null;
  const made = button({
    label: t().notMine,
    small: true,
    kind: "quiet",
    onclick: async () => {
      await takeBack(api, memory);
      toast(t().taken, {
        kind: "good",
        undo: async () => {
          await holdAgain(api, memory);
          await again();
        },
      });
      await again();
    },
  });
  made.title = t().wrong;
  made.dataset.testid = `wrong-${memory.id}`;
  return made;
}

/** The text that a proposal is about, as far as it carries one. */
function headline(proposal: News["waiting"][number]): string {
  const after = proposal.changes[0]?.after ?? proposal.changes[0]?.before ?? {};
  const text = after.content ?? after.statement ?? after.name ?? "";
  return typeof text === "string" ? text : "";
}
