/** What memories say about somebody: the names of attributes. */

import { said, type Text } from "../i18n.ts";

const WORDS: Readonly<Record<string, Text>> = {
  name: { en: "Name", ko: "이름" },
  age: { en: "Age", ko: "나이" },
  birthday: { en: "Birthday", ko: "생일" },
  origin: { en: "Origin", ko: "고향" },
  home: { en: "Home", ko: "사는 곳" },
  body: { en: "Body", ko: "몸" },
  personality: { en: "Personality", ko: "성격" },
  language: { en: "Language", ko: "언어" },
  belief: { en: "Beliefs", ko: "신념" },
  partner: { en: "Partner", ko: "배우자·연인" },
  child: { en: "Child", ko: "자녀" },
  family: { en: "Family", ko: "가족" },
  friend: { en: "Friend", ko: "친구" },
  colleague: { en: "Colleague", ko: "동료" },
  pet: { en: "Pet", ko: "반려동물" },
  work: { en: "Work", ko: "하는 일" },
  employer: { en: "Employer", ko: "직장" },
  study: { en: "Studies", ko: "공부" },
  skill: { en: "Skill", ko: "할 줄 아는 것" },
  project: { en: "Project", ko: "프로젝트" },
  decision: { en: "Decision", ko: "결정" },
  tool: { en: "Tool", ko: "쓰는 도구" },
  health: { en: "Health", ko: "건강" },
  medicine: { en: "Medicine", ko: "먹는 약" },
  allergy: { en: "Allergy", ko: "알레르기" },
  diet: { en: "Diet", ko: "식습관" },
  likes: { en: "Likes", ko: "좋아하는 것" },
  dislikes: { en: "Dislikes", ko: "싫어하는 것" },
  hobby: { en: "Hobby", ko: "취미" },
  habit: { en: "Habit", ko: "습관" },
  schedule: { en: "Schedule", ko: "정해진 일정" },
  appointment: { en: "Appointment", ko: "약속" },
  plan: { en: "Plan", ko: "계획" },
  goal: { en: "Goal", ko: "목표" },
  event: { en: "Event", ko: "있었던 일" },
  travel: { en: "Travel", ko: "여행" },
  device: { en: "Device", ko: "기기" },
  vehicle: { en: "Vehicle", ko: "탈것" },
  commute: { en: "Commute", ko: "출퇴근" },
  possession: { en: "Possession", ko: "가진 것" },
  money: { en: "Money", ko: "돈" },
  instruction: { en: "Standing request", ko: "늘 바라는 것" },
  mood: { en: "Mood", ko: "기분" },
  other: { en: "Other", ko: "그 밖에" },
};

export const ATTRIBUTES: readonly string[] = Object.keys(WORDS);

/** `attributeWord("home")`; a name that is not known stands for itself. */
export const attributeWord = (name: string): string => {
  const found = WORDS[name];
  return found ? said(found) : name;
};

const SOURCES: Readonly<Record<string, Text>> = {
  conversation: { en: "Conversation", ko: "대화" },
  observation: { en: "Observation", ko: "관찰" },
  distillation: { en: "Distilled", ko: "간추림" },
  user: { en: "Written by you", ko: "직접 남김" },
  import: { en: "Import", ko: "가져옴" },
  imagination: { en: "Imagined", ko: "상상" },
};

export const sourceWord = (name: string): string => {
  const found = SOURCES[name];
  return found ? said(found) : name;
};
