/** People and things: a list, a page for each, and the graph of their relations. */

import { ApiError } from "../../api/index.ts";
import type { SubjectDetails, SubjectSummary } from "../../api/operations.ts";
import { fill, h, type Child } from "../../dom.ts";
import { date, number, said } from "../../i18n.ts";
import { attributeWord } from "../../ui/attribute-words.ts";
import { empty, input, linkButton, list, memoryCard, relativeTime, skeleton, viewHead, YOU } from "../../ui/index.ts";
import { tabs } from "../../ui/lists.ts";
import { hashOf } from "../../router.ts";
import type { Context, View } from "../../view.ts";
import { relations } from "./relations.ts";
import "./style.css";
import { t } from "./texts.ts";

/** The newest memories on somebody's page; the table has all of them. */
const SHOWN = 30;

export const view: View = {
  title: { en: "People and things", ko: "사람과 사물" },
  async mount(container, context) {
    const [name] = context.params;
    fill(container, viewHead(t().title, t().about), skeleton(6));
    if (name && name !== "relations") return showOne(container, name, context);
    const { subjects } = await context.api.call("subject_list", { limit: 2000 }, { signal: context.signal });
    if (!subjects.length) return fill(container, viewHead(t().title, t().about), empty({ icon: "people", title: t().none, body: t().noneBody }));
    fill(
      container,
      viewHead(t().title, t().about),
      tabs({
        label: t().parts,
        selected: name === "relations" ? "relations" : "list",
        onselect: (id) => history.replaceState(null, "", hashOf(id === "list" ? "people" : "people/relations")),
        tabs: [
          { id: "list", label: t().list, panel: () => everybody(subjects) },
          { id: "relations", label: t().graph, panel: () => relations(context, null) },
        ],
      }),
    );
  },
};

export const hrefOf = (key: string): string => `#/people/${encodeURIComponent(key)}`;
const tableOf = (one: SubjectSummary): string => hashOf(`memories?about=${encodeURIComponent(one.key)}`);
export const nameOf = (one: SubjectSummary): string => (one.kind === "user" ? said(YOU) : one.name);
const told = (count: number): string => (count === 1 ? t().one : t().memories(number(count)));

function everybody(subjects: readonly SubjectSummary[]): HTMLElement {
  const room = h("div", { class: "stack" });
  const box = input({
    type: "search",
    placeholder: t().search,
    "aria-label": t().search,
    autocomplete: "off",
    "data-testid": "people-search",
    oninput: () => draw(),
  });
  const card = (one: SubjectSummary): HTMLElement =>
    h(
      "a",
      { class: "person", href: hrefOf(one.key), "data-testid": "person" },
      h("span", { class: `person-mark ${one.kind}`, "aria-hidden": "true" }, [...nameOf(one)][0] ?? ""),
      h(
        "span",
        { class: "person-words" },
        h("strong", null, nameOf(one)),
        h("span", { class: "small faint" }, one.aliases.length ? t().alsoCalled(one.aliases.join(", ")) : told(one.memories)),
      ),
    );
  const group = (title: string, some: readonly SubjectSummary[]): Child =>
    some.length
      ? h(
          "section",
          null,
          h("h2", { class: "people-head" }, title, h("span", { class: "small faint" }, ` ${number(some.length)}`)),
          h("div", { class: "people-grid" }, some.slice(0, 300).map(card)),
        )
      : null;
  /** What a single memory mentions: hundreds of words that few look for, so that they stand close and closed. */
  const rest = (some: readonly SubjectSummary[], open: boolean): Child =>
    some.length
      ? h(
          "details",
          { class: "people-once", open, "data-testid": "people-once" },
          h("summary", null, t().once, h("span", { class: "small faint" }, ` ${number(some.length)}`)),
          h(
            "div",
            { class: "people-words" },
            some.slice(0, 1000).map((one) => h("a", { href: hrefOf(one.key), "data-testid": "person" }, nameOf(one))),
          ),
        )
      : null;
  const draw = (): void => {
    const typed = box.value.trim().toLocaleLowerCase();
    const fits = subjects.filter((one) => [nameOf(one), one.key, ...one.aliases].some((name) => name.toLocaleLowerCase().includes(typed)));
    fill(
      room,
      fits.length
        ? [
            group(
              t().persons,
              fits.filter(({ kind }) => kind !== "thing"),
            ),
            group(
              t().things,
              fits.filter(({ kind, memories }) => kind === "thing" && memories > 1),
            ),
            rest(
              fits.filter(({ kind, memories }) => kind === "thing" && memories === 1),
              Boolean(typed),
            ),
          ]
        : h("p", { class: "soft" }, t().noMatch),
    );
  };
  draw();
  return h("div", { class: "stack", "data-testid": "people-list" }, h("div", { class: "people-search" }, box), room);
}

