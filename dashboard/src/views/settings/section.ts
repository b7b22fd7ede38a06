/** The panels that settings are made of, and the few things that all of them do. */

import { explained, isAbort } from "../../api/index.ts";
import { fill, h, type Child } from "../../dom.ts";
import { button, errorPanel, skeleton, type ButtonOptions } from "../../ui/index.ts";

export const section = (testid: string, title: string, about: Child, ...body: Child[]): HTMLElement =>
  h(
    "section",
    { class: "panel stack", "data-testid": testid },
    h("div", null, h("h2", null, title), about ? h("p", { class: "small soft" }, about) : null),
    body,
  );

/** A button that tests know by name. */
export function action(testid: string, options: ButtonOptions): HTMLButtonElement {
  const made = button(options);
  made.dataset.testid = testid;
  return made;
}

/** Load something into a room, with a way on if that fails. */
export async function into(room: HTMLElement, signal: AbortSignal, made: () => Promise<Child>): Promise<void> {
  if (!room.hasChildNodes()) fill(room, skeleton(3));
  try {
    fill(room, await made());
  } catch (error) {
    if (isAbort(error) || signal.aborted) return;
    fill(
      room,
      errorPanel(error, () => {
        fill(room);
        void into(room, signal, made);
      }),
    );
  }
}

/** Do something and say in a room what became of it. */
export async function tell(room: HTMLElement, signal: AbortSignal, doing: () => Promise<Child>): Promise<void> {
  try {
    fill(room, await doing());
  } catch (error) {
    if (!isAbort(error) && !signal.aborted) fill(room, h("p", { class: "bad" }, explained(error)));
  }
}

export const facts = (pairs: readonly (readonly [label: string, value: Child])[]): HTMLElement =>
  h(
    "dl",
    { class: "facts" },
    pairs.map(([label, value]) => [h("dt", null, label), h("dd", null, value)]),
  );

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** "2.4 MB". */
export function size(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** step;
  return `${step === 0 ? value : value.toFixed(1)} ${UNITS[step] ?? ""}`;
}
