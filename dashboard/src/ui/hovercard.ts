import { fill, freshId, h, type Child } from "../dom.ts";

const DELAY = 250;
const AWAY = 10;

/** More about something, beside it, while the pointer or the focus is on it; Escape puts it away. */
export function hovercard(target: HTMLElement, content: () => Child, signal?: AbortSignal): void {
  const card = h("div", { class: "hovercard", role: "tooltip", id: freshId("card"), popover: "manual" });
  let timer = 0;
  const show = (): void => {
    if (!target.isConnected || signal?.aborted) return;
    fill(card, content());
    document.body.append(card);
    card.showPopover();
    place(card, target.getBoundingClientRect());
    target.setAttribute("aria-describedby", card.id);
  };
  const soon = (): void => {
    window.clearTimeout(timer);
    timer = window.setTimeout(show, DELAY);
  };
  const hide = (): void => {
    window.clearTimeout(timer);
    target.removeAttribute("aria-describedby");
    card.remove();
  };
  const listening = signal ? { signal } : {};
  target.addEventListener("pointerenter", soon, listening);
  target.addEventListener("pointerleave", hide, listening);
  target.addEventListener("focusin", soon, listening);
  target.addEventListener("focusout", hide, listening);
  target.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape") hide();
    },
    listening,
  );
  signal?.addEventListener("abort", hide, { once: true });
}

/** Below the box, above it where there is no room; never beyond the edge of the window. */
export function place(card: HTMLElement, box: { left: number; top: number; bottom: number }): void {
  const { width, height } = card.getBoundingClientRect();
  const below = box.bottom + AWAY + height < window.innerHeight;
  const top = below ? box.bottom + AWAY : box.top - AWAY - height;
  card.style.setProperty("left", `${Math.max(8, Math.min(box.left, window.innerWidth - width - 8))}px`);
  card.style.setProperty("top", `${Math.max(8, top)}px`);
}
