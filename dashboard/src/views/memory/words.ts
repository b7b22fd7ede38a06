/** The ledger's words, where a memory came from, and what kind of thing it tells. */

import { said, type Text } from "../../i18n.ts";

const WORDS: Readonly<Record<string, Text>> = {
  "source.conversation": { en: "conversation", ko: "대화" },
  "source.observation": { en: "observation", ko: "관찰" },
  "source.distillation": { en: "distilled from others", ko: "다른 기억에서 간추림" },
  "source.user": { en: "kept on purpose", ko: "일부러 남김" },
  "source.import": { en: "imported", ko: "가져옴" },
  "source.imagination": { en: "imagined", ko: "상상" },
  "kind.fact": { en: "fact", ko: "사실" },
  "kind.preference": { en: "preference", ko: "취향" },
  "kind.experience": { en: "experience", ko: "경험" },
  "kind.emotion": { en: "feeling", ko: "감정" },
  "kind.technical": { en: "technical", ko: "기술" },
  "kind.core_principle": { en: "principle", ko: "원칙" },
  "event.stored": { en: "Remembered", ko: "기억함" },
  "event.updated": { en: "Changed", ko: "고침" },
  "event.recalled": { en: "Recalled", ko: "떠올림" },
  "event.pinned": { en: "Pinned", ko: "고정함" },
  "event.unpinned": { en: "Unpinned", ko: "고정을 풂" },
  "event.forgotten": { en: "Let go", ko: "보냄" },
  "event.restored": { en: "Restored", ko: "되살림" },
  "event.purged": { en: "Gone for good", ko: "완전히 삭제됨" },
  "event.moved": { en: "Moved", ko: "자리를 옮김" },
  "event.archived": { en: "Archived", ko: "보관함" },
  "event.unarchived": { en: "Back from the archive", ko: "보관함에서 가져옴" },
  "event.rated": { en: "Rated", ko: "평점을 줌" },
  "event.undone": { en: "Taken back", ko: "되돌림" },
  "event.mentioned": { en: "Said again", ko: "다시 말함" },
  "event.influenced": { en: "Made a difference", ko: "행동에 영향을 줌" },
  "event.faded": { en: "Faded", ko: "흐려짐" },
  "event.went_inactive": { en: "Went inactive", ko: "비활성이 됨" },
  "event.merged": { en: "Merged with another", ko: "다른 기억과 합침" },
  "event.superseded": { en: "Superseded", ko: "새 내용으로 바뀜" },
  "event.promoted": { en: "Promoted", ko: "승급함" },
  "event.nominated": { en: "Nominated as core memory", ko: "코어 메모리 후보가 됨" },
  "event.appraised": { en: "Judged anew", ko: "다시 평가함" },
  "event.imagined": { en: "Used to imagine", ko: "상상에 쓰임" },
  "event.proposed": { en: "Proposed", ko: "제안함" },
  "event.approved": { en: "Approved", ko: "승인함" },
  "event.rejected": { en: "Rejected", ko: "거절함" },
  "event.refused": { en: "A change was refused", ko: "변경을 거부함" },
  "field.content": { en: "text", ko: "내용" },
  "field.importance": { en: "importance", ko: "중요도" },
  "field.metadata": { en: "metadata", ko: "메타데이터" },
  "field.tags": { en: "tags", ko: "태그" },
  "field.links": { en: "links", ko: "연결" },
  "field.validity": { en: "validity", ko: "유효 기간" },
  "field.gist": { en: "gist", ko: "요지" },
  "field.triples": { en: "facts", ko: "사실" },
};

/** What it is called; a name of the host's own stands for itself. */
export function named(kind: "source" | "kind" | "event" | "field", name: string): string {
  const found = WORDS[`${kind}.${name}`];
  return found ? said(found) : name;
}
