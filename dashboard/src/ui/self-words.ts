/** The self in words: what proposals, islands and channels are called, and the self as lines of text. */

import type { Belief, Island, Proposal } from "../api/index.ts";
import { percent, texts } from "../i18n.ts";

const t = texts({
  en: {
    core_promotion: "New core memory",
    core_change: "Core memory reworded",
    core_deletion: "Core memory let go",
    island_founded: "New island",
    island_changed: "Island changed",
    belief_formed: "New belief",
    belief_changed: "Belief changed",
    soul_edit: "Edit of SOUL.md",
    self_rollback: "Back to an earlier self",
    pending: "Waiting",
    approved: "Approved",
    rejected: "Rejected",
    expired: "Expired",
    withdrawn: "Withdrawn",
    cli: "command line",
    dashboard: "dashboard",
    mcp: "a client that asked you",
    rest: "REST",
    host: "your program",
    soul: "SOUL.md",
    sleep: "the night",
    agent: "the agent",
    active: "Standing",
    shaking: "Shaking",
    collapsed: "Collapsed",
    rebuilding: "Being rebuilt",
    islands: "# Islands",
    beliefs: "# Beliefs",
    none: "(none)",
    founders: "stands on",
    supports: "held up by",
    memories: (count: number) => (count === 1 ? "1 memory" : `${count} memories`),
    on: (island: string) => `on ${island}`,
    name: "Name",
    emoji: "Sign",
    description: "Meaning",
    foundersField: "Core memories it stands on",
    statement: "Statement",
    supportsField: "Memories that hold it up",
    island: "Island",
  },
  ko: {
    core_promotion: "새 코어 메모리",
    core_change: "코어 메모리 고쳐 쓰기",
    core_deletion: "코어 메모리 잊기",
    island_founded: "새 섬",
    island_changed: "섬 바꾸기",
    belief_formed: "새 믿음",
    belief_changed: "믿음 바꾸기",
    soul_edit: "SOUL.md에서 고친 곳",
    self_rollback: "예전 자아로 되돌리기",
    pending: "대기",
    approved: "승인됨",
    rejected: "거절됨",
    expired: "기한 지남",
    withdrawn: "거둬들임",
    cli: "명령줄",
    dashboard: "대시보드",
    mcp: "MCP 클라이언트",
    rest: "REST",
    host: "연결된 프로그램",
    soul: "SOUL.md",
    sleep: "밤의 정리",
    agent: "에이전트",
    active: "굳건함",
    shaking: "흔들리는 중",
    collapsed: "무너짐",
    rebuilding: "다시 세우는 중",
    islands: "# 섬",
    beliefs: "# 믿음",
    none: "(없음)",
    founders: "딛고 선 것",
    supports: "뒷받침",
    memories: (count: number) => `기억 ${count}개`,
    on: (island: string) => `${island} 섬`,
    name: "이름",
    emoji: "표시",
    description: "뜻",
    foundersField: "딛고 선 코어 메모리",
    statement: "문장",
    supportsField: "뒷받침하는 기억",
    island: "섬",
  },
});

export const kindWord = (kind: Proposal["kind"]): string => t()[kind];
export const statusWord = (status: Proposal["status"] | Island["status"]): string => t()[status];
export const channelWord = (channel: Proposal["channel"]): string => t()[channel];

const FIELDS = {
  name: "name",
  emoji: "emoji",
  description: "description",
  founders: "foundersField",
  statement: "statement",
  supports: "supportsField",
  island: "island",
} as const;

/** What a field of an island or belief is called; one that is not known stands for itself. */
export const fieldWord = (field: string): string => (field in FIELDS ? t()[FIELDS[field as keyof typeof FIELDS]] : field);

export const islandTitle = (island: { readonly name: string; readonly emoji: string }): string => `${island.emoji} ${island.name}`.trim();

export interface Parts {
  readonly islands: readonly Pick<Island, "id" | "name" | "emoji" | "description" | "founders">[];
  readonly beliefs: readonly (Pick<Belief, "id" | "statement" | "supports" | "island"> & { readonly confidence?: number })[];
}

/** The self as lines, so that two of them can be told apart; a memory is told by what `said` gives for its id. */
export function selfLines(self: Parts, said: (id: string) => string | null = () => null): string[] {
  const memories = (title: string, ids: readonly string[]): string[] => {
    const told = ids.map(said).filter((each) => each !== null);
    return told.length === ids.length ? told.map((each) => `   · ${each}`) : [`   ${title}: ${t().memories(ids.length)}`];
  };
  const islands = self.islands.flatMap((island) => [
    islandTitle(island),
    ...(island.description ? [`   ${island.description}`] : []),
    ...memories(t().founders, island.founders),
  ]);
  const names = new Map(self.islands.map((island) => [island.id, island.name]));
  const beliefs = self.beliefs.flatMap((belief) => {
    const home = belief.island ? names.get(belief.island) : undefined;
    const more = [belief.confidence === undefined ? null : percent(belief.confidence), home ? t().on(home) : null].filter(Boolean);
    return [`“${belief.statement}”${more.length ? ` (${more.join(", ")})` : ""}`, ...memories(t().supports, belief.supports)];
  });
  return [t().islands, ...(islands.length ? islands : [t().none]), "", t().beliefs, ...(beliefs.length ? beliefs : [t().none])];
}
