/** Memories to choose from: a box to narrow them down, and one or many ticks. */

import { explained, isAbort, type Memory } from "../../api/index.ts";
import { fill, freshId, h } from "../../dom.ts";
import { texts } from "../../i18n.ts";
import { emotionChip, field, input, skeleton, tierMark } from "../../ui/index.ts";

const t = texts({
  en: { find: "Find memories", none: "No memory fits.", chosen: (count: number) => `${count} chosen` },
  ko: { find: "기억 찾기", none: "맞는 기억이 없습니다.", chosen: (count: number) => `${count}개 선택됨` },
});

const CALM = 250;

export interface Picker {
  readonly element: HTMLElement;
  readonly chosen: () => string[];
}

/** `load` gives what fits a text; what was ticked stays ticked and in sight. */
export function picker(options: {
  readonly label: string;
  readonly hint?: string;
  readonly many: boolean;
  readonly load: (text: string) => Promise<readonly Memory[]>;
  readonly onchange: () => void;
}): Picker {
  const name = freshId("picker");
  const picked = new Map<string, Memory>();
  const count = h("span", { class: "faint small", role: "status" });
  const room = h("div", { class: "picker-list", role: options.many ? "group" : "radiogroup", "aria-label": options.label });
  let turn = 0;
  let timer = 0;
  const tick = (memory: Memory, on: boolean): void => {
    if (!options.many) picked.clear();
    if (on) picked.set(memory.id, memory);
    else picked.delete(memory.id);
    count.textContent = options.many ? t().chosen(picked.size) : "";
    options.onchange();
  };
  const show = async (): Promise<void> => {
    const mine = ++turn;
    try {
      const found = await options.load(box.value.trim());
      if (mine !== turn) return;
      const all = new Map([...picked, ...found.map((memory) => [memory.id, memory] as const)]);
      fill(
        room,
        all.size
          ? [...all.values()].map((memory) => {
              const one = h("input", {
                type: options.many ? "checkbox" : "radio",
                name,
                checked: picked.has(memory.id),
                onchange: () => tick(memory, one.checked),
              });
              return h(
                "label",
                { class: "picker-one" },
                one,
                h("span", null, memory.content),
                h(
                  "span",
                  { class: "memory-facts" },
                  tierMark(memory.tier),
                  memory.emotions.map((each) => emotionChip(each)),
                ),
              );
            })
          : h("p", { class: "soft small" }, t().none),
      );
    } catch (error) {
      if (!isAbort(error) && mine === turn) fill(room, h("p", { role: "alert" }, explained(error)));
    }
  };
  const box = input({
    type: "search",
    placeholder: t().find,
    autocomplete: "off",
    oninput: () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void show(), CALM);
    },
  });
  fill(room, skeleton(3));
  void show();
  return {
    element: h("div", { class: "stack picker" }, field({ label: options.label, control: box, hint: options.hint }), room, count),
    chosen: () => [...picked.keys()],
  };
}
