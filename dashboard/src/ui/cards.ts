/** A table that becomes cards where it is narrow: each cell with its column's title, and still a table to those who listen. */

import "./cards.css";

const ROLES = { table: "table", thead: "rowgroup", tbody: "rowgroup", tr: "row", th: "columnheader", td: "cell" } as const;

export function cards(room: HTMLElement): HTMLElement {
  room.classList.add("cards");
  // Laid out as blocks, the elements would lose what they are.
  for (const [tag, role] of Object.entries(ROLES)) for (const each of room.querySelectorAll(tag)) each.setAttribute("role", role);
  const titles = [...room.querySelectorAll<HTMLElement>("thead tr > *")].map((each) => each.dataset.title ?? each.textContent ?? "");
  for (const row of room.querySelectorAll("tbody tr")) {
    [...row.children].forEach((cell, at) => {
      cell.setAttribute("data-title", titles[at] ?? "");
      if (!cell.hasChildNodes()) cell.classList.add("void");
    });
  }
  return room;
}
