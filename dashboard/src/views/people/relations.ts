/** Who is tied to whom: a graph that stays readable, with a focus, a number of steps, and the same as a list. */

import type { RelationGraph, SubjectSummary } from "../../api/operations.ts";
import { chart, type Chart } from "../../charts.ts";
import { explained, isAbort } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { number } from "../../i18n.ts";
import { button, field, input, select, skeleton } from "../../ui/index.ts";
import { colour, reducedMotion } from "../../theme/index.ts";
import type { Context } from "../../view.ts";
import { t } from "./texts.ts";

const SHOWN_WHOLE = 120;
const SHOWN_AROUND = 400;
const LABELLED = 24;

const nameOf = (one: SubjectSummary): string => (one.kind === "user" ? t().you : one.name);
const hrefOf = (key: string): string => `#/people/${encodeURIComponent(key)}`;

export function relations(context: Context, start: string | null): HTMLElement {
  const { api, signal, navigate } = context;
  const room = h("div", { class: "stack" });
  const picture = h("div", { class: "chart relations-chart", "data-testid": "relations-graph" });
  const listed = h("div");
  const count = h("p", { class: "small soft", role: "status" });
  let focus = start;
  let hops = 1;
  let drawn: Chart | null = null;
  let found: RelationGraph = { subjects: [], links: [], total: 0 };

  const load = async (): Promise<void> => {
    try {
      found = await api.call(
        "relation_graph",
        { ...(focus === null ? {} : { name: focus }), hops, limit: focus === null ? SHOWN_WHOLE : SHOWN_AROUND },
        { signal },
      );
      count.textContent = t().shownOf(number(found.subjects.length), number(found.total)) + (found.total > found.subjects.length ? ` · ${t().tooMany}` : "");
      fill(listed, asList(found));
      if (drawn) drawn.set(() => option(found, focus));
      else
        drawn = await chart(picture, () => option(found, focus), {
          label: t().graphLabel(number(found.subjects.length)),
          signal,
          onclick: ({ name }) => press(name),
        });
      whole.hidden = focus === start;
    } catch (error) {
      if (!isAbort(error)) fill(listed, h("p", { class: "soft", role: "alert" }, explained(error)));
    }
  };
  const press = (key: string): void => {
    if (!found.subjects.some((one) => one.key === key)) return;
    if (key === focus) return navigate(`people/${encodeURIComponent(key)}`);
    focus = key;
    void load();
  };
  const steps = select({
    options: [
      ["1", "1"],
      ["2", "2"],
      ["3", "3"],
    ],
    selected: "1",
    onchange: (value) => {
      hops = Number(value);
      void load();
    },
  });
  steps.dataset.testid = "relations-hops";
  const whole = button({
    label: t().whole,
    small: true,
    onclick: () => {
      focus = start;
      void load();
    },
  });
  const find = input({
    type: "search",
    placeholder: t().search,
    "aria-label": t().search,
    autocomplete: "off",
    "data-testid": "relations-search",
    onchange: () => {
      const typed = find.value.trim();
      focus = typed || start;
      void load();
    },
  });
  whole.hidden = true;
  fill(listed, skeleton(2));
  fill(
    room,
    h(
      "div",
      { class: "row relations-tools" },
      start === null ? h("div", { class: "relations-find" }, find) : null,
      field({ label: t().hops, control: steps }),
      whole,
    ),
    picture,
    count,
    h("p", { class: "small faint" }, t().legend),
    h("details", { "data-testid": "relations-list" }, h("summary", null, t().asList), listed),
  );
  void load();
  return room;
}

function asList({ links, subjects }: RelationGraph): HTMLElement {
  const names = new Map(subjects.map((one) => [one.key, nameOf(one)]));
  return h(
    "ul",
    { class: "small relations-lines" },
    links
      .slice(0, 200)
      .map((link) =>
        h(
          "li",
          null,
          h("a", { href: hrefOf(link.source) }, names.get(link.source)),
          " — ",
          h("span", { class: "soft" }, link.predicate),
          " → ",
          h("a", { href: hrefOf(link.target) }, names.get(link.target)),
        ),
      ),
  );
}

function option({ subjects, links }: RelationGraph, focus: string | null): Record<string, unknown> {
  const most = Math.max(1, ...subjects.map(({ memories }) => memories));
  const labelled = new Set(
    [...subjects]
      .sort((one, other) => other.memories - one.memories)
      .slice(0, LABELLED)
      .map(({ key }) => key),
  );
  const tint = { user: colour("--zone-core"), person: colour("--emotion-nostalgia"), thing: colour("--accent") };
  return {
    tooltip: {
      formatter: (part: { dataType: string; data: { name?: string; said?: string; words?: string } }) =>
        part.dataType === "edge" ? (part.data.words ?? "") : (part.data.said ?? ""),
    },
    series: [
      {
        type: "graph",
        layout: "force",
        roam: true,
        draggable: true,
        layoutAnimation: !reducedMotion() && subjects.length < 200,
        force: { repulsion: subjects.length > 150 ? 60 : 180, edgeLength: [40, 120], gravity: 0.12 },
        data: subjects.map((one) => ({
          name: one.key,
          said: `${nameOf(one)} · ${one.memories}`,
          symbolSize: 10 + 26 * Math.sqrt(one.memories / most),
          itemStyle: { color: tint[one.kind], borderColor: one.key === focus ? colour("--text") : "transparent", borderWidth: 2 },
          label: {
            show: labelled.has(one.key) || one.key === focus,
            formatter: nameOf(one),
            color: colour("--text"),
            position: "right",
            fontSize: 12,
            width: 140,
            overflow: "truncate",
          },
        })),
        links: links.map((link) => ({
          source: link.source,
          target: link.target,
          words: link.predicate,
          lineStyle: { width: Math.min(5, 0.6 + Math.log2(1 + link.memories)), color: colour("--line-strong"), opacity: 0.6, curveness: 0.08 },
        })),
        emphasis: { focus: "adjacency", label: { show: true } },
      },
    ],
  };
}
