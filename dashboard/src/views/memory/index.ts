/** One memory, whole: what it says, why it is where it is, where it is going, what it is tied to, what happened to it. */

import "./past.css";
import "./score.css";
import "./style.css";
import "./ties.css";
import { ApiError, explained, isAbort, type Memory } from "../../api/index.ts";
import type { LedgerEvent } from "../../api/operations.ts";
import { fill, h } from "../../dom.ts";
import { skeleton } from "../../ui/index.ts";
import type { Context, View } from "../../view.ts";
import { showAbsent, showChoose } from "./absent.ts";
import { coordinateSection } from "./coordinate.ts";
import { refill } from "../../ui/refill.ts";
import { head, notices } from "./head.ts";
import { resumeEditing } from "./edit.ts";
import { historySection } from "./history.ts";
import { linksSection } from "./links.ts";
import { outlookSection } from "./outlook.ts";
import { isInOrbit, type Page } from "./page.ts";
import { scoreSection } from "./score.ts";
import { textSection } from "./text.ts";

const PAGE = 20;
const MOST_TIES = 24;
/** How far ahead and how many steps away one looks stays so from memory to memory. */
const looking = { days: "7", farther: false };

export const view: View = {
  title: { en: "Memory", ko: "기억" },
  async mount(container, context) {
    const [id] = context.params;
    if (!id) return showChoose(container);
    fill(container, skeleton(8));
    try {
      await show(container, id, context);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      await showAbsent(container, id, context);
    }
  },
};

async function show(container: HTMLElement, asked: string, context: Context): Promise<void> {
  const { api, signal } = context;
  const first = api.call("memory_get", { id: asked }, { signal });
  const [got, { zones }] = await Promise.all([first, api.call("orbits", { limit: 1 }, { signal })]);
  const { id } = got;
  let memory: Memory = got;
  let pages = 1;
  const section = (name: string, extra = ""): HTMLElement => h("section", { class: `panel ${extra}`, "data-testid": `section-${name}` });
  const top = h("div");
  const told = h("div", { class: "stack memory-notices" });
  const [text, score, ahead, where, ties, past] = [
    section("text"),
    section("score"),
    section("outlook"),
    section("coordinate"),
    section("links"),
    section("history"),
  ];
  fill(
    container,
    top,
    told,
    h("div", { class: "memory-page" }, h("div", { class: "stack" }, text, score, ahead, ties), h("div", { class: "stack" }, where, past)),
  );

  const outlook = outlookSection(
    looking.days,
    (days) => {
      looking.days = days;
      void guarded(readOutlook);
    },
    signal,
  );
  const links = linksSection({
    farther: looking.farther,
    onfarther: (on) => {
      looking.farther = on;
      void guarded(readTies);
    },
    signal,
    open: (other) => context.navigate(`memory/${encodeURIComponent(other)}`),
  });
  fill(ahead, outlook.element);
  fill(ties, links.element);

  const readOutlook = async (): Promise<void> => {
    score.hidden = ahead.hidden = !isInOrbit(memory); // who is in no orbit drifts nowhere
    if (!isInOrbit(memory)) return;
    const seen = await api.call("memory_outlook", { id, days: Number(looking.days) }, { signal });
    refill(score, scoreSection(seen, zones, memory.zone));
    outlook.show(seen, zones);
  };
  const readTies = async (): Promise<void> => {
    const { related } = await api.call("memory_get_related", { id, depth: looking.farther ? 2 : 1, limit: MOST_TIES }, { signal });
    links.show(
      memory,
      [...related].sort((one, other) => one.distance - other.distance),
    );
  };
  const readPast = async (): Promise<void> => {
    const { events, next } = await api.call("memory_history", { id, limit: PAGE * pages }, { signal });
    const older = async (): Promise<void> => {
      pages += 1;
      await guarded(readPast);
    };
    refill(past, historySection(page, events, zones, next === null ? null : older));
    refill(told, notices(memory, heldUntil(events), await newer(memory)));
  };
  const newer = async ({ superseded_by }: Memory): Promise<Memory | null> =>
    superseded_by ? api.call("memory_get", { id: superseded_by }, { signal }).catch(() => null) : null;
  const draw = (): void => {
    refill(top, head(page));
    refill(text, textSection(page));
    refill(where, coordinateSection(memory));
  };
  const readRest = (): Promise<unknown> => Promise.all([readOutlook(), readTies(), readPast()]);
  const guarded = async (reading: () => Promise<unknown>): Promise<void> => {
    try {
      await reading();
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      if (error instanceof ApiError && error.status === 404) return showAbsent(container, id, context);
      context.toast(explained(error), { kind: "bad" });
    }
  };
  const page: Page = {
    context,
    memory: () => memory,
    refresh: () =>
      guarded(async () => {
        const read = await api.call("memory_get", { id }, { signal });
        const changed = JSON.stringify(read) !== JSON.stringify(memory);
        memory = read;
        if (changed) draw();
        await readRest();
      }),
  };
  draw();
  await readRest();
  resumeEditing(page);
  context.live.onChanges((changes) => {
    if (changes.some((change) => change.id === id || change.type === "reset")) void page.refresh();
  }, signal);
}

/** When a newer statement took its place, as the ledger says. */
function heldUntil(events: readonly LedgerEvent[]): number | null {
  const until = events.find((event) => event.type === "superseded")?.detail.until;
  return typeof until === "number" ? until : null;
}
