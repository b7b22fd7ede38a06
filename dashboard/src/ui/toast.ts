import { explained } from "../api/index.ts";
import { h } from "../dom.ts";
import { texts } from "../i18n.ts";
import type { ToastOptions } from "../view.ts";
import { button } from "./button.ts";

const t = texts({ en: { undo: "Undo", close: "Dismiss" }, ko: { undo: "되돌리기", close: "닫기" } });

const SHOWN = 6000;
const SHOWN_WITH_UNDO = 12_000;
let room: HTMLElement | null = null;

/** A short word at the edge of the page; it stays while the pointer or the focus is on it. */
export function toast(text: string, options: ToastOptions = {}): void {
  if (!room?.isConnected) {
    room = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
    document.body.append(room);
  }
  let timer = 0;
  const end = (): void => {
    window.clearTimeout(timer);
    element.remove();
  };
  const wait = (): void => {
    window.clearTimeout(timer);
    timer = window.setTimeout(end, options.undo ? SHOWN_WITH_UNDO : SHOWN);
  };
  const stay = (): void => window.clearTimeout(timer);
  const { undo } = options;
  const takeBack = async (): Promise<void> => {
    stay();
    try {
      await undo?.();
    } catch (error) {
      toast(explained(error), { kind: "bad" });
    }
    end();
  };
  const element = h(
    "div",
    { class: options.kind === "bad" ? "toast bad" : "toast", onpointerenter: stay, onpointerleave: wait, onfocusin: stay, onfocusout: wait },
    h("span", null, text),
    undo && button({ label: t().undo, icon: "undo", small: true, onclick: takeBack }),
    button({ label: t().close, icon: "close", kind: "quiet", bare: true, onclick: end }),
  );
  room.append(element);
  wait();
}
