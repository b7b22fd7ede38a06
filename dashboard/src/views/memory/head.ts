/** The top of the page: where the memory is, what can be done with it, and why some of it cannot. */

import type { Memory } from "../../api/index.ts";
import { h, type Child } from "../../dom.ts";
import { dateTime, said } from "../../i18n.ts";
import { button, emotionChip, linkButton, relativeTime, tierMark, viewHead, word, zoneMark } from "../../ui/index.ts";
import { openBeside, openCoreChange, openEditor, proposeDeletion } from "./edit.ts";
import { done, isChangeable, isInOrbit, isProtected, type Page } from "./page.ts";
import { t } from "./texts.ts";

const TITLE = { en: "Memory", ko: "기억" };

const tested = <Each extends HTMLElement>(element: Each, name: string): Each => {
  element.dataset.testid = name;
  return element;
};

export function head(page: Page): HTMLElement {
  const memory = page.memory();
  const state = memory.state === "active" ? null : h("span", { class: "mark memory-state" }, word("state", memory.state));
  const marks = h(
    "span",
    { class: "memory-facts", "data-testid": "memory-marks" },
    isInOrbit(memory) && zoneMark(memory.zone),
    tierMark(memory.tier),
    state,
    memory.protection === "none" ? null : h("span", { class: "mark" }, word("protection", memory.protection)),
    memory.emotions.map((each, at) => emotionChip(each, at === 0 && memory.intensity ? memory.intensity : undefined)),
    h("span", { class: "mark faint" }, t().created, relativeTime(memory.created_at)),
  );
  return viewHead(said(TITLE), marks, h("div", { class: "row", role: "group", "aria-label": t().actions, "data-testid": "memory-actions" }, actions(page)));
}

function actions(page: Page): Child {
  const { api } = page.context;
  const memory = page.memory();
  const { id } = memory;
  if (memory.state === "cliff") {
    const restore = (): Promise<void> => done(page, () => api.call("memory_restore", { ids: [id] }), t().restored);
    return tested(button({ label: t().restore, kind: "primary", icon: "undo", onclick: restore }), "memory-restore");
  }
  const remind = tested(
    button({ label: t().remind, icon: "memory", onclick: () => done(page, () => api.call("memory_remind", { id }), t().reminded) }),
    "memory-remind",
  );
  const forget = tested(
    button({
      label: t().forget,
      icon: "cliff",
      onclick: () => done(page, () => api.call("memory_delete", { id, if_version: page.memory().version }), t().forgotten, "forgotten"),
    }),
    "memory-forget",
  );
  if (memory.state === "inactive") return [remind, !isProtected(memory) && forget];
  if (memory.state === "archived") return null;
  if (!isChangeable(memory)) {
    if (memory.protection === "core") return [remind, ...changingCore(page)];
    return [remind, tested(button({ label: t().beside, onclick: () => openBeside(page) }), "memory-beside")];
  }
  const isPinned = memory.protection === "pinned";
  const pin = button({
    label: isPinned ? t().unpin : t().pin,
    icon: "pin",
    onclick: () =>
      isPinned
        ? done(page, () => api.call("memory_unpin", { id }), t().unpinned, "unpinned")
        : done(page, () => api.call("memory_pin", { id }), t().pinned, "pinned"),
  });
  pin.setAttribute("aria-pressed", String(isPinned));
  return [
    tested(button({ label: t().edit, kind: "primary", onclick: () => openEditor(page) }), "memory-edit"),
    remind,
    tested(pin, "memory-pin"),
    memory.tier === "M365" && proposing(page),
    forget,
  ];
}

/** Only what has lasted a year can become a core memory. */
const proposing = (page: Page): HTMLElement =>
  tested(
    button({
      label: t().propose,
      icon: "approvals",
      onclick: () => done(page, () => page.context.api.call("propose_core", { id: page.memory().id }), t().proposed),
    }),
    "memory-propose",
  );

/** Both become proposals: a core memory changes by the user's approval alone. */
const changingCore = (page: Page): readonly HTMLElement[] => [
  tested(button({ label: t().coreChange, icon: "approvals", onclick: () => openCoreChange(page) }), "memory-core-change"),
  tested(button({ label: t().coreForget, icon: "cliff", onclick: () => proposeDeletion(page) }), "memory-core-forget"),
];

/** What one has to know before anything else; `until` is when a newer statement took its place. */
export function notices(memory: Memory, until: number | null, newer: Memory | null): Child {
  const notice = (name: string, title: string, ...body: Child[]): HTMLElement =>
    h("section", { class: `panel memory-notice ${name}`, "data-testid": `notice-${name}` }, h("h2", null, title), body);
  const all: Child[] = [];
  if (memory.state === "cliff" && memory.purge_at) {
    const reason = memory.departed_for && h("span", { class: "mark" }, word("reason", memory.departed_for));
    all.push(notice("cliff", t().onCliff, h("p", null, t().onCliffBody(dateTime(memory.purge_at)), " ", reason)));
  }
  if (memory.state === "inactive") all.push(notice("inactive", t().inactive, h("p", null, t().inactiveBody)));
  if (memory.state === "archived") all.push(notice("archived", t().archived, h("p", null, t().archivedBody)));
  if (memory.superseded_by) {
    const href = `#/memory/${encodeURIComponent(memory.superseded_by)}`;
    all.push(
      notice(
        "superseded",
        t().superseded,
        h(
          "p",
          null,
          until === null ? t().supersededPlain : t().supersededBody(dateTime(until)),
          " ",
          h("a", { href, "data-testid": "memory-newer" }, newer ? newer.content : t().newer),
        ),
      ),
    );
  }
  if (memory.protection === "immutable") all.push(notice("immutable", t().immutable, h("p", null, t().immutableBody)));
  if (memory.protection === "core") {
    all.push(
      notice(
        "core",
        t().core,
        h("p", null, t().coreBody),
        h("p", null, linkButton({ label: t().openApprovals, href: "#/approvals", icon: "approvals", small: true })),
      ),
    );
  }
  return all;
}
