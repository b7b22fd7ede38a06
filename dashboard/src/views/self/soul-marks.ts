/**
 * SOUL.md without what only programs need, and back: every entry carries a mark with its id, by which the server knows which
 * one was edited. A line that was reworded keeps the mark of the line that it was.
 */

import { difference } from "../../ui/difference.ts";

const MARK = /\s*(<!-- [\w-]+ [0-9a-f]{6} -->)\s*$/;
const HEADER = /^<!-- celestial:.*-->$/;
/** Measured, not written; and what a belief stands on, which is not edited here. */
const MEASURED = /^(- (Strength|Status): |\s+- (Confidence|Island|Held up by): )/;

interface Line {
  readonly text: string;
  readonly mark: string | null;
}

function linesOf(page: string): readonly Line[] {
  return page
    .trimEnd()
    .split("\n")
    .filter((line) => !HEADER.test(line) && !MEASURED.test(line))
    .map((line) => ({ text: line.replace(MARK, ""), mark: MARK.exec(line)?.[1] ?? null }))
    .filter(({ text }, at, all) => text !== "" || all[at - 1]?.text !== ""); // one empty line is enough
}

/** The page as a person edits it. */
export const plainSoul = (page: string): string =>
  linesOf(page)
    .map(({ text }) => text)
    .join("\n");

/** What kind of entry a line is: only lines of one kind can be each other's new wording. */
const kindOf = (line: string): string => /^(### |- M0-\w+:|- Founded by:|- |)/.exec(line)?.[1] ?? "";

/** The edited text with the marks of the page that it was made from. */
export function markedSoul(page: string, edited: string): string {
  const before = linesOf(page);
  const after = edited.replace(/\r/g, "").split("\n");
  const header = page.split("\n").find((line) => HEADER.test(line)) ?? "";
  const out: string[] = [];
  let gone: Line[] = [];
  let come: string[] = [];
  const settle = (): void => {
    const marks = marksOf(come, gone);
    come.forEach((text, at) => out.push(marks.has(at) ? `${text} ${marks.get(at)}` : text));
    [gone, come] = [[], []];
  };
  let row = 0;
  for (const { kind, token } of difference(
    before.map(({ text }) => text),
    after.map((line) => line.trimEnd()),
  )) {
    if (kind === "same") settle();
    const line = kind === "come" ? null : (before[row++] as Line);
    if (kind === "gone") gone.push(line as Line);
    else if (kind === "come") come.push(token);
    else out.push(line?.mark ? `${token} ${line.mark}` : token);
  }
  settle();
  const title = out.findIndex((line) => line.startsWith("# "));
  out.splice(title + 1, 0, "", header);
  return `${out.join("\n").trimEnd()}\n`;
}

/** Which new line is the wording of which one that went: of the same kind, those with most words in common first. */
function marksOf(come: readonly string[], gone: readonly Line[]): ReadonlyMap<number, string> {
  const words = (text: string): string[] => text.toLowerCase().split(/\s+/);
  const pairs = come.flatMap((text, at) =>
    gone.flatMap(({ text: was, mark }, from) => {
      if (!mark || kindOf(was) !== kindOf(text)) return [];
      const known = new Set(words(was));
      return [{ at, from, mark, shared: words(text).filter((word) => known.has(word)).length }];
    }),
  );
  pairs.sort((one, other) => other.shared - one.shared || one.at - other.at || one.from - other.from);
  const found = new Map<number, string>();
  const taken = new Set<number>();
  for (const { at, from, mark } of pairs) {
    if (found.has(at) || taken.has(from)) continue;
    found.set(at, mark);
    taken.add(from);
  }
  return found;
}
