/** Bringing memories back: all at once, and where one of them is in the way, one by one. */

import { ApiError, explained, isAbort } from "../../api/index.ts";
import type { Context } from "../../view.ts";
import { t } from "./texts.ts";

/** More than these are not let go again by one press. */
const MOST_UNDONE = 60;

/** The ids that are back. Whoever has left the view meanwhile gets them back all the same. */
export async function rescue({ api, toast }: Context, ids: readonly string[], changed: () => void): Promise<readonly string[]> {
  try {
    const back = await restored(api, ids);
    const lost = ids.length - back.length;
    const undo = async (): Promise<void> => {
      for (const id of back) await api.call("memory_delete", { id });
      toast(t().letGoAgain(back.length), { kind: "good" });
      changed();
    };
    if (lost) toast(t().partly(back.length, lost), { kind: "bad" });
    else toast(t().restored(back.length), back.length <= MOST_UNDONE ? { kind: "good", undo } : { kind: "good" });
    return back;
  } catch (error) {
    if (!isAbort(error)) toast(explained(error), { kind: "bad" });
    return [];
  }
}

async function restored(api: Context["api"], ids: readonly string[]): Promise<readonly string[]> {
  try {
    await api.call("memory_restore", { ids });
    return ids;
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (ids.length === 1) return [];
  }
  const back: string[] = [];
  for (const id of ids) {
    // those before the one in the way may be back already
    try {
      await api.call("memory_restore", { ids: [id] });
      back.push(id);
    } catch (error) {
      if (!isMissing(error)) throw error;
      const now = await api.call("memory_get", { id }).catch(() => null);
      if (now && now.state !== "cliff") back.push(id);
    }
  }
  return back;
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 409);
