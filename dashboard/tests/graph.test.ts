import { describe, expect, it } from "vitest";
import type { SubjectLink, SubjectSummary } from "../src/api/operations.ts";
import { communities } from "../src/views/people/communities.ts";
import { layGroups, layRings } from "../src/views/people/graph-layout.ts";

const subject = (key: string, memories = 1, kind: SubjectSummary["kind"] = "thing"): SubjectSummary => ({
  key,
  name: key,
  kind,
  memories,
  last_at: "2026-01-01T00:00:00Z",
  aliases: [],
});
const link = (source: string, target: string, memories = 1): SubjectLink => ({ source, target, predicate: "knows", memories });

/** Rings of ten that are tied among themselves, each tied to the next by one link, and to the user throughout. */
function life(rings: number): { subjects: SubjectSummary[]; links: SubjectLink[] } {
  const subjects = [subject("user", rings * 10, "user")];
  const links: SubjectLink[] = [];
  for (let ring = 0; ring < rings; ring += 1) {
    for (let at = 0; at < 10; at += 1) {
      subjects.push(subject(`${ring}-${at}`, 1 + at));
      links.push(link("user", `${ring}-${at}`));
      for (let other = 0; other < at; other += 1) links.push(link(`${ring}-${at}`, `${ring}-${other}`));
    }
    if (ring) links.push(link(`${ring}-0`, `${ring - 1}-0`));
  }
  return { subjects, links };
}

describe("communities", () => {
  it("are found where many ties are, and are the same every time", () => {
    const ties = [0, 5].flatMap((from) => [0, 1, 2, 3, 4].flatMap((a) => [0, 1, 2, 3, 4].filter((b) => b < a).map((b) => [from + a, from + b, 1] as const)));
    const groups = communities(11, [...ties, [0, 5, 1]]);
    expect(new Set(groups.slice(0, 5)).size).toBe(1);
    expect(new Set(groups.slice(5, 10)).size).toBe(1);
    expect(groups[0]).not.toBe(groups[5]);
    expect(communities(11, [...ties, [0, 5, 1]])).toEqual(groups);
    expect(communities(3, [])).toEqual([0, 1, 2]);
    expect(communities(0, [])).toEqual([]);
  });
});

describe("the graph of 2,000", () => {
  const graph = life(200);
  const layout = layGroups(graph);

  it("has few groups, in which nobody lies on anybody, and no group on another", () => {
    expect(layout.nodes).toHaveLength(2001);
    expect(layout.groups.length).toBeGreaterThan(4);
    expect(layout.groups.length).toBeLessThanOrEqual(200);
    type Circle = { readonly x: number; readonly y: number; readonly radius: number };
    const apart = (one: Circle, other: Circle): boolean => Math.hypot(one.x - other.x, one.y - other.y) >= one.radius + other.radius;
    const all = (circles: readonly Circle[]): boolean => circles.every((one, at) => circles.slice(at + 1).every((other) => apart(one, other)));
    expect(all(layout.groups)).toBe(true);
    for (const { members } of layout.groups) expect(all(members.map((at) => layout.nodes[at] as Circle))).toBe(true);
  });

  it("keeps those that are tied together in one group", () => {
    const groupOf = new Map(layout.nodes.map(({ subject: { key }, group }) => [key, group]));
    for (let ring = 0; ring < 200; ring += 1) expect(new Set(Array.from({ length: 10 }, (_, at) => groupOf.get(`${ring}-${at}`))).size).toBe(1);
    expect(groupOf.get("user")).toBe(-1);
  });
});

describe("rings around one", () => {
  it("put it in the middle, and the others as far out as they are steps away", () => {
    const layout = layRings({ subjects: ["a", "b", "c", "d"].map((key) => subject(key)), links: [link("a", "b"), link("b", "c"), link("a", "d")] }, "a");
    const away = Object.fromEntries(layout.nodes.map(({ subject: { key }, x, y }) => [key, Math.hypot(x, y)]));
    expect(away.a).toBe(0);
    expect(away.c).toBeGreaterThan(away.b as number);
    expect(new Set(layout.nodes.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)).size).toBe(4);
  });
});
