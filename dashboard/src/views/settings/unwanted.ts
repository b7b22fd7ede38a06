/** What the reader does not want kept: chosen here, and kept again from here. */

import { h } from "../../dom.ts";
import { texts } from "../../i18n.ts";
import { ATTRIBUTES, attributeWord } from "../../ui/attribute-words.ts";
import { button, field, select } from "../../ui/index.ts";
import type { Attribute } from "../../ui/unwanted.ts";
import type { Context } from "../../view.ts";
import { action, into, section } from "./section.ts";

const t = texts({
  en: {
    title: "What you do not want kept",
    about: "Conversations about these are not kept. What you ask to be remembered is, and so is what is there already.",
    none: "Everything may be kept.",
    add: "Stop keeping",
    what: "Conversations about",
    again: (name: string) => `Keep again: ${name}`,
    noWrite: "Changing this needs the write scope.",
  },
  ko: {
    title: "남기지 않을 이야기",
    about: "대화에 나온 다음 이야기는 남기지 않습니다. 직접 기억해 달라고 한 것과 이미 있는 기억은 그대로 있습니다.",
    none: "무엇이든 남길 수 있습니다.",
    add: "남기지 않기",
    what: "이런 이야기는",
    again: (name: string) => `다시 남기기: ${name}`,
    noWrite: "바꾸려면 write 권한이 필요합니다.",
  },
});

export function unwanted({ api, live, session }: Context, signal: AbortSignal): HTMLElement {
  const room = h("div", { class: "stack", "data-testid": "unwanted" });
  const show = (load: () => Promise<{ readonly attributes: readonly Attribute[] }>): Promise<void> =>
    into(room, signal, async () => drawn((await load()).attributes));
  const drawn = (names: readonly Attribute[]) => {
    if (!session.scopes.includes("write")) return h("p", { class: "faint" }, t().noWrite);
    const left = ATTRIBUTES.filter((name) => !names.includes(name as Attribute)).map((name) => [name, attributeWord(name)] as const);
    const choice = select({ options: [...left].sort(([, one], [, other]) => one.localeCompare(other)) });
    choice.dataset.testid = "unwanted-choice";
    return [
      names.length
        ? h(
            "div",
            { class: "row" },
            names.map((name) => {
              const one = button({
                label: attributeWord(name),
                icon: "close",
                small: true,
                onclick: () => show(() => api.call("unwanted_remove", { attribute: name }, { signal })),
              });
              one.setAttribute("aria-label", t().again(attributeWord(name)));
              one.dataset.testid = `unwanted-${name}`;
              return one;
            }),
          )
        : h("p", { class: "soft" }, t().none),
      h(
        "div",
        { class: "row ends" },
        field({ label: t().what, control: choice }),
        action("unwanted-add", { label: t().add, onclick: () => show(() => api.call("unwanted_add", { attribute: choice.value as Attribute }, { signal })) }),
      ),
    ];
  };
  void show(() => api.call("unwanted_list", {}, { signal }));
  live.onChanges(
    (changes) => {
      if (changes.some(({ type }) => /^(stored|forgotten|restored|undone|reset)$/.test(type))) void show(() => api.call("unwanted_list", {}, { signal }));
    },
    signal,
    1500,
  );
  return section("settings-unwanted", t().title, t().about, room);
}
