import { describe, expect, it } from "vitest";
import { bubble, clustersOf, type Bodies } from "../src/views/orbits/clusters.ts";
import { bandsOf, sectorsOf } from "../src/views/orbits/geometry.ts";

const sky = (count: number, more: Partial<Bodies> = {}): Bodies => ({
  count,
  zone: Array.from({ length: count }, (_, at) => at % 2),
  angle: Array.from({ length: count }, (_, at) => at * 2.4),
  lit: Array.from({ length: count }, () => 1),
  bands: bandsOf([count / 2, count / 2]),
  sectors: [],
  ...more,
});

describe("the sky from afar", () => {
  it("counts every body once, zone by zone, the most central first", () => {
    const found = clustersOf(sky(400));
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(400);
    expect(new Set(found.map(({ zone }) => zone))).toEqual(new Set([0, 1]));
    for (const { first, zone } of found) {
      expect([...first].sort((one, other) => one - other)).toEqual(first);
      expect(first.every((i) => i % 2 === zone)).toBe(true);
    }
  });

  it("leaves a small sky alone, and what is not lit", () => {
    expect(clustersOf(sky(20))).toEqual([]);
    expect(clustersOf(sky(100, { lit: new Uint8Array(100) }))).toEqual([]);
  });

  it("follows the sectors when people stand side by side", () => {
    const sectors = sectorsOf([
      { name: "Sora", count: 50 },
      { name: "others", count: 50 },
    ]);
    const middle = sectors.map(({ from, to }) => (from + to) / 2);
    const found = clustersOf(sky(100, { sectors, angle: Array.from({ length: 100 }, (_, at) => middle[at < 50 ? 0 : 1] as number) }));
    expect(new Set(found.map(({ group }) => group))).toEqual(new Set(["Sora", "others"]));
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(100);
  });

  it("draws more as a larger bubble", () => {
    expect(bubble(100, 100)).toBeGreaterThan(bubble(5, 100));
  });
});
