/** Where people and things lie in the graph: groups that are tied among themselves, or rings around one of them. */

import { communities } from "./communities.ts";
import type { SubjectLink, SubjectSummary } from "../../api/operations.ts";

export interface Node {
  readonly subject: SubjectSummary;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** The place of its group in `groups`; -1 for the user, who belongs to none. */
  readonly group: number;
}

export interface Group {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly members: readonly number[];
  /** Those that belong to no group. */
  readonly loose: boolean;
}

/** What everything fits into. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Layout {
  readonly nodes: readonly Node[];
  readonly groups: readonly Group[];
  /** By their places in `nodes`. */
  readonly links: readonly (readonly [source: number, target: number, link: SubjectLink])[];
  readonly box: Box;
}

export interface Graph {
  readonly subjects: readonly SubjectSummary[];
  readonly links: readonly SubjectLink[];
}

const SPACING = 34;
const CLOSE = 17; // those of no group lie closer: there is nothing between them to be seen
const GAP = 46; // between two groups
const RING = 130;
const SMALLEST = 3; // fewer are no group of their own
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

export const sizeOf = (memories: number, most: number): number => 5 + 15 * Math.sqrt(memories / Math.max(1, most));

/** The ends of every link, as places in the list of subjects. */
function ends({ subjects, links }: Graph): [number, number, SubjectLink][] {
  const at = new Map(subjects.map(({ key }, place) => [key, place]));
  return links.flatMap((link): [number, number, SubjectLink][] => {
    const [source, target] = [at.get(link.source), at.get(link.target)];
    return source === undefined || target === undefined ? [] : [[source, target, link]];
  });
}

/** Which subjects belong together. Ties to the user count for nothing: nearly everything has one. Those of no group come last. */
export function groupsOf(graph: Graph): readonly (readonly number[])[] {
  const { subjects } = graph;
  const ties = ends(graph)
    .filter(([source, target]) => subjects[source]?.kind !== "user" && subjects[target]?.kind !== "user")
    .map(([source, target, { memories }]) => [source, target, memories] as const);
  const name = communities(subjects.length, ties);
  const groups = new Map<number, number[]>();
  subjects.forEach(({ kind }, place) => {
    if (kind === "user") return;
    const group = groups.get(name[place] as number) ?? [];
    group.push(place);
    groups.set(name[place] as number, group);
  });
  const large = [...groups.values()].filter(({ length }) => length >= SMALLEST);
  const rest = [...groups.values()].filter(({ length }) => length < SMALLEST).flat();
  large.sort((one, other) => other.length - one.length || (one[0] as number) - (other[0] as number));
  return [...large, rest.sort((one, other) => one - other)];
}

/** Groups side by side around the user, in a room so much wider than high; the largest in the middle; within each the most told of in its middle. */
export function layGroups(graph: Graph, aspect = 1.6): Layout {
  const { subjects } = graph;
  const most = Math.max(1, ...subjects.filter(({ kind }) => kind !== "user").map(({ memories }) => memories));
  const found = groupsOf(graph);
  const nodes: (Node | null)[] = subjects.map(() => null);
  const groups: Group[] = [];
  const you = subjects.findIndex(({ kind }) => kind === "user");
  const taken: { x: number; y: number; radius: number }[] = you < 0 ? [] : [{ x: 0, y: 0, radius: SPACING }];
  if (you >= 0) nodes[you] = { subject: subjects[you] as SubjectSummary, x: 0, y: 0, radius: sizeOf(most, most), group: -1 };
  for (const [at, members] of found.entries()) {
    if (!members.length) continue;
    const loose = at === found.length - 1;
    const spacing = loose ? CLOSE : SPACING;
    const radius = spacing * Math.sqrt(members.length) + 14;
    const { x, y } = freePlace(taken, radius, Math.min(1.8, Math.max(0.55, aspect)));
    taken.push({ x, y, radius });
    const sorted = [...members].sort((one, other) => (subjects[other]?.memories ?? 0) - (subjects[one]?.memories ?? 0) || one - other);
    sorted.forEach((place, rank) => {
      const [away, angle] = [spacing * Math.sqrt(rank), rank * GOLDEN];
      const subject = subjects[place] as SubjectSummary;
      nodes[place] = {
        subject,
        x: x + Math.cos(angle) * away,
        y: y + Math.sin(angle) * away,
        radius: Math.min(sizeOf(subject.memories, most), spacing * 0.42),
        group: groups.length,
      };
    });
    groups.push({ x, y, radius, members: sorted, loose });
  }
  return { nodes: nodes as Node[], groups, links: ends(graph), box: boxOf(taken) };
}

