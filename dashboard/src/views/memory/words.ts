/** Where a memory came from, and what kind of thing it tells. */

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
};

/** What it is called; a name of the host's own stands for itself. */
export function named(kind: "source" | "kind", name: string): string {
  const found = WORDS[`${kind}.${name}`];
  return found ? said(found) : name;
}
