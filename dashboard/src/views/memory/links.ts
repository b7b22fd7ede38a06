/** What it is tied to: a picture with this memory in the middle, and the same as a list. */

import type { EChartsCoreOption } from "echarts/core";
import type { Memory } from "../../api/index.ts";
import type { RelatedMemory } from "../../api/operations.ts";
import { chart, type Chart } from "../../charts.ts";
import { fill, h, type Child } from "../../dom.ts";
import { texts } from "../../i18n.ts";
import { colour } from "../../theme/index.ts";
import { emotionChip, list, toggle, zoneMark } from "../../ui/index.ts";

const t = texts({
  en: {
    title: "Ties",
    about: "Memories it is linked to, or that tell of the same people and things.",
    none: "Nothing is tied to it yet. Memories that tell of the same people and things find each other.",
    farther: "Two steps",
    linked: "linked",
    says: "says “not”",
    label: (count: number) => `${count} memories around this one.`,
    steps: (count: number) => (count === 1 ? "1 step" : `${count} steps`),
    list: "Tied memories",
  },
  ko: {
    title: "이어진 기억",
    about: "직접 이어 두었거나 같은 사람과 사물을 이야기하는 기억입니다.",
    none: "아직 이어진 기억이 없습니다. 같은 사람이나 사물을 이야기하는 기억은 서로를 찾아냅니다.",
    farther: "두 걸음까지",
    linked: "직접 이음",
    says: "부정하는 말",
    label: (count: number) => `이 기억 둘레의 기억 ${count}개.`,
    steps: (count: number) => `${count}걸음`,
    list: "이어진 기억 목록",
  },
});

export interface LinksSection {
  readonly element: HTMLElement;
  show(memory: Memory, related: readonly RelatedMemory[]): void;
}

export function linksSection(options: {
  readonly farther: boolean;
  readonly onfarther: (on: boolean) => void;
  readonly open: (id: string) => void;
  readonly signal: AbortSignal;
}): LinksSection {
  const room = h("div", { class: "chart memory-ties", role: "img", "aria-label": t().title, "data-testid": "memory-graph" });
  const listed = h("div", { "data-testid": "memory-related" });
  const element = h(
    "div",
    { class: "stack tight" },
    h(
      "div",
      { class: "row spread" },
      h("div", null, h("h2", null, t().title), h("p", { class: "small soft" }, t().about)),
      toggle({ label: t().farther, on: options.farther, onchange: options.onfarther }),
    ),
    h("div", { class: "ties" }, room, listed),
  );
  let drawn: Promise<Chart> | null = null;
  let ids: readonly string[] = [];
  return {
    element,
    show(memory, related) {
      ids = [memory.id, ...related.map((each) => each.memory.id)];
      room.hidden = related.length === 0;
      fill(listed, related.length ? list({ label: t().list, items: related, render: tie }) : h("p", { class: "soft" }, t().none));
      if (!related.length && !drawn) return;
      const option = () => optionOf(memory, related);
      const label = t().label(related.length);
      if (drawn) void drawn.then((each) => each.set(option, label));
      else {
        drawn = chart(room, option, {
          label,
          signal: options.signal,
          onclick: ({ dataIndex, data }) => {
            const id = ids[dataIndex];
            if (id && id !== memory.id && !(data as { source?: unknown }).source) options.open(id);
          },
        });
      }
      room.setAttribute("aria-label", label);
    },
  };
}

function tie(each: RelatedMemory): Child {
  const feeling = each.memory.emotions[0];
  return h(
    "div",
    { class: "tie" },
    h("a", { href: `#/memory/${encodeURIComponent(each.memory.id)}` }, each.memory.content),
    h(
      "span",
      { class: "memory-facts" },
      each.distance > 1 && h("span", { class: "mark" }, t().steps(each.distance)),
      each.linked && h("span", { class: "mark" }, t().linked),
      each.shared.map((name) => h("span", { class: "memory-word" }, name)),
      each.negative && h("span", { class: "mark memory-warn" }, t().says),
      zoneMark(each.memory.zone),
      feeling && emotionChip(feeling),
    ),
  );
}

const RINGS = [0, 130, 235];
const LABELLED = 6;

/** Rings by distance, like orbits: the same memory lies at the same place every time. */
function optionOf(memory: Memory, related: readonly RelatedMemory[]): EChartsCoreOption {
  const text = colour("--text");
  const node = (each: Memory, x: number, y: number, size: number, label: boolean) => ({
    name: each.id,
    x,
    y,
    symbolSize: size,
    itemStyle: { color: colour(each.emotions[0] ? `--emotion-${each.emotions[0]}` : `--zone-${each.zone}`) },
    label: { show: label, formatter: () => shortened(each.content, 16) },
    told: each.content,
  });
  const sun = { ...node(memory, 0, 0, 34, false), itemStyle: { color: colour("--zone-core"), shadowBlur: 24, shadowColor: colour("--zone-core") } };
  const nodes: ReturnType<typeof node>[] = [sun];
  for (const distance of [1, 2]) {
    const ring = related.filter((each) => each.distance === distance);
    for (const [at, each] of ring.entries()) {
      const angle = ((at + (distance === 2 ? 0.5 : 0)) / ring.length) * 2 * Math.PI - Math.PI / 2;
      const away = RINGS[distance] ?? 0;
      nodes.push(
        node(each.memory, Math.cos(angle) * away, Math.sin(angle) * away, 12 + each.memory.importance * 14, distance === 1 && ring.length <= LABELLED),
      );
    }
  }
  // The order of the nodes is the order of `ids`: near ones come first in both.
  return {
    tooltip: { formatter: ({ data }: { data: { told?: string } }) => (data.told ? folded(data.told) : "") },
    series: [
      {
        type: "graph",
        layout: "none",
        data: nodes,
        links: edges(memory, related),
        roam: false,
        preserveAspect: true,
        left: 60,
        right: 60,
        top: 18,
        bottom: 32,
        lineStyle: { color: colour("--line-strong"), width: 1.2, opacity: 0.7 },
        emphasis: { focus: "adjacency", label: { show: true } },
        label: { position: "bottom", color: text, fontSize: 11, textBorderColor: colour("--bg-raised"), textBorderWidth: 3 },
      },
    ],
  };
}

function edges(memory: Memory, related: readonly RelatedMemory[]): object[] {
  const near = related.filter((each) => each.distance === 1);
  const toCentre = near.map((each) => ({
    source: memory.id,
    target: each.memory.id,
    lineStyle: { type: each.linked ? "solid" : "dashed", ...(each.negative ? { color: colour("--bad") } : {}) },
  }));
  const outer = related
    .filter((each) => each.distance === 2)
    .flatMap((each) => {
      const by = near.find(({ memory: one }) => one.related.includes(each.memory.id) || each.memory.related.includes(one.id));
      return by ? [{ source: by.memory.id, target: each.memory.id, lineStyle: { type: "solid", opacity: 0.45 } }] : [];
    });
  return [...toCentre, ...outer];
}

const shortened = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, " ");
  return [...line].length > most ? `${[...line].slice(0, most).join("")}…` : line;
};

/** In lines of some forty characters: a tooltip on the canvas does not wrap by itself. */
const folded = (text: string): string => (shortened(text, 200).match(/.{1,40}(\s|$)|.{1,40}/g) ?? []).join("\n");
