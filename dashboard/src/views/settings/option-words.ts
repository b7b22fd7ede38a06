/** What each setting that can be set here is called, and what it does. */

import { language, type Text } from "../../i18n.ts";

type Words = readonly [name: Text, about: Text];

const SECTIONS: Readonly<Record<string, Text>> = {
  interface: { en: "Command line and tools", ko: "명령줄과 도구" },
  mcp: { en: "Command line and tools", ko: "명령줄과 도구" },
  sleep: { en: "Night", ko: "밤 정리" },
  backup: { en: "Keeping", ko: "보관" },
  lifetimes: { en: "Keeping", ko: "보관" },
  retention: { en: "Keeping", ko: "보관" },
  learning: { en: "Learning", ko: "학습" },
  recall: { en: "Finding", ko: "찾기" },
  model: { en: "Language model", ko: "언어 모델" },
  imagination: { en: "Imagination", ko: "상상" },
  gossip: { en: "Learning together", ko: "함께 배우기" },
};

const OPTIONS: Readonly<Record<string, Words>> = {
  "interface.language": [
    { en: "Language of the command line", ko: "명령줄의 언어" },
    { en: "The dashboard's own is chosen under General.", ko: "대시보드의 언어는 '일반'에서 고릅니다." },
  ],
  "mcp.tools": [
    { en: "Tools that assistants see", ko: "어시스턴트에게 보이는 도구" },
    { en: "Essential: fewer, and cheaper to list. Full: every tool.", ko: "essential은 꼭 필요한 것만 보여 주어 토큰을 아끼고, full은 모두 보여 줍니다." },
  ],
  "sleep.nightly": [
    { en: "Nightly work", ko: "밤마다 정리하기" },
    {
      en: "Merging, promoting and letting go, once a day while the server runs.",
      ko: "서버가 켜져 있으면 하루에 한 번 기억을 합치고, 승급시키고, 잊습니다.",
    },
  ],
  "sleep.max_leaving_share": [
    { en: "Most that may leave in one night", ko: "하룻밤에 떠날 수 있는 기억의 최대 비율" },
    { en: "A share from 0 to 1. More than that waits for your word.", ko: "0에서 1 사이입니다. 이보다 많으면 허락을 기다립니다." },
  ],
  "sleep.always_allowed": [
    { en: "So many may always leave", ko: "언제나 떠날 수 있는 기억의 수" },
    { en: "Even if that is more than the share.", ko: "위 비율을 넘더라도 이만큼은 떠날 수 있습니다." },
  ],
  "backup.schedule": [
    { en: "Backup every day", ko: "매일 백업" },
    { en: "The last seven are kept.", ko: "최근 일곱 개를 보관합니다." },
  ],
  "lifetimes.time": [
    { en: "Which days count for lifetimes", ko: "수명을 계산할 때 세는 날" },
    { en: "Owner: only days on which you are there. Calendar: every day.", ko: "owner는 사용자가 찾아온 날만, calendar는 모든 날을 셉니다." },
  ],
  "retention.preset": [
    { en: "Limits on what is kept", ko: "보관 한도" },
    {
      en: "Idle conversations go into archive files, from which they can be brought back.",
      ko: "오래 쓰지 않은 대화는 보관 파일로 옮기며, 언제든 다시 꺼낼 수 있습니다.",
    },
  ],
  "learning.mode": [
    { en: "Learn from what becomes of turns", ko: "대화 결과에서 배우기" },
    { en: "Rich: the sentence counts too, where there is a model for vectors.", ko: "rich는 벡터 모델이 있을 때 문장 내용까지 살핍니다." },
  ],
  "learning.epsilon": [
    { en: "How often it tries something else", ko: "새로운 시도를 하는 비율" },
    { en: "A share from 0 to 1.", ko: "0에서 1 사이입니다." },
  ],
  "learning.rate": [
    { en: "How fast it learns", ko: "배우는 속도" },
    { en: "Small numbers are steadier.", ko: "작을수록 안정적입니다." },
  ],
  "model.use": [
    { en: "What the language model is asked for", ko: "언어 모델에 맡기는 일" },
    { en: "None chosen: it is not asked at all.", ko: "하나도 고르지 않으면 아무것도 맡기지 않습니다." },
  ],
  "model.daily_calls": [
    { en: "Calls a day", ko: "하루 최대 호출 수" },
    { en: "A number, or none for no limit.", ko: "숫자를 입력하세요. 제한을 두지 않으려면 none을 입력하세요." },
  ],
  "model.daily_tokens": [
    { en: "Tokens a day", ko: "하루 최대 토큰 수" },
    { en: "A number, or none for no limit.", ko: "숫자를 입력하세요. 제한을 두지 않으려면 none을 입력하세요." },
  ],
  "imagination.enabled": [
    { en: "Imagine while you are away", ko: "자리를 비운 사이 상상하기" },
    { en: "What was imagined is never taken for a fact.", ko: "상상한 것은 사실로 다루지 않습니다." },
  ],
  "imagination.quiet": [
    { en: "Quiet hours", ko: "조용한 시간" },
    { en: "Such as 22-8; none: no quiet hours.", ko: "22-8처럼 입력하세요. 두지 않으려면 none을 입력하세요." },
  ],
  "imagination.time_zone": [
    { en: "Time zone", ko: "시간대" },
    { en: "Such as Asia/Seoul; empty: the system's.", ko: "Asia/Seoul처럼 입력하세요. 비워 두면 시스템 시간대를 따릅니다." },
  ],
  "imagination.most_a_day": [
    { en: "Most a day", ko: "하루 최대 횟수" },
    { en: "0 to 3.", ko: "0에서 3까지입니다." },
  ],
  "imagination.idle_minutes": [
    { en: "Minutes of quiet before it begins", ko: "시작하기 전에 기다리는 시간(분)" },
    { en: "Counted from your last turn.", ko: "마지막 대화부터 셉니다." },
  ],
  "gossip.noise": [
    { en: "Noise on what peers get", ko: "상대에게 보내는 수치에 잡음 넣기" },
    { en: "Protects what was learned, at the price of learning more slowly.", ko: "배운 내용을 보호하는 대신 더 천천히 배웁니다." },
  ],
};

