/** What the engine's own words are called: the plain word first; `sky` has the picture's name of a zone. */

import { language, type Text } from "../i18n.ts";

/** What the user is called as one of those whom memories tell of. */
export const YOU: Text = { en: "You", ko: "나" };

const WORDS: Readonly<Record<string, Text>> = {
  "zone.core": { en: "Front of mind", ko: "바로 떠오름" },
  "zone.inner": { en: "Close", ko: "가까움" },
  "zone.outer": { en: "Within reach", ko: "손 닿는 곳" },
  "zone.belt": { en: "Drifting", ko: "멀어지는 중" },
  "zone.cloud": { en: "Far out", ko: "아득한 곳" },
  "sky.core": { en: "nearest the sun", ko: "태양 곁" },
  "sky.inner": { en: "inner planets", ko: "내행성" },
  "sky.outer": { en: "outer planets", ko: "외행성" },
  "sky.belt": { en: "asteroid belt", ko: "소행성대" },
  "sky.cloud": { en: "Oort cloud", ko: "오르트 구름" },
  "tier.M30": { en: "30 days", ko: "30일" },
  "tier.M90": { en: "90 days", ko: "90일" },
  "tier.M365": { en: "A year", ko: "1년" },
  "tier.M0": { en: "For good", ko: "영구" },
  "lifetime.passing": { en: "for days", ko: "며칠" },
  "lifetime.season": { en: "for months", ko: "몇 달" },
  "lifetime.lasting": { en: "for years", ko: "몇 해" },
  "emotion.joy": { en: "Joy", ko: "기쁨" },
  "emotion.sadness": { en: "Sadness", ko: "슬픔" },
  "emotion.anger": { en: "Anger", ko: "분노" },
  "emotion.fear": { en: "Fear", ko: "두려움" },
  "emotion.disgust": { en: "Disgust", ko: "거부감" },
  "emotion.anxiety": { en: "Anxiety", ko: "불안" },
  "emotion.envy": { en: "Envy", ko: "부러움" },
  "emotion.ennui": { en: "Ennui", ko: "권태" },
  "emotion.nostalgia": { en: "Nostalgia", ko: "그리움" },
  "emotion.neutral": { en: "Neutral", ko: "무덤덤" },
  "protection.none": { en: "Unprotected", ko: "보호 없음" },
  "protection.pinned": { en: "Pinned", ko: "고정" },
  "protection.immutable": { en: "Immutable", ko: "변경 불가" },
  "protection.core": { en: "Core memory", ko: "코어 메모리" },
  "state.active": { en: "Active", ko: "활성" },
  "state.faded": { en: "Faded", ko: "흐려짐" },
  "state.inactive": { en: "Inactive", ko: "비활성" },
  "state.archived": { en: "Archived", ko: "보관됨" },
  "state.cliff": { en: "On the cliff", ko: "망각의 절벽" },
  "state.purged": { en: "Gone", ko: "완전 삭제됨" },
  "reason.expired": { en: "Its time was up", ko: "수명이 다함" },
  "reason.displaced": { en: "Displaced", ko: "밀려남" },
  "reason.manual": { en: "Let go by hand", ko: "직접 잊음" },
  "reason.stale": { en: "Long unused", ko: "오래 쓰이지 않음" },
  "reason.merged": { en: "Merged", ko: "합쳐짐" },
};

export const EMOTIONS = ["joy", "sadness", "anger", "fear", "disgust", "anxiety", "envy", "ennui", "nostalgia", "neutral"] as const;
export const ZONES = ["core", "inner", "outer", "belt", "cloud"] as const;
export const TIERS = ["M30", "M90", "M365", "M0"] as const;

export type WordKind = "zone" | "sky" | "tier" | "lifetime" | "emotion" | "protection" | "state" | "reason";

/** `word("zone", "core")`; a name that is not known stands for itself. */
export const word = (kind: WordKind, name: string): string => WORDS[`${kind}.${name}`]?.[language()] ?? name;

/** A fact is told as "subject,predicate,object"; whatever else has a comma in it belongs to the object. The user is "you". */
export function factWords(fact: string): [subject: string, predicate: string, object: string] {
  const [subject = "", predicate = "", ...object] = fact.split(",");
  const named = (name: string): string => (name === "user" ? YOU[language()] : name);
  return [named(subject), predicate, named(object.join(","))];
}