function boxOf(circles: readonly { readonly x: number; readonly y: number; readonly radius: number }[]): Box {
  const box = { left: -120, top: -80, right: 120, bottom: 80 };
  for (const { x, y, radius } of circles) {
    box.left = Math.min(box.left, x - radius);
    box.top = Math.min(box.top, y - radius);
    box.right = Math.max(box.right, x + radius);
    box.bottom = Math.max(box.bottom, y + radius);
  }
  return box;
}

/** The nearest place to the middle where a circle touches no other one, along a spiral. */
function freePlace(taken: readonly { x: number; y: number; radius: number }[], radius: number, aspect: number): { x: number; y: number } {
  for (let step = 0; ; step += 1) {
    const [away, angle] = [7 * Math.sqrt(step * 6), step * 0.55];
    const [x, y] = [Math.cos(angle) * away * aspect, Math.sin(angle) * away];
    if (taken.every((other) => Math.hypot(other.x - x, other.y - y) >= other.radius + radius + GAP)) return { x, y };
  }
}

/** One in the middle, those tied to it around it, and theirs beyond: a ring for each step. */
export function layRings(graph: Graph, focus: string): Layout {
  const { subjects } = graph;
  const links = ends(graph);
  const middle = Math.max(
    0,
    subjects.findIndex(({ key }) => key === focus),
  );
  const neighbours: number[][] = subjects.map(() => []);
  for (const [source, target] of links) {
    neighbours[source]?.push(target);
    neighbours[target]?.push(source);
  }
  const children: number[][] = subjects.map(() => []);
  const depth = subjects.map(() => -1);
  depth[middle] = 0;
  const waiting = [middle];
  for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
    // As on the server: nearly everything is tied to the user, so that no way leads on through them.
    if (subjects[place]?.kind === "user" && place !== middle) continue;
    for (const other of neighbours[place] ?? []) {
      if (depth[other] !== -1) continue;
      depth[other] = (depth[place] as number) + 1;
      children[place]?.push(other);
      waiting.push(other);
    }
  }
  const leaves = subjects.map(() => 1);
  const count = (place: number): number => {
    leaves[place] = Math.max(
      1,
      (children[place] ?? []).reduce((sum, child) => sum + count(child), 0),
    );
    return leaves[place] as number;
  };
  count(middle);
  const most = Math.max(1, ...subjects.filter(({ kind }) => kind !== "user").map(({ memories }) => memories));
  const perRing = [0, 1, 2, 3].map((ring) => depth.filter((each) => each === ring).length);
  const out: number[] = [0];
  for (let ring = 1; ring < perRing.length; ring += 1) {
    const crowded = ((perRing[ring] ?? 0) * SPACING) / (2 * Math.PI * 2.2); // in three rows, if there are many
    out.push(Math.max((out[ring - 1] ?? 0) + RING, crowded));
  }
  const nodes: Node[] = subjects.map((subject) => ({ subject, x: 0, y: 0, radius: sizeOf(Math.min(most, subject.memories), most), group: 0 }));
  const lay = (place: number, from: number, to: number): void => {
    const all = leaves[place] as number;
    let edge = from;
    (children[place] ?? []).forEach((child, at) => {
      const next = edge + ((to - from) * (leaves[child] as number)) / all;
      const ring = depth[child] ?? 1;
      const staggered = (perRing[ring] ?? 0) > 24 ? (at % 3) * 30 : 0;
      const [angle, away] = [(edge + next) / 2, (out[ring] ?? RING * ring) + staggered];
      nodes[child] = { ...(nodes[child] as Node), x: Math.cos(angle) * away * 1.25, y: Math.sin(angle) * away };
      lay(child, edge, next);
      edge = next;
    });
  };
  lay(middle, -Math.PI / 2, 1.5 * Math.PI);
  return { nodes, groups: [], links, box: boxOf(nodes.map(({ x, y }) => ({ x, y, radius: 50 }))) };
}

/** The ties of each group to the two that it is tied to most, with their share of the strongest. */
export function strongest({ nodes, groups, links }: Layout): (readonly [Group, Group, number])[] {
  const counts = groups.map(() => new Map<number, number>());
  for (const [source, target] of links) {
    const [one, other] = [nodes[source]?.group ?? -1, nodes[target]?.group ?? -1];
    if (one < 0 || other < 0 || one === other) continue;
    counts[one]?.set(other, (counts[one].get(other) ?? 0) + 1);
    counts[other]?.set(one, (counts[other].get(one) ?? 0) + 1);
  }
  const most = Math.max(1, ...counts.flatMap((each) => [...each.values()]));
  return counts.flatMap((each, at) =>
    [...each]
      .sort(([, one], [, other]) => other - one)
      .slice(0, 2)
      .map(([other, count]) => [groups[at] as Group, groups[other] as Group, count / most] as const),
  );
}