/** Choices that are no plain words by themselves; the value stands beside them, as it is in the file. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, Text>>>> = {
  "interface.language": { en: { en: "English", ko: "영어" }, ko: { en: "Korean", ko: "한국어" } },
  "mcp.tools": { essential: { en: "The essential ones", ko: "꼭 필요한 것만" }, full: { en: "All of them", ko: "모두" } },
  "learning.mode": {
    on: { en: "On", ko: "켜기" },
    off: { en: "Off", ko: "끄기" },
    rich: { en: "On, and the sentence counts too", ko: "켜기, 문장 내용까지 살피기" },
  },
  "lifetimes.time": { owner: { en: "Days on which you are there", ko: "사용한 날만 세기" }, calendar: { en: "Calendar days", ko: "달력의 날짜대로 세기" } },
  "model.use": {
    importance: { en: "Importance", ko: "중요도" },
    perception: { en: "Reading turns", ko: "말 읽기" },
    emotion: { en: "Emotions", ko: "감정" },
    understanding: { en: "Understanding", ko: "이해" },
    distillation: { en: "Distillation", ko: "요점 추리기" },
    imagination: { en: "Imagination", ko: "상상" },
  },
};

export function choiceName(key: string, choice: string): string {
  const words = CHOICES[key]?.[choice]?.[language()];
  return words ? `${words} (${choice})` : choice;
}

export const sectionWord = (key: string): string => SECTIONS[key.split(".")[0] ?? ""]?.[language()] ?? (key.split(".")[0] as string);
export const hasWords = (key: string): boolean => Object.hasOwn(OPTIONS, key);
export const optionName = (key: string): string => OPTIONS[key]?.[0][language()] ?? key;
export const optionAbout = (key: string): string => OPTIONS[key]?.[1][language()] ?? "";
