/** One memory on the cliff: chosen or not, what it says, why it left, how long it has. */

import type { Memory } from "../../api/index.ts";
import { h } from "../../dom.ts";
import { date, dateTime } from "../../i18n.ts";
import { button, emotionChip, progress, tierMark, word } from "../../ui/index.ts";
import { DAY, leftWord, secondsLeft, shareLeft } from "./left.ts";
import { t } from "./texts.ts";

export interface Row {
  readonly element: HTMLLIElement;
  readonly box: HTMLInputElement;
  readonly memory: Memory;
  /** Time goes by. */
  tick(): void;
  choose(on: boolean): void;
}

export function row(
  memory: Memory,
  doing: {
    readonly onchoose: (on: boolean, stretch: boolean) => void;
    readonly onrestore: () => Promise<void>;
  },
): Row {
  let stretch = false;
  const box = h("input", {
    type: "checkbox",
    class: "cliff-box",
    "aria-label": t().select(memory.content.slice(0, 80)),
    "data-testid": "cliff-select",
    onclick: (event) => {
      stretch = event.shiftKey;
    },
    onchange: () => {
      doing.onchoose(box.checked, stretch);
      stretch = false;
    },
  });
  const left = h("span", { class: "cliff-left", title: memory.purge_at ? dateTime(memory.purge_at) : "" });
  const bar = progress({ label: t().timeLeft, share: 1 });
  const restore = button({ label: t().restore, icon: "undo", small: true, onclick: doing.onrestore });
  restore.dataset.testid = "cliff-restore";
  const reason = memory.departed_for === null ? null : h("span", { class: "mark cliff-reason" }, word("reason", memory.departed_for));
  const element = h(
    "li",
    { class: "cliff-row", "data-id": memory.id, "data-testid": "cliff-row" },
    h("label", { class: "cliff-choose" }, box),
    h(
      "div",
      { class: "cliff-what" },
      h("a", { class: "cliff-text", href: `#/memory/${encodeURIComponent(memory.id)}` }, memory.content),
      h(
        "div",
        { class: "memory-facts" },
        reason,
        tierMark(memory.tier),
        memory.emotions.map((each) => emotionChip(each)),
      ),
      h("p", { class: "small faint", "data-testid": "cliff-why" }, whyOf(memory)),
    ),
    h("div", { class: "cliff-time" }, left, bar.element),
    restore,
  );
  const tick = (): void => {
    const seconds = secondsLeft(memory);
    left.textContent = leftWord(memory);
    bar.set(shareLeft(memory));
    element.classList.toggle("soon", seconds < DAY);
    bar.element.style.setProperty("--progress", seconds < DAY ? "var(--warn)" : "var(--accent-fill)");
  };
  tick();
  const choose = (on: boolean): void => {
    box.checked = on;
    element.classList.toggle("chosen", on);
  };
  return { element, box, memory, tick, choose };
}

/** Why it is leaving, in a sentence. */
function whyOf(memory: Memory): string {
  const recalled = date(memory.last_recalled_at);
  const ended = date(memory.expires_at ?? memory.last_recalled_at);
  const sentences: Readonly<Record<string, string>> = {
    expired: t().whyExpired(word("tier", memory.tier), ended),
    displaced: t().whyDisplaced,
    stale: t().whyStale(recalled),
    merged: t().whyMerged,
    manual: t().whyManual,
  };
  return sentences[memory.departed_for ?? ""] ?? "";
}
