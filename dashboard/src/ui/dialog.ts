import { freshId, h, type Child } from "../dom.ts";
import { texts } from "../i18n.ts";
import { button } from "./button.ts";
import { draftOf, keepDraft } from "./drafts.ts";

const t = texts({
  en: {
    close: "Close",
    cancel: "Cancel",
    unsaved: "What you wrote is not saved yet. The cross closes this and discards it.",
    again: "What you had written here is back. It is not saved yet; the cross discards it.",
  },
  ko: {
    close: "닫기",
    cancel: "취소",
    unsaved: "아직 저장하지 않은 글이 있습니다. 닫기를 누르면 글이 사라집니다.",
    again: "전에 쓰던 글을 다시 가져왔습니다. 아직 저장하지 않았고, 닫기를 누르면 사라집니다.",
  },
});

export interface DialogOptions {
  readonly title: string;
  readonly body: Child;
  readonly actions?: Child;
  readonly wide?: boolean;
  /** Closes with it, as a view's signal. */
  readonly signal?: AbortSignal;
  /** Under this name what is typed is kept until the dialog is closed by hand, or by what it was typed for. */
  readonly draft?: string;
  /** What is being changed, to be asked for again with the draft. */
  readonly base?: string;
}

export interface Dialog {
  readonly element: HTMLDialogElement;
  readonly closed: Promise<void>;
  close(): void;
  /** What the draft was based on that was put back; null if there was none. */
  readonly resumed: string | null;
  /** What was typed counts no longer; what is typed from now on changes this. */
  startOver(base: string): void;
}

/**
 * A modal dialog, open: Escape, the cross and a press beside it close it; the browser gives the focus back.
 * Text that was typed is discarded by the cross alone, unless `data-keeps` says that it is kept elsewhere. The end of
 * the view or of the session closes the dialog too; then a draft stays for the next time.
 */
export function dialog(options: DialogOptions): Dialog {
  const title = h("h2", { id: freshId("dialog") }, options.title);
  const { draft } = options;
  const kept = draft === undefined ? null : draftOf(draft);
  let base = kept?.base ?? options.base ?? ""; // that of a draft that was put back, until it is saved
  const close = (): void => {
    if (draft !== undefined) keepDraft(draft, null);
    element.close();
  };
  const end = (): void => element.close();
  const unsaved = h("p", { class: "dialog-unsaved small", role: "status" });
  let typed = false;
  const leave = (): void => {
    if (typed) unsaved.textContent = t().unsaved;
    else close();
  };
  const element = h(
    "dialog",
    {
      class: options.wide ? "dialog wide" : "dialog",
      "aria-labelledby": title.id,
      onclick: (event) => {
        if (event.target === element && outside(element, event)) leave();
      },
      oninput: ({ target }) => {
        typed ||= isText(target);
        if (draft !== undefined && typed && isField(target))
          keepDraft(draft, { values: fieldsIn(element).map(({ value }) => value), base, place: location.hash });
      },
    },
    h("header", null, title, button({ label: t().close, icon: "close", kind: "quiet", bare: true, onclick: close })),
    h("div", { class: "body" }, options.body),
    unsaved,
    options.actions ? h("footer", null, options.actions) : null,
  );
  const closed = new Promise<void>((resolve) => {
    element.addEventListener(
      "close",
      () => {
        element.remove();
        options.signal?.removeEventListener("abort", end);
        resolve();
      },
      { once: true },
    );
  });
  options.signal?.addEventListener("abort", end, { once: true });
  element.addEventListener("keydown", (event) => {
    keepFocus(element, event);
    if (event.key !== "Escape" || event.isComposing || !typed) return;
    event.preventDefault();
    leave();
  });
  document.body.append(element);
  element.showModal();
  if (kept) {
    fieldsIn(element).forEach((field, at) => {
      const value = kept.values[at] ?? field.value;
      if (value === field.value) return;
      field.value = value;
      field.dispatchEvent(new Event("input")); // its own listeners: here it was typed long ago
    });
    [typed, unsaved.textContent] = [true, t().again];
  }
  const startOver = (next: string): void => {
    if (draft !== undefined) keepDraft(draft, null);
    [base, typed, unsaved.textContent] = [next, false, ""];
  };
  return { element, closed, close, resumed: kept?.base ?? null, startOver };
}

type Field = HTMLInputElement | HTMLTextAreaElement;

/** What one writes or slides, and not what one looks for. */
const FIELDS = "textarea, input:not([type=checkbox], [type=radio], [type=file], [type=search])";
const isField = (target: EventTarget | null): boolean => target instanceof HTMLElement && target.matches(FIELDS);
const fieldsIn = (element: HTMLElement): Field[] => [...element.querySelectorAll<Field>(FIELDS)];

/** Tab goes around inside. */
function keepFocus(element: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== "Tab") return;
  const stops = [...element.querySelectorAll<HTMLElement>("a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex='0']")];
  const [first, last] = [stops[0], stops.at(-1)];
  const leaving = event.shiftKey ? document.activeElement === first : document.activeElement === last;
  if (!leaving) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

const isText = (target: EventTarget | null): boolean =>
  (target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && /^(text|search|url|email)$/.test(target.type))) &&
  target.dataset.keeps === undefined;

function outside(element: HTMLElement, event: MouseEvent): boolean {
  const box = element.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

export interface ConfirmOptions {
  readonly title: string;
  readonly body: Child;
  /** The verb on the button, as "Let go". */
  readonly action: string;
  readonly danger?: boolean;
  readonly signal?: AbortSignal;
}

/** Asks; true only if the action's own button was pressed. */
export async function confirm(options: ConfirmOptions): Promise<boolean> {
  let agreed = false;
  const decide = button({
    label: options.action,
    kind: options.danger ? "danger" : "primary",
    onclick: () => {
      agreed = true;
      asked.close();
    },
  });
  const cancel = button({ label: t().cancel, kind: "quiet", onclick: () => asked.close() });
  const asked = dialog({ title: options.title, body: options.body, actions: [cancel, decide], ...(options.signal ? { signal: options.signal } : {}) });
  (options.danger ? cancel : decide).focus();
  await asked.closed;
  return agreed;
}
