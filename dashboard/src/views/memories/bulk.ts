/** Many memories at once, with one undo for all of them. */

import { explained, type Api, type Memory } from "../../api/index.ts";

export interface Done {
  readonly changed: readonly Memory[];
  readonly failed: number;
  /** What the first refusal said. */
  readonly why: string;
  readonly undo: () => Promise<void>;
}

/** Few at a time: a server has other callers too. */
const AT_ONCE = 4;

/** Run for each of them; one that is refused does not stop the others. */
export async function each(
  memories: readonly Memory[],
  run: (memory: Memory) => Promise<unknown>,
): Promise<{ changed: Memory[]; failed: number; why: string }> {
  const changed: Memory[] = [];
  let [failed, why] = [0, ""];
  const waiting = [...memories];
  const worker = async (): Promise<void> => {
    for (let memory = waiting.shift(); memory; memory = waiting.shift()) {
      try {
        await run(memory);
        changed.push(memory);
      } catch (error) {
        failed += 1;
        why ||= explained(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { changed, failed, why };
}

const withUndo = (done: { changed: Memory[]; failed: number; why: string }, back: (memory: Memory) => Promise<unknown>): Done => ({
  ...done,
  undo: async () => {
    await each(done.changed, back);
  },
});

export const pin = async (api: Api, memories: readonly Memory[]): Promise<Done> => {
  const free = memories.filter(({ protection }) => protection === "none");
  return withUndo(await each(free, ({ id }) => api.call("memory_pin", { id })), ({ id }) => api.call("memory_unpin", { id }));
};

export const forget = async (api: Api, memories: readonly Memory[]): Promise<Done> =>
  withUndo(
    await each(
      memories.filter(({ state }) => state !== "cliff"),
      ({ id }) => api.call("memory_delete", { id }),
    ),
    ({ id }) => api.call("memory_restore", { ids: [id] }),
  );

export const restore = async (api: Api, memories: readonly Memory[]): Promise<Done> =>
  withUndo(
    await each(
      memories.filter(({ state }) => state === "cliff"),
      ({ id }) => api.call("memory_restore", { ids: [id] }),
    ),
    ({ id }) => api.call("memory_delete", { id }),
  );

export type Lifetime = "M30" | "M90" | "M365";

/** Core memories keep theirs. The way back is the ledger's: it brings the old end and its reason back too. */
export const lifetime = async (api: Api, memories: readonly Memory[], tier: Lifetime): Promise<Done> => {
  const others = memories.filter((memory) => memory.tier !== tier && memory.tier !== "M0");
  return withUndo(await each(others, ({ id }) => api.call("memory_update", { id, tier })), async ({ id }) => {
    const { events } = await api.call("memory_history", { id, limit: 20 });
    const changed = events.find(({ type, detail }) => type === "updated" && Array.isArray(detail.fields) && detail.fields.includes("tier"));
    if (changed) await api.call("undo", { event: changed.number });
  });
};

export const tag = async (api: Api, memories: readonly Memory[], name: string): Promise<Done> => {
  const without = memories.filter(({ tags }) => !tags.includes(name));
  return withUndo(await each(without, ({ id, tags }) => api.call("memory_update", { id, tags: [...tags, name] })), ({ id, tags }) =>
    api.call("memory_update", { id, tags }),
  );
};
