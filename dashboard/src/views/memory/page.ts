/** What the sections of the page share: the memory as it is now, and what may be done with it. */

import { ApiError, explained, isAbort, type Memory } from "../../api/index.ts";
import type { Context } from "../../view.ts";
import { t } from "./texts.ts";

export interface Page {
  readonly context: Context;
  /** As it was last read. */
  readonly memory: () => Memory;
  /** Read everything again, after something was done or told. */
  readonly refresh: () => Promise<void>;
}

export const isProtected = (memory: Memory): boolean => memory.protection === "immutable" || memory.protection === "core";
export const isInOrbit = (memory: Memory): boolean => memory.state === "active" || memory.state === "faded";
export const isChangeable = (memory: Memory): boolean => isInOrbit(memory) && !isProtected(memory);

/** Do something to the memory, say so, and offer to take back exactly this. */
export async function done(page: Page, doing: () => Promise<unknown>, told: string, undoes?: string): Promise<void> {
  const { context } = page;
  try {
    await doing();
    const number = undoes && !isProtected(page.memory()) ? await newest(page, undoes) : null;
    context.toast(told, number === null ? { kind: "good" } : { kind: "good", undo: () => takeBack(page, number) });
  } catch (error) {
    if (isAbort(error)) return;
    context.toast(explained(error), { kind: "bad" });
  }
  if (!context.signal.aborted) await page.refresh();
}

/** The number of the memory's newest event of a type. */
async function newest(page: Page, type: string): Promise<number | null> {
  try {
    const { events } = await page.context.api.call("memory_history", { id: page.memory().id, limit: 5 });
    return events.find((event) => event.type === type)?.number ?? null;
  } catch (error) {
    if (error instanceof ApiError) return null; // the deed is done; only its undo cannot be offered
    throw error;
  }
}

/** Whoever presses undo may have left the page by then: the deed is done all the same. */
export async function takeBack(page: Page, event: number): Promise<void> {
  await page.context.api.call("undo", { event });
  page.context.toast(t().undone, { kind: "good" });
  if (!page.context.signal.aborted) await page.refresh();
}
