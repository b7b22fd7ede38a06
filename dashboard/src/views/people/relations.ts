/** Who is tied to whom: groups that belong together, search, rings around one of them, and the same as a list. */

import { explained, isAbort } from "../../api/index.ts";
import type { RelationGraph, SubjectSummary } from "../../api/operations.ts";
import { fill, h } from "../../dom.ts";
import { number, said } from "../../i18n.ts";
import { button, field, input, select, skeleton, YOU } from "../../ui/index.ts";
import type { Context } from "../../view.ts";
import { layGroups, layRings } from "./graph-layout.ts";
import { GraphView } from "./graph-view.ts";
import { t } from "./texts.ts";

const SHOWN = 2000;
const LISTED = 200;

const nameOf = (one: SubjectSummary): string => (one.kind === "user" ? said(YOU) : one.name);
const hrefOf = (key: string): string => `#/people/${encodeURIComponent(key)}`;

/** Those whose name, or another name of theirs, has these letters in it. */
export function matching(subjects: readonly SubjectSummary[], typed: string): readonly SubjectSummary[] {
  const wanted = typed.trim().toLocaleLowerCase();
  return wanted ? subjects.filter((one) => [nameOf(one), one.key, ...one.aliases].some((name) => name.toLocaleLowerCase().includes(wanted))) : [];
}

export function relations(context: Context, start: string | null): HTMLElement {
  const { api, signal, navigate } = context;
  const graph = new GraphView({ label: t().tied, nameOf: ({ subject }) => nameOf(subject), onpress: (key) => press(key), signal });
  const listed = h("div");
  const count = h("p", { class: "small soft", role: "status", "data-testid": "relations-count" });
  const legend = h("p", { class: "small faint" });
  let focus = start;
  let hops = 1;
  let asked = 0;
  let found: RelationGraph = { subjects: [], links: [], total: 0 };

  const load = async (): Promise<void> => {
    const turn = ++asked;
    try {
      const answer = await api.call("relation_graph", { ...(focus === null ? {} : { name: focus }), hops, limit: SHOWN }, { signal });
      if (turn !== asked) return;
      if (focus !== null && !answer.subjects.length) {
        count.textContent = t().noMatch;
        focus = start;
        return;
      }
      found = answer;
      focus = focus === null ? null : (answer.subjects[0]?.key ?? focus); // the server knows other names for it
      const layout = focus === null ? layGroups(found, graph.aspect) : layRings(found, focus);
      graph.show(layout, focus, t().graphLabel(number(found.subjects.length)));
      graph.light(null);
      count.textContent = [
        t().shownOf(number(found.subjects.length), number(found.total)),
        found.total > found.subjects.length ? t().tooMany : null,
        focus === null && layout.groups.length > 1 ? t().inGroups(number(layout.groups.length)) : null,
      ]
        .filter(Boolean)
        .join(" · ");
      legend.textContent = focus === null ? t().legend : t().legendAround;
      fill(listed, asList(found));
      [whole.hidden, steps.disabled] = [focus === start, focus === null];
    } catch (error) {
      if (!isAbort(error)) fill(listed, h("p", { class: "soft", role: "alert" }, explained(error)));
    }
  };
  const look = (key: string | null): void => {
    focus = key;
    void load();
  };
  const press = (key: string): void => (key === focus ? navigate(`people/${encodeURIComponent(key)}`) : look(key));
  const steps = select({
    options: ["1", "2", "3"].map((each) => [each, each] as const),
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
      find.value = "";
      look(start);
    },
  });
  whole.dataset.testid = "relations-whole";
  const find = input({
    type: "search",
    placeholder: t().search,
    "aria-label": t().search,
    autocomplete: "off",
    "data-testid": "relations-search",
    oninput: () => {
      const hits = matching(found.subjects, find.value);
      graph.light(find.value.trim() ? new Set(hits.map(({ key }) => key)) : null);
      count.textContent = find.value.trim() ? t().found(number(hits.length)) : t().shownOf(number(found.subjects.length), number(found.total));
    },
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.isComposing || !find.value.trim()) return;
      // Of those that fit, the one that is told of most; else the server may know it by another name.
      look(matching(found.subjects, find.value)[0]?.key ?? find.value.trim());
    },
  });
  const zoom = (label: string, testid: string, sign: string, doing: () => void): HTMLElement => {
    const made = h(
      "button",
      { type: "button", class: "button small relations-zoom", "aria-label": label, title: label, "data-testid": testid, onclick: doing },
      sign,
    );
    return made;
  };
  whole.hidden = true;
  fill(listed, skeleton(2));
  void load();
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "row relations-tools" },
      start === null ? h("div", { class: "relations-find" }, find) : null,
      field({ label: t().hops, control: steps }),
      h(
        "span",
        { class: "row" },
        zoom(t().nearer, "relations-nearer", "+", () => graph.zoomBy(1.4)),
        zoom(t().farther, "relations-farther", "−", () => graph.zoomBy(1 / 1.4)),
        zoom(t().fit, "relations-fit", "⤢", () => graph.whole()),
      ),
      whole,
    ),
    graph.element,
    count,
    legend,
    h("details", { "data-testid": "relations-list" }, h("summary", null, t().asList), listed),
  );
}

function asList({ links, subjects }: RelationGraph): HTMLElement {
  const names = new Map(subjects.map((one) => [one.key, nameOf(one)]));
  return h(
    "div",
    null,
    links.length > LISTED ? h("p", { class: "small faint" }, t().firstOf(number(LISTED), number(links.length))) : null,
    h(
      "ul",
      { class: "small relations-lines" },
      links
        .slice(0, LISTED)
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
    ),
  );
}
