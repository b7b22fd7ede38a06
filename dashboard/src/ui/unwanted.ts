/** "Stop keeping such things": what conversations say about money, say, is not kept any more. */

import { explained, isAbort, type Operations } from "../api/index.ts";
import { texts } from "../i18n.ts";
import type { Context } from "../view.ts";
import { attributeWord } from "./attribute-words.ts";
import { button } from "./button.ts";

export type Attribute = Operations["unwanted_add"]["ask"]["attribute"];

const t = texts({
  en: {
    stop: (name: string) => `Stop keeping: ${name}`,
    stopped: (name: string) => `From now on this is not kept unless you ask for it: ${name}. What is there already stays as it is.`,
  },
  ko: {
    stop: (name: string) => `‘${name}’ 더는 남기지 않기`,
    stopped: (name: string) => `이제부터 ‘${name}’에 관한 말은 기억해 달라고 하지 않는 한 남기지 않습니다. 이미 있는 기억은 그대로 둡니다.`,
  },
});

/** Nothing where no attribute is chosen. */
export function stopButton({ api, toast }: Context, attribute: string | null): HTMLElement | null {
  if (attribute === null) return null;
  const made = button({
    label: t().stop(attributeWord(attribute)),
    small: true,
    onclick: async () => {
      try {
        await api.call("unwanted_add", { attribute: attribute as Attribute });
        toast(t().stopped(attributeWord(attribute)), {
          kind: "good",
          undo: async () => void (await api.call("unwanted_remove", { attribute: attribute as Attribute })),
        });
      } catch (error) {
        if (!isAbort(error)) toast(explained(error), { kind: "bad" });
      }
    },
  });
  [made.dataset.testid, made.dataset.focus] = ["stop-keeping", "stop-keeping"];
  return made;
}
