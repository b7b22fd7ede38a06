/** Changing what a memory says: only if it still is what was read, and never over somebody else's change unseen. */

import { ApiError, explained, isAbort, type Memory, type Proposal } from "../../api/index.ts";
import { fill, h } from "../../dom.ts";
import { number, texts } from "../../i18n.ts";
import { draftOf } from "../../ui/drafts.ts";
import { button, dialog, field, input, textarea } from "../../ui/index.ts";
import { done, type Page } from "./page.ts";
import { t as said } from "./texts.ts";

const t = texts({
  en: {
    title: "Edit this memory",
    text: "Text",
    textHint: "What it said before stays in the history and can be brought back.",
    importance: "Importance",
    importanceHint: "From 0, forgettable, to 1, essential.",
    tags: "Tags",
    tagsHint: "With commas between them.",
    save: "Save",
    cancel: "Cancel",
    conflict: "It has changed meanwhile",
    conflictBody: "Somebody else changed this memory while you were writing. Nothing was saved. It now says:",
    theirs: "Take theirs",
    mine: "Save mine over it",
    besideTitle: "Remember something beside it",
    besideHint: "The new memory is linked to this one.",
    remember: "Remember",
    remembered: "Remembered, and linked.",
    coreTitle: "Propose another text",
    coreHint: "It becomes a proposal. The memory stays as it is until you approve it.",
    propose: "Propose",
  },
  ko: {
    title: "기억 고치기",
    text: "내용",
    textHint: "고치기 전 내용은 이력에 남아 언제든 되돌릴 수 있습니다.",
    importance: "중요도",
    importanceHint: "0은 잊어도 되는 것, 1은 꼭 필요한 것입니다.",
    tags: "태그",
    tagsHint: "쉼표로 구분합니다.",
    save: "저장",
    cancel: "취소",
    conflict: "그사이 내용이 바뀌었습니다",
    conflictBody: "글을 쓰는 동안 다른 곳에서 이 기억을 바꾸었습니다. 아무것도 저장하지 않았습니다. 지금 내용은 다음과 같습니다.",
    theirs: "지금 내용 쓰기",
    mine: "내 글로 덮어쓰기",
    besideTitle: "곁에 새 기억 남기기",
    besideHint: "새 기억은 이 기억과 이어집니다.",
    remember: "기억하기",
    remembered: "기억하고 이어 두었습니다.",
    coreTitle: "다른 내용 제안",
    coreHint: "제안으로 올라갑니다. 승인하기 전까지 기억은 그대로입니다.",
    propose: "제안",
  },
});

export function openEditor(page: Page): void {
  const { api, signal } = page.context;
  let read: Memory = page.memory();
  const text = textarea({ rows: 7, maxlength: 1_000_000, "data-testid": "edit-text", value: read.content });
  const shown = h("output", { class: "small soft" }, number(read.importance, 2));
  const slider = h("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.01,
    value: read.importance,
    "data-testid": "edit-importance",
    oninput: () => (shown.textContent = number(Number(slider.value), 2)),
  });
  const tagged = (memory: Memory): string => memory.tags.join(", ");
  const tags = input({ value: tagged(read), autocomplete: "off", "data-testid": "edit-tags" });
  const trouble = h("div", { role: "alert" });
  const touched = { importance: false };
  slider.addEventListener("input", () => (touched.importance = true));

  const save = async (): Promise<void> => {
    const content = text.value.trim() === read.content.trim() ? undefined : text.value;
    const importance = touched.importance ? Number(slider.value) : undefined;
    const labels =
      tags.value.trim() === tagged(read)
        ? undefined
        : tags.value
            .split(",")
            .map((each) => each.trim())
            .filter(Boolean);
    if (content === undefined && importance === undefined && labels === undefined) return asked.close();
    try {
      await api.call(
        "memory_update",
        {
          id: read.id,
          if_version: read.version,
          ...(content === undefined ? {} : { content }),
          ...(importance === undefined ? {} : { importance }),
          ...(labels === undefined ? {} : { tags: labels }),
        },
        { signal },
      );
      asked.close();
      await done(page, async () => {}, said().saved, "updated");
    } catch (error) {
      if (isAbort(error)) return;
      if (error instanceof ApiError && error.code === "changed_since") return collided();
      fill(trouble, h("p", { class: "memory-warn" }, explained(error)));
    }
  };

  /** Read it again, show both, let the user choose. */
  const collided = async (): Promise<void> => {
    read = await api.call("memory_get", { id: read.id }, { signal });
    const takeTheirs = (): void => {
      text.value = read.content;
      slider.value = String(read.importance);
      tags.value = tagged(read);
      shown.textContent = number(read.importance, 2);
      touched.importance = false;
      fill(trouble);
      asked.startOver(String(read.version));
      text.focus();
    };
    const theirs = button({ label: t().theirs, small: true, onclick: takeTheirs });
    const mine = button({ label: t().mine, small: true, kind: "danger", onclick: save });
    theirs.dataset.testid = "edit-theirs";
    mine.dataset.testid = "edit-mine";
    fill(
      trouble,
      h(
        "div",
        { class: "conflict", "data-testid": "edit-conflict" },
        h("h3", null, t().conflict),
        h("p", { class: "small" }, t().conflictBody),
        h("blockquote", null, read.content),
        h("div", { class: "row" }, theirs, mine),
      ),
    );
    theirs.focus();
  };

  const saving = button({ label: t().save, kind: "primary", onclick: save });
  saving.dataset.testid = "edit-save";
  const asked = dialog({
    title: t().title,
    wide: true,
    signal,
    draft: draftName("edit", read.id),
    base: String(read.version),
    body: h(
      "div",
      { class: "stack" },
      field({ label: t().text, control: text, hint: t().textHint }),
      field({ label: t().importance, control: slider, hint: [t().importanceHint, " ", shown] }),
      field({ label: t().tags, control: tags, hint: t().tagsHint }),
      trouble,
    ),
    actions: [button({ label: t().cancel, kind: "quiet", onclick: () => asked.close() }), saving],
  });
  // The button that opened it may have been drawn again meanwhile.
  void asked.closed.then(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("[data-testid=memory-edit]")?.focus();
  });
  asked.element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) saving.click();
  });
  text.focus();
  // Begun on what the memory said then: what it says now is shown first.
  if (asked.resumed !== null && asked.resumed !== String(read.version)) void collided().catch(() => {});
}

