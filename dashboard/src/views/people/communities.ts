/**
 * Which nodes of a graph belong together: each joins the group with which it has more ties than chance would give, groups
 * are then taken as nodes, and so on (the modularity of Newman and Girvan, improved step by step as Blondel and others do).
 * Everything goes in a fixed order: the same graph always gives the same groups.
 */

export type Tie = readonly [one: number, other: number, weight: number];

const ROUNDS = 10;
const LEVELS = 4;
const ENOUGH = 24; // groups: fewer need no larger ones

/** For each node the number of its group, counted from 0. */
export function communities(nodes: number, ties: readonly Tie[]): readonly number[] {
  let [count, level] = [nodes, ties];
  let groups = Array.from({ length: nodes }, (_, at) => at);
  for (let step = 0; step < LEVELS; step += 1) {
    const [moved, size] = numbered(settled(count, level));
    if (size === count) break;
    groups = groups.map((group) => moved[group] as number);
    [count, level] = [size, between(moved, level)];
    if (size <= ENOUGH) break;
  }
  return groups;
}

/** Move nodes to the group where they gain most, until nobody moves. */
function settled(nodes: number, ties: readonly Tie[]): number[] {
  const group = Array.from({ length: nodes }, (_, at) => at);
  const degree = new Float64Array(nodes);
  const near: [number, number][][] = group.map(() => []);
  let all = 0;
  for (const [one, other, weight] of ties) {
    degree[one]! += weight;
    degree[other]! += weight;
    all += weight;
    if (one === other) continue; // what lies within a group stays with it
    near[one]?.push([other, weight]);
    near[other]?.push([one, weight]);
  }
  const sum = Float64Array.from(degree);
  for (let round = 0; round < ROUNDS; round += 1) {
    let moved = false;
    for (let at = 0; at < nodes; at += 1) {
      const own = group[at] as number;
      const weights = new Map<number, number>([[own, 0]]);
      for (const [other, weight] of near[at] ?? []) weights.set(group[other] as number, (weights.get(group[other] as number) ?? 0) + weight);
      sum[own]! -= degree[at]!;
      const gain = (candidate: number, weight: number): number => weight - (sum[candidate]! * degree[at]!) / (2 * Math.max(1, all));
      let [best, most] = [own, gain(own, weights.get(own) ?? 0)];
      for (const [candidate, weight] of weights) {
        const gained = gain(candidate, weight);
        if (gained > most + 1e-9 || (Math.abs(gained - most) <= 1e-9 && candidate < best && candidate !== own && weight > 0))
          [best, most] = [candidate, gained];
      }
      sum[best]! += degree[at]!;
      if (best !== own) [group[at], moved] = [best, true];
    }
    if (!moved) break;
  }
  return group;
}

/** The same groups with numbers from 0, in the order of their first node. */
function numbered(group: readonly number[]): [number[], number] {
  const known = new Map<number, number>();
  const found = group.map((each) => {
    if (!known.has(each)) known.set(each, known.size);
    return known.get(each) as number;
  });
  return [found, known.size];
}

/** The ties between groups, and within them. */
function between(group: readonly number[], ties: readonly Tie[]): Tie[] {
  const weights = new Map<string, [number, number, number]>();
  for (const [one, other, weight] of ties) {
    const [a, b] = [group[one] as number, group[other] as number].sort((x, y) => x - y) as [number, number];
    const found = weights.get(`${a} ${b}`);
    if (found) found[2] += weight;
    else weights.set(`${a} ${b}`, [a, b, weight]);
  }
  return [...weights.values()];
}
