/** The words of a question in a text: found for the eye, as the search finds them for itself. */

import { h, type Child } from "../dom.ts";

/** Words that every sentence has say nothing about why it was found. */
const EMPTY = new Set(
  "a an and are as at be but by do did does for from had has have how i in is it its me my of on or our she he so that the their them there they this to was we were what when where which who why will with you your 나 내 내가 나는 저 제 그 이 뭐 무엇 어디 언제 누구 왜 어떻게".split(
    " ",
  ),
);
const SHORTEST_STEM = 2;

const folded = (text: string): string => text.normalize("NFC").toLocaleLowerCase();
const wordsIn = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

const ENGLISH_ENDING = /(?<=[a-z]{3})(?:ing|ed|es|e|s)$/;
const KOREAN_PARTICLE = /(?<=[가-힣]{2})(?:에서는|에서|에게|한테|으로|이랑|하고|까지|부터|은|는|이|가|을|를|의|에|도|와|과|로|랑|만)$/;

/** "living" and "live" without their endings are "liv", 소라는 and 소라가 without their particles 소라. */
const stem = (word: string): string => word.replace(ENGLISH_ENDING, "").replace(KOREAN_PARTICLE, "");

/** "lives" has the stem of "live", 소라는 that of 소라: one begins with the other, and little is left over. */
function isSame(one: string, other: string): boolean {
  if (stem(one) === stem(other)) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (
    short.length >= SHORTEST_STEM &&
    long.startsWith(short) &&
    long.length - short.length <= (/[가-힣]/.test(short) ? 4 : 3) &&
    (short.length > 3 || /[가-힣]/.test(short))
  );
}

export interface Piece {
  readonly text: string;
  readonly matched: boolean;
}

/** The text in pieces, those that the question has marked. */
export function pieces(text: string, question: string): Piece[] {
  const asked = wordsIn(question).filter((word) => !EMPTY.has(word));
  const found: Piece[] = [];
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    if (!part) continue;
    const matched = /[\p{L}\p{N}]/u.test(part) && !EMPTY.has(folded(part)) && asked.some((word) => isSame(word, folded(part)));
    const last = found.at(-1);
    if (last && last.matched === matched && !matched) found[found.length - 1] = { text: last.text + part, matched };
    else found.push({ text: part, matched });
  }
  return found;
}

export const matchedWords = (text: string, question: string): string[] => [
  ...new Set(
    pieces(text, question)
      .filter(({ matched }) => matched)
      .map(({ text }) => text),
  ),
];

export const marked = (text: string, question: string): Child[] =>
  pieces(text, question).map(({ text: part, matched }) => (matched ? h("mark", null, part) : part));