async function showOne(container: HTMLElement, name: string, context: Context): Promise<void> {
  const { api, signal, live } = context;
  const load = async (): Promise<void> => {
    try {
      draw(await api.call("subject_show", { name, limit: SHOWN }, { signal }));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      fill(
        container,
        viewHead(name),
        empty({ icon: "people", title: t().absent, body: t().absentBody, action: linkButton({ label: t().back, href: "#/people" }) }),
      );
    }
  };
  const draw = (one: SubjectDetails): void => {
    const { subject } = one;
    const about = [t()[`kind_${subject.kind}`], told(one.total), subject.aliases.length ? t().alsoCalled(subject.aliases.join(", ")) : null]
      .filter(Boolean)
      .join(" · ");
    fill(
      container,
      viewHead(nameOf(subject), about, [
        linkButton({ label: t().back, href: "#/people", kind: "quiet" }),
        linkButton({ label: t().inTable, href: tableOf(subject) }),
      ]),
      h(
        "div",
        { class: "subject" },
        h("div", { class: "stack" }, knownSection(one), everything(one)),
        h("div", { class: "stack" }, h("section", { class: "panel stack" }, h("h2", null, t().tied), relations(context, subject.key))),
      ),
    );
  };
  await load();
  live.onChanges(
    (changes) => {
      if (changes.some(({ type }) => type !== "recalled" && type !== "moved")) void load().catch(() => {});
    },
    signal,
    900,
  );
}

/** By attribute: what holds now first, what was before it beneath, with its time. */
function knownSection({ subject, attributes }: SubjectDetails): HTMLElement {
  const lines = attributes.map(({ attribute, statements, total }) => [
    h("dt", null, attributeWord(attribute)),
    h(
      "dd",
      null,
      h(
        "ul",
        { class: "known" },
        [...statements]
          .sort((one, other) => Number(one.until !== null) - Number(other.until !== null))
          .map((said) =>
            h(
              "li",
              { class: said.until ? "ended" : undefined },
              h("a", { href: `#/memory/${encodeURIComponent(said.id)}` }, said.value ? h("strong", null, said.value) : said.text),
              said.value ? h("span", { class: "small soft" }, said.text) : null,
              h("span", { class: "small faint" }, said.until ? t().until(date(said.since), date(said.until)) : t().since(date(said.since))),
            ),
          ),
      ),
      total > statements.length
        ? h(
            "a",
            {
              class: "small",
              href: hashOf(`memories?attribute=${attribute}${subject.kind === "user" ? "" : `&about=${encodeURIComponent(subject.key)}`}`),
              "data-testid": "known-more",
            },
            t().allOf(number(total)),
          )
        : null,
    ),
  ]);
  return h(
    "section",
    { class: "panel stack", "data-testid": "subject-known" },
    h("h2", null, t().known),
    lines.length ? h("dl", { class: "known-list" }, lines) : h("p", { class: "soft" }, t().knownNone),
  );
}

function everything({ subject, memories, total }: SubjectDetails): HTMLElement {
  const title = total > memories.length ? t().newest(number(memories.length), number(total)) : t().everything;
  const shown = list({ label: title, items: memories, render: (memory) => memoryCard(memory, { when: relativeTime(memory.created_at) }) });
  shown.dataset.testid = "subject-memories";
  const all = total > memories.length ? linkButton({ label: t().inTable, href: tableOf(subject), small: true }) : null;
  return h("section", { class: "panel stack" }, h("h2", null, title), shown, all ? h("div", null, all) : null);
}
