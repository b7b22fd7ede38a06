/** Ctrl+K: memories, people, views and actions by a few letters. */

import type { Api } from "../api/index.ts";
import { fill, freshId, h } from "../dom.ts";
import { language, setLanguage } from "../i18n.ts";
import { setTheme, theme } from "../theme/index.ts";
import { dialog } from "../ui/dialog.ts";
import { icon, type IconName } from "../ui/icons.ts";
import "./palette.css";
import { PLACES } from "./places.ts";
import { t } from "./texts.ts";

export interface PaletteTools {
  navigate(path: string): void;
  remember(text?: string): void;
}

export interface Choice {
  readonly group: "views" | "actions" | "persons" | "found";
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => void;
}

const WAIT = 160;
const MOST_FOUND = 6;
const MOST_PEOPLE = 6;

export const folded = (text: string): string => text.normalize("NFKC").toLocaleLowerCase();

/** Choices that hold every word that was typed; those that begin with it come first. */
export function matching(choices: readonly Choice[], typed: string): Choice[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const fits = choices.filter(({ label }) => words.every((word) => folded(label).includes(word)));
  const rank = ({ label }: Choice): number => (words[0] && folded(label).startsWith(words[0]) ? 0 : 1);
  return fits.sort((one, other) => rank(one) - rank(other));
}

export function openPalette(api: Api, tools: PaletteTools): void {
  const ending = new AbortController();
  const { signal } = ending;
  const name = freshId("palette");
  const room = h("div", { class: "palette-list", role: "listbox", id: name, "aria-label": t().palette });
  let shown: Choice[] = [];
  let at = 0;
  let timer = 0;
  let people: readonly Choice[] = [];
  let memories: readonly Choice[] = [];
  const go = (path: string) => (): void => tools.navigate(path);
  const views = PLACES.map((place): Choice => ({ group: "views", label: t()[place], icon: place, run: go(place) }));
  const actions = (): Choice[] => [
    { group: "actions", label: t().remember, icon: "plus", run: () => tools.remember() },
    { group: "actions", label: t().switchTheme, icon: theme() === "dark" ? "light" : "dark", run: () => setTheme(theme() === "dark" ? "light" : "dark") },
    { group: "actions", label: t().switchLanguage, icon: "auto", run: () => setLanguage(language() === "ko" ? "en" : "ko") },
  ];
  const typedActions = (text: string): Choice[] =>
    text
      ? [
          { group: "actions", label: t().askThis(text), icon: "ask", run: go(`ask?q=${encodeURIComponent(text)}`) },
          { group: "actions", label: t().rememberThis(text), icon: "plus", run: () => tools.remember(text) },
        ]
      : [];
  const box = h("input", {
    class: "input palette-box",
    type: "text",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": name,
    "aria-label": t().palette,
    "aria-autocomplete": "list",
    placeholder: t().paletteHint,
    autocomplete: "off",
    spellcheck: "false",
    "data-testid": "palette-box",
    "data-keeps": "nothing",
  });

  const draw = (): void => {
    const text = box.value.trim();
    shown = [...(text ? matching(people, text).slice(0, MOST_PEOPLE) : []), ...memories, ...matching([...views, ...actions()], text), ...typedActions(text)];
    at = Math.min(at, Math.max(0, shown.length - 1));
    let group = "";
    fill(
      room,
      shown.length
        ? shown.map((choice, place) => {
            const head = choice.group === group ? null : h("div", { class: "palette-group", "aria-hidden": "true" }, t()[choice.group]);
            group = choice.group;
            return [
              head,
              h(
                "div",
                {
                  class: "palette-item",
                  role: "option",
                  id: `${name}-${place}`,
                  "aria-selected": String(place === at),
                  "data-testid": "palette-item",
                  onclick: () => choose(choice),
                  onpointermove: () => select(place),
                },
                icon(choice.icon),
                h("span", null, choice.label),
              ),
            ];
          })
        : h("p", { class: "soft palette-none" }, t().noneFound),
    );
    select(at);
  };
  const select = (place: number): void => {
    at = place;
    for (const each of room.querySelectorAll("[role=option]")) each.setAttribute("aria-selected", String(each.id === `${name}-${at}`));
    if (shown.length) box.setAttribute("aria-activedescendant", `${name}-${at}`);
    else box.removeAttribute("aria-activedescendant");
  };
  const choose = (choice: Choice): void => {
    opened.close();
    choice.run();
  };
  const find = async (): Promise<void> => {
    const text = box.value.trim();
    if (!text) return;
    try {
      const found = await api.call("memory_table", { text, limit: MOST_FOUND, sort: "recalled", counts: false }, { signal });
      if (box.value.trim() !== text) return;
      memories = found.memories.map(
        (memory): Choice => ({ group: "found", label: memory.content, icon: "memory", run: go(`memory/${encodeURIComponent(memory.id)}`) }),
      );
      draw();
    } catch {
      // views and actions are there all the same
    }
  };
  box.addEventListener("input", () => {
    at = 0;
    memories = [];
    draw();
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void find(), WAIT);
  });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (next !== undefined && shown.length) {
      event.preventDefault();
      select((next + shown.length) % shown.length);
      room.querySelector(`#${name}-${at}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      const chosen = shown[at];
      if (chosen) choose(chosen);
    }
  });
  const opened = dialog({ title: t().palette, body: h("div", { class: "palette" }, box, room) });
  opened.element.classList.add("palette-dialog");
  void opened.closed.then(() => {
    window.clearTimeout(timer);
    ending.abort();
  });
  draw();
  box.focus();
  api.call("subject_list", { limit: 300 }, { signal }).then(
    ({ subjects }) => {
      people = subjects.map(
        (one): Choice => ({
          group: "persons",
          label: one.aliases.length ? `${one.name} (${one.aliases.join(", ")})` : one.name,
          icon: "people",
          run: go(`people/${encodeURIComponent(one.key)}`),
        }),
      );
      if (box.value.trim()) draw();
    },
    () => {},
  );
}
