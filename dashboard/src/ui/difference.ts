/** The shortest way from one row of tokens to another. */

export type Kind = "same" | "gone" | "come";

export interface Piece<Token> {
  readonly kind: Kind;
  readonly token: Token;
}

/** More comparisons than this, and the whole is told as gone and come. */
const MOST = 1_000_000;

/** The shortest way from one row of tokens to another, by their longest common part. */
export function difference<Token>(before: readonly Token[], after: readonly Token[]): Piece<Token>[] {
  const one =
    (kind: Kind) =>
    (token: Token): Piece<Token> => ({ kind, token });
  if (before.length * after.length > MOST) return [...before.map(one("gone")), ...after.map(one("come"))];
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      common[row * width + column] = before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pieces: Piece<Token>[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      pieces.push(one("same")(before[row] as Token));
      row++;
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) pieces.push(one("gone")(before[row++] as Token));
    else pieces.push(one("come")(after[column++] as Token));
  }
  return [...pieces, ...before.slice(row).map(one("gone")), ...after.slice(column).map(one("come"))];
}
