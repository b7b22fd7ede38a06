/** One box for all filters: a few letters, suggestions with their counts, and a chip for each that holds. */

import { fill, freshId, h } from "../../dom.ts";
import { number } from "../../i18n.ts";
import { icon } from "../../ui/icons.ts";
import { FIELDS, offered, type FieldName, type Suggestion, type TableState } from "./state.ts";
import { t } from "./texts.ts";
import { fieldWord, valueWord } from "./words.ts";

const MOST = 14;

export interface FilterBox {
  readonly element: HTMLElement;
  set(state: TableState): void;
  suggest(all: readonly Suggestion[]): void;
}

export function filterBox(choose: (field: FieldName, value: string | null) => void): FilterBox {
  const name = freshId("filters");
  const room = h("div", { class: "filter-list", role: "listbox", id: name, "aria-label": t().suggestions, hidden: true });
  const chips = h("div", { class: "row filter-chips", "data-testid": "filter-chips" });
  let all: readonly Suggestion[] = [];
  let shown: Suggestion[] = [];
  let at = -1;
  const box = h("input", {
    class: "input",
    type: "text",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": name,
    "aria-autocomplete": "list",
    "aria-label": t().filter,
    placeholder: t().filterHint,
    autocomplete: "off",
    "data-testid": "filter-box",
  });
  const open = (on: boolean): void => {
    room.hidden = !on;
    box.setAttribute("aria-expanded", String(on));
    if (!on) box.removeAttribute("aria-activedescendant");
  };
  const take = (one: Suggestion): void => {
    box.value = "";
    open(false);
    choose(one.field, one.value);
    box.focus();
    open(false);
  };
  const select = (place: number): void => {
    at = place;
    [...room.children].forEach((each, place) => each.setAttribute("aria-selected", String(place === at)));
    if (at >= 0) box.setAttribute("aria-activedescendant", `${name}-${at}`);
    room.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const draw = (): void => {
    const typed = box.value.trim();
    shown = offered(all, typed, t().contains(typed), MOST);
    fill(
      room,
      shown.map((one, place) =>
        h(
          "div",
          {
            class: "filter-item",
            role: "option",
            id: `${name}-${place}`,
            "aria-selected": "false",
            "data-testid": "filter-item",
            onpointerdown: (event) => {
              event.preventDefault();
              take(one);
            },
          },
          h("span", null, one.label),
          one.count ? h("span", { class: "faint small" }, number(one.count)) : null,
        ),
      ),
    );
    open(shown.length > 0);
    select(typed ? 0 : -1);
  };
  box.addEventListener("focus", draw);
  box.addEventListener("input", draw);
  box.addEventListener("blur", () => open(false));
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (room.hidden) draw();
      else if (shown.length) select((at + (event.key === "ArrowDown" ? 1 : -1) + shown.length) % shown.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const chosen = shown[at];
      if (chosen) take(chosen);
    } else if (event.key === "Escape" && !room.hidden) {
      open(false);
    } else if (event.key === "Backspace" && !box.value) {
      const last = chips.querySelectorAll<HTMLButtonElement>("button").item(chips.querySelectorAll("button").length - 1);
      last?.click();
    }
  });
  return {
    element: h("div", { class: "filter" }, h("div", { class: "filter-room" }, icon("search"), box, room), chips),
    suggest(next) {
      all = next;
      if (!room.hidden || (document.activeElement === box && box.value.trim())) draw();
    },
    set(state) {
      fill(
        chips,
        FIELDS.filter((field) => state.filters[field]).map((field) => {
          const label = `${fieldWord(field)}: ${valueWord(field, state.filters[field] ?? "")}`;
          return h(
            "button",
            { type: "button", class: "filter-chip", "aria-label": t().remove(label), "data-testid": `chip-${field}`, onclick: () => choose(field, null) },
            label,
            icon("close"),
          );
        }),
      );
    },
  };
}
