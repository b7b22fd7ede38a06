/** What the engine's kinds of ideas and moods are called; those a language model made up stand for themselves. */

import { language, type Text } from "../../i18n.ts";

const MOODS: Readonly<Record<string, Text>> = {
  caring: { en: "Caring", ko: "걱정" },
  cheering: { en: "Cheering", ko: "응원" },
  joyful: { en: "Joyful", ko: "기쁨" },
  gentle: { en: "Gentle", ko: "다정함" },
  playful: { en: "Playful", ko: "장난스러움" },
  tender: { en: "Tender", ko: "애틋함" },
  calm: { en: "Calm", ko: "차분함" },
  curious: { en: "Curious", ko: "궁금함" },
  nostalgic: { en: "Nostalgic", ko: "그리움" },
};

const PATTERNS: Readonly<Record<string, Text>> = {
  warm_drink: { en: "A warm drink", ko: "따뜻한 음료" },
  cool_drink: { en: "A cool drink", ko: "시원한 음료" },
  short_break: { en: "A short break", ko: "잠깐 쉬기" },
  look_after: { en: "Looking after somebody", ko: "보살피기" },
  encourage: { en: "Encouraging words", ko: "응원하기" },
  celebrate: { en: "Celebrating", ko: "축하하기" },
  walk: { en: "A walk", ko: "산책" },
  music: { en: "Music", ko: "음악" },
  meal: { en: "A meal", ko: "식사" },
  pet: { en: "Time with a pet", ko: "반려동물과 함께" },
  call: { en: "A call", ko: "전화 한 통" },
  read: { en: "Reading", ko: "책 읽기" },
  film: { en: "A film", ko: "영화" },
  how_was_it: { en: "Asking how it went", ko: "어땠는지 묻기" },
  recollect: { en: "Remembering together", ko: "함께 추억하기" },
  ask_after: { en: "Asking after somebody", ko: "안부 묻기" },
};

export const moodWord = (mood: string): string => MOODS[mood]?.[language()] ?? mood;
export const patternWord = (pattern: string): string => PATTERNS[pattern]?.[language()] ?? pattern;