const EDITORS = { edit: openEditor, beside: openBeside, core: openCoreChange } as const;

const draftName = (editor: keyof typeof EDITORS, id: string): string => `memory.${editor}.${id}`;

/** Go on with what was being written about this memory when the session ended, or the page. */
export function resumeEditing(page: Page): void {
  const begun = (Object.keys(EDITORS) as (keyof typeof EDITORS)[]).find((editor) => draftOf(draftName(editor, page.memory().id)));
  if (begun) EDITORS[begun](page);
}

/** What cannot be changed can have a neighbour. */
export function openBeside(page: Page): void {
  const { api, signal } = page.context;
  const text = textarea({ rows: 4, "data-testid": "beside-text" });
  const trouble = h("div", { role: "alert" });
  const save = async (): Promise<void> => {
    if (!text.value.trim()) return text.focus();
    try {
      await api.call("memory_save", { content: text.value, related: [page.memory().id] }, { signal });
    } catch (error) {
      if (!isAbort(error)) fill(trouble, h("p", { class: "memory-warn" }, explained(error)));
      return;
    }
    asked.close();
    await done(page, async () => {}, t().remembered);
  };
  const asked = dialog({
    title: t().besideTitle,
    signal,
    draft: draftName("beside", page.memory().id),
    body: [field({ label: t().text, control: text, hint: t().besideHint }), trouble],
    actions: [button({ label: t().cancel, kind: "quiet", onclick: () => asked.close() }), button({ label: t().remember, kind: "primary", onclick: save })],
  });
  text.focus();
}

/** Another text for a core memory waits under Approvals, like every change of the self. */
export function openCoreChange(page: Page): void {
  const { api, signal } = page.context;
  const text = textarea({ rows: 5, maxlength: 1_000_000, "data-testid": "core-text", value: page.memory().content });
  const trouble = h("div", { role: "alert" });
  const send = async (): Promise<void> => {
    const content = text.value.trim();
    if (!content || content === page.memory().content.trim()) return text.focus();
    try {
      const made = await api.call("propose_core_change", { id: page.memory().id, content }, { signal });
      asked.close();
      showProposal(page, made);
    } catch (error) {
      if (!isAbort(error)) fill(trouble, h("p", { class: "memory-warn" }, explained(error)));
    }
  };
  const sending = button({ label: t().propose, kind: "primary", onclick: send });
  sending.dataset.testid = "core-propose";
  const asked = dialog({
    title: t().coreTitle,
    wide: true,
    signal,
    draft: draftName("core", page.memory().id),
    body: [field({ label: t().text, control: text, hint: t().coreHint }), trouble],
    actions: [button({ label: t().cancel, kind: "quiet", onclick: () => asked.close() }), sending],
  });
  text.focus();
}

/** What was just proposed, where it can be decided. */
function showProposal({ context }: Page, made: Proposal): void {
  context.toast(said().proposed, { kind: "good" });
  context.navigate(`approvals/${encodeURIComponent(made.id)}`);
}

export async function proposeDeletion(page: Page): Promise<void> {
  const { api, signal, toast } = page.context;
  try {
    showProposal(page, await api.call("propose_core_deletion", { id: page.memory().id }, { signal }));
  } catch (error) {
    if (!isAbort(error)) toast(explained(error), { kind: "bad" });
  }
}
