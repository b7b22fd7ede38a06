/** Every kind of entry that the ledger knows, in words, and which of them can be taken back. */

import type { LedgerEvent } from "../api/index.ts";
import { said, type Text } from "../i18n.ts";

const EVENTS = {
  stored: { en: "Remembered", ko: "기억함" },
  updated: { en: "Changed", ko: "고침" },
  recalled: { en: "Recalled", ko: "떠올림" },
  mentioned: { en: "Said again", ko: "다시 말함" },
  influenced: { en: "Made a difference", ko: "행동에 영향을 줌" },
  rated: { en: "Rated", ko: "평점을 줌" },
  pinned: { en: "Pinned", ko: "고정함" },
  unpinned: { en: "Unpinned", ko: "고정을 풂" },
  moved: { en: "Moved", ko: "자리를 옮김" },
  forgotten: { en: "Let go", ko: "잊음" },
  restored: { en: "Restored", ko: "되살림" },
  purged: { en: "Gone for good", ko: "완전히 삭제됨" },
  undone: { en: "Taken back", ko: "되돌림" },
  faded: { en: "Faded", ko: "흐려짐" },
  went_inactive: { en: "Went inactive", ko: "비활성이 됨" },
  merged: { en: "Merged", ko: "합침" },
  superseded: { en: "Superseded", ko: "새 내용으로 바뀜" },
  promoted: { en: "Promoted", ko: "승급함" },
  nominated: { en: "Nominated as core memory", ko: "코어 메모리 후보가 됨" },
  appraised: { en: "Judged again", ko: "다시 평가함" },
  archived: { en: "Archived", ko: "보관함" },
  unarchived: { en: "Back from the archive", ko: "보관함에서 가져옴" },
  imagined: { en: "Imagined", ko: "상상함" },
  slept: { en: "Slept", ko: "잠을 잠" },
  absence: { en: "Absence", ko: "부재" },
  rebalanced: { en: "Rebalanced", ko: "재배치함" },
  reindexed: { en: "Vectors made again", ko: "벡터를 다시 만듦" },
  law_changed: { en: "The memory function changed", ko: "기억 함수가 바뀜" },
  rewarded: { en: "Feedback", ko: "피드백" },
  learned: { en: "Learned", ko: "배움" },
  gossiped: { en: "Learning together", ko: "함께 배우기" },
  proposed: { en: "Proposed", ko: "제안함" },
  approved: { en: "Approved", ko: "승인함" },
  rejected: { en: "Rejected", ko: "거절함" },
  proposal_ended: { en: "A proposal ended", ko: "제안이 끝남" },
  self_changed: { en: "The self changed", ko: "자아가 바뀜" },
  island_changed: { en: "An island changed", ko: "섬이 바뀜" },
  noticed: { en: "Noticed", ko: "알아차림" },
  refused: { en: "A change was refused", ko: "변경을 거부함" },
  granted: { en: "Access given", ko: "접근을 허락함" },
  revoked: { en: "Access ended", ko: "접근을 끝냄" },
  backed_up: { en: "Backed up", ko: "백업함" },
  backup_restored: { en: "A backup was put back", ko: "백업을 되돌림" },
  user_input: { en: "The user spoke", ko: "사용자의 말" },
  persona_response: { en: "The persona answered", ko: "페르소나의 답" },
  tool_call: { en: "A tool was used", ko: "도구 사용" },
  evaluation: { en: "Evaluated", ko: "평가" },
  rune_report: { en: "Rune report", ko: "룬 보고" },
  synthesis_report: { en: "Synthesis report", ko: "종합 보고" },
} satisfies Record<string, Text>;

/** In the order in which a reader thinks of them. */
export const EVENT_TYPES = Object.keys(EVENTS) as readonly string[];

/** What it is called; a name of the host's own stands for itself. */
export const eventWord = (type: string): string => (Object.hasOwn(EVENTS, type) ? said(EVENTS[type as keyof typeof EVENTS]) : type);

const FIELDS: Readonly<Record<string, Text>> = {
  content: { en: "text", ko: "내용" },
  importance: { en: "importance", ko: "중요도" },
  metadata: { en: "metadata", ko: "메타데이터" },
  tags: { en: "tags", ko: "태그" },
  links: { en: "links", ko: "연결" },
  validity: { en: "validity", ko: "유효 기간" },
  gist: { en: "gist", ko: "요지" },
  triples: { en: "facts", ko: "사실" },
};

/** Which parts of a memory an entry tells of, in words. */
export const changedWords = (fields: readonly unknown[]): string =>
  fields
    .map((each) => {
      const name = String(each);
      return Object.hasOwn(FIELDS, name) ? said(FIELDS[name] as Text) : name;
    })
    .join(", ");

const UNDOABLE = new Set([
  "stored",
  "updated",
  "rated",
  "pinned",
  "unpinned",
  "forgotten",
  "restored",
  "undone",
  "faded",
  "went_inactive",
  "merged",
  "superseded",
  "promoted",
  "archived",
]);

/** Whether there is something to go back to; the engine still refuses if a later change stands in between. */
export const isUndoable = (event: LedgerEvent): boolean =>
  event.memory_id !== null && UNDOABLE.has(event.type) && !(event.type === "promoted" && "into" in event.detail);
