/** What was and what would be: lines and words that went, and those that came. */

import { h, type Child } from "../dom.ts";
import { texts } from "../i18n.ts";
import { difference, type Kind, type Piece } from "./difference.ts";
import "./diff.css";

const t = texts({
  en: {
    gone: "removed: ",
    come: "added: ",
    same: (lines: number) => (lines === 1 ? "one line is the same" : `${lines} lines are the same`),
    nothing: "Nothing differs.",
  },
  ko: { gone: "빠짐: ", come: "더해짐: ", same: (lines: number) => `같은 줄 ${lines}개`, nothing: "다른 곳이 없습니다." },
});

const AROUND = 2;

const wordsOf = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];

/** Neighbours of the same kind as one. */
function joined(pieces: readonly Piece<string>[]): Piece<string>[] {
  const all: { kind: Kind; token: string }[] = [];
  for (const { kind, token } of pieces) {
    const last = all.at(-1);
    if (last?.kind === kind) last.token += token;
    else all.push({ kind, token });
  }
  return all;
}

const shown = ({ kind, token }: Piece<string>): Child =>
  kind === "same"
    ? token
    : kind === "gone"
      ? h("del", null, h("span", { class: "unseen" }, t().gone), token)
      : h("ins", null, h("span", { class: "unseen" }, t().come), token);

const ALIKE = 0.45;

/** The share of both texts that is the same, spaces apart. */
function sharedIn(pieces: readonly Piece<string>[]): number {
  const length = (kinds: readonly Kind[]): number => pieces.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { token }) => sum + token.trim().length, 0);
  return (2 * length(["same"])) / Math.max(1, 2 * length(["same"]) + length(["gone", "come"]));
}

/** A sentence before and after, word by word; null where there is none. */
export function wordDiff(before: string | null, after: string | null): HTMLElement {
  const compared = before === null || after === null ? null : joined(difference(wordsOf(before), wordsOf(after)));
  // Sentences that share little are easier to read one after the other.
  const pieces =
    compared === null || sharedIn(compared) < ALIKE
      ? [before === null ? null : { kind: "gone" as const, token: before }, after === null ? null : { kind: "come" as const, token: after }].filter(
          (each) => each !== null,
        )
      : compared;
  return h("span", { class: "word-diff" }, pieces.map(shown));
}

/** A text before and after, line by line; what stays the same far from any change is left out. */
export function lineDiff(before: readonly string[], after: readonly string[], label: string): HTMLElement {
  const pieces = difference(before, after);
  if (pieces.every(({ kind }) => kind === "same")) return h("p", { class: "soft" }, t().nothing);
  const near = pieces.map((_, at) => pieces.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== "same"));
  const lines: HTMLElement[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as Piece<string>;
    if (near[at]) {
      lines.push(line(piece));
      continue;
    }
    const until = near.indexOf(true, at);
    const skipped = (until < 0 ? pieces.length : until) - at;
    lines.push(h("div", { class: "line skipped" }, t().same(skipped)));
    at += skipped - 1;
  }
  return h("div", { class: "line-diff", role: "region", "aria-label": label, tabindex: 0 }, lines);
}

const SIGNS: Readonly<Record<Kind, string>> = { same: " ", gone: "−", come: "+" };

const line = ({ kind, token }: Piece<string>): HTMLElement =>
  h(
    "div",
    { class: `line ${kind}` },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[kind]),
    h("span", null, kind === "same" ? null : h("span", { class: "unseen" }, kind === "gone" ? t().gone : t().come), token || " "),
  );
