/** "Remember ...": a box that keeps what is written in it until it is stored, and says what became of it. */

import { explained, isAbort, type Api, type Memory } from "../api/index.ts";
import { h } from "../dom.ts";
import { texts } from "../i18n.ts";
import type { ToastOptions } from "../view.ts";
import { button } from "./button.ts";
import { dialog } from "./dialog.ts";
import { draftOf, keepDraft } from "./drafts.ts";
import { textarea } from "./fields.ts";
import "./remember.css";

const t = texts({
  en: {
    label: "Remember something",
    placeholder: "Remember … for example: My sister Sora moved to Porto in May.",
    keep: "Remember",
    hintKey: "Ctrl+Enter keeps it.",
    hint: "What you write stays here until it is kept, even if the page is closed.",
    kept: "Remembered.",
    replaced: (before: string) => `Remembered. It replaces: “${before}”`,
    title: "Remember",
    empty: "Write something first.",
  },
  ko: {
    label: "기억에 남길 내용",
    placeholder: "무엇을 기억할까요? 예: 여동생 소라가 5월에 포르투로 이사했다.",
    keep: "기억하기",
    hintKey: "Ctrl+Enter로 저장합니다.",
    hint: "저장하기 전까지는 화면을 닫아도 쓰던 글이 남아 있습니다.",
    kept: "기억했습니다.",
    replaced: (before: string) => `기억했습니다. 이전 내용을 대신합니다: “${before}”`,
    title: "기억하기",
    empty: "먼저 내용을 적어 주세요.",
  },
});

const DRAFT = "remember";
const SHORT = 80;

export interface RememberContext {
  readonly api: Api;
  readonly toast: (text: string, options?: ToastOptions) => void;
  readonly signal: AbortSignal;
}

/** An answer may be lost on the way: the same text sent again, from whichever box, is the same memory and not a second one. */
let sent = { content: "", key: "" };

/** The box; `stored` hears of the new memory. */
export function rememberBox(context: RememberContext, stored: (memory: Memory) => void = () => {}, text = ""): HTMLElement {
  const box = textarea({
    rows: 2,
    placeholder: t().placeholder,
    "aria-label": t().label,
    value: text || (draftOf(DRAFT)?.values[0] ?? ""),
    "data-testid": "remember-text",
    "data-keeps": "draft",
    maxlength: 20_000,
  });
  const wrong = h("p", { class: "small remember-wrong", role: "alert" });
  const save = async (): Promise<void> => {
    const content = box.value.trim();
    wrong.textContent = content ? "" : t().empty;
    if (!content) return box.focus();
    try {
      if (sent.content !== content) sent = { content, key: randomKey() };
      const memory = await context.api.call("memory_save", { content, source: "user", idempotency_key: sent.key });
      sent = { content: "", key: "" };
      box.value = "";
      keepDraft(DRAFT, null);
      const [replaced] = memory.replaces;
      context.toast(replaced?.content ? t().replaced(shortened(replaced.content)) : t().kept, { kind: "good", undo: () => takeBack(context.api, memory) });
      stored(memory);
    } catch (error) {
      if (!isAbort(error)) wrong.textContent = explained(error); // the text stays in the box
    }
  };
  const keep = button({ label: t().keep, kind: "primary", icon: "plus", onclick: save });
  keep.dataset.testid = "remember-save";
  box.addEventListener("input", () => keepDraft(DRAFT, box.value ? { values: [box.value], base: "", place: "" } : null));
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      keep.click();
    } else if (event.key === "Escape" && !box.closest("dialog")) {
      box.blur();
    }
  });
  return h(
    "div",
    { class: "remember" },
    box,
    h("div", { class: "row spread" }, h("span", { class: "small faint" }, h("span", { class: "remember-key" }, t().hintKey, " "), t().hint), keep),
    wrong,
  );
}

/** From anywhere: the box of the view, where it has one, else in a dialog. */
export function rememberDialog(context: RememberContext, text = ""): void {
  const here = document.querySelector<HTMLTextAreaElement>("main [data-testid=remember-text]");
  if (here && !text) return here.focus();
  const opened = dialog({ title: t().title, body: rememberBox(context, () => opened.close(), text), signal: context.signal });
  opened.element.querySelector("textarea")?.focus();
}

/** Undo the store, and the end of every statement that it replaced: they hold again. */
export async function takeBack(api: Api, memory: Memory): Promise<void> {
  const undone = async (id: string, type: string): Promise<boolean> => {
    const { events } = await api.call("memory_history", { id, limit: 20 });
    const event = events.find((each) => each.type === type);
    if (event) await api.call("undo", { event: event.number });
    return event !== undefined;
  };
  for (const { id } of memory.replaces) await undone(id, "superseded");
  if (!(await undone(memory.id, "stored").catch(() => false))) await api.call("memory_delete", { id: memory.id });
}

/** The way back from `takeBack`: it holds again, and what it replaced does not. */
export async function holdAgain(api: Api, memory: Memory): Promise<void> {
  await api.call("memory_restore", { ids: [memory.id] });
  for (const { id } of memory.replaces) {
    const { events } = await api.call("memory_history", { id, limit: 20 });
    const taken = events.find(({ type }) => type === "undone");
    if (taken) await api.call("undo", { event: taken.number });
  }
}

/** Without crypto.randomUUID, which pages over plain HTTP do not have. */
const randomKey = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const shortened = (text: string): string => (text.length > SHORT ? `${text.slice(0, SHORT)}…` : text);
