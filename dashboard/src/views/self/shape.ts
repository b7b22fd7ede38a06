/** The outline of an island: the same one always for the same id. */

const POINTS = 11;

/** Numbers from 0 to 1 that an id alone decides. */
export function* draws(id: string): Generator<number> {
  let state = 2_166_136_261;
  for (const sign of id) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), 16_777_619);
  for (;;) {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9;
    state ^= state >>> 13;
    yield (state >>> 0) / 4_294_967_296;
  }
}

/** A closed, smooth coast around (0, 0), wider than it is high. */
export function coast(id: string, radius: number): string {
  const draw = draws(id);
  const points = Array.from({ length: POINTS }, (_, at) => {
    const angle = (at / POINTS) * 2 * Math.PI;
    const far = radius * (0.78 + 0.32 * (draw.next().value as number));
    return [Math.cos(angle) * far * 1.25, Math.sin(angle) * far * 0.62] as const;
  });
  const middle = (at: number): readonly [number, number] => {
    const [one, other] = [points[at % POINTS], points[(at + 1) % POINTS]] as const;
    return [((one?.[0] ?? 0) + (other?.[0] ?? 0)) / 2, ((one?.[1] ?? 0) + (other?.[1] ?? 0)) / 2];
  };
  const told = (values: readonly number[]): string => values.map((value) => value.toFixed(1)).join(" ");
  const curves = points.map((_, at) => `Q${told(points[(at + 1) % POINTS] ?? [0, 0])} ${told(middle(at + 1))}`);
  return `M${told(middle(0))} ${curves.join(" ")} Z`;
}
