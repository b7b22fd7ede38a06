/** The night in words: its duties, what became of them, what they counted, and what they would do. */

import { number, said, type Text } from "../i18n.ts";
import { eventWord } from "./event-words.ts";

const DUTIES: Readonly<Record<string, readonly [name: Text, about: Text]>> = {
  supersede: [
    { en: "Supersede", ko: "새 내용으로 대체" },
    {
      en: "A newer statement ends the older one that it contradicts; both are kept.",
      ko: "새 내용과 어긋나는 예전 내용의 유효 기간을 끝냅니다. 둘 다 남습니다.",
    },
  ],
  consolidate: [
    { en: "Consolidate", ko: "합치기" },
    { en: "What says the same becomes one.", ko: "같은 말을 하는 기억을 하나로 합칩니다." },
  ],
  regenerate: [
    { en: "Regenerate", ko: "요지 다시 만들기" },
    { en: "Gists and facts that are missing are made.", ko: "빠진 요지와 사실을 만듭니다." },
  ],
  appraise: [
    { en: "Appraise", ko: "중요도 다시 매기기" },
    { en: "Importance, by what has happened since.", ko: "그사이 있었던 일로 중요도를 다시 매깁니다." },
  ],
  "promote-m90": [
    { en: "Promote to 90 days", ko: "90일로 승급" },
    { en: "What earned it becomes a distilled memory that lives longer.", ko: "자격을 얻은 기억을 더 오래 사는 기억으로 간추립니다." },
  ],
  "promote-m365": [
    { en: "Promote to a year", ko: "1년으로 승급" },
    { en: "The same, from 90 days to a year.", ko: "90일 기억을 같은 방식으로 1년 기억으로 올립니다." },
  ],
  nominate: [
    { en: "Nominate", ko: "코어 메모리 후보 추천" },
    { en: "Proposes core memories; only you make one.", ko: "코어 메모리 후보를 추천합니다. 결정은 사용자만 합니다." },
  ],
  reflect: [
    { en: "Reflect", ko: "돌아보기" },
    { en: "Islands weather; a few islands and beliefs are proposed.", ko: "섬이 풍화하고, 섬과 믿음을 몇 가지 제안합니다." },
  ],
  expire: [
    { en: "Expire", ko: "수명 확인" },
    { en: "Whose time is over goes over the cliff, for seven days.", ko: "수명이 다한 기억을 잊습니다. 7일 동안 되살릴 수 있습니다." },
  ],
  fade: [
    { en: "Fade", ko: "흐려지기" },
    { en: "What is hardly worth keeping whole fades.", ko: "온전히 둘 이유가 적은 기억이 흐려집니다." },
  ],
  retain: [
    { en: "Limits", ko: "보관 한도 적용" },
    { en: "The limits that you set, if you did.", ko: "정해 둔 한도가 있으면 적용합니다." },
  ],
  checkpoint: [
    { en: "Checkpoint", ko: "학습 저장" },
    { en: "What was learned becomes a version to go back to.", ko: "배운 것을 되돌아갈 수 있는 버전으로 남깁니다." },
  ],
  report: [
    { en: "Report of the year", ko: "한 해의 통계" },
    { en: "What happened in a year, in numbers.", ko: "한 해 동안 있었던 일을 숫자로 남깁니다." },
  ],
  rebalance: [
    { en: "Rebalance", ko: "재배치" },
    { en: "Every memory to its place; the stale leave.", ko: "모든 기억을 제자리에 두고 오래 쓰이지 않은 기억을 잊습니다." },
  ],
  tidy: [
    { en: "Tidy", ko: "정돈" },
    { en: "What was purged leaves the files to the last byte.", ko: "완전히 삭제된 것을 파일에서 남김없이 지웁니다." },
  ],
};

const OUTCOMES: Readonly<Record<string, Text>> = {
  done: { en: "Done", ko: "완료" },
  planned: { en: "Planned", ko: "계획" },
  held: { en: "Waits for your word", ko: "허락을 기다림" },
  failed: { en: "Failed", ko: "실패" },
};

const COUNTS: Readonly<Record<string, Text>> = {
  superseded: { en: "superseded", ko: "대체" },
  merged: { en: "merged", ko: "합침" },
  versions: { en: "new versions", ko: "새 버전" },
  promoted: { en: "promoted", ko: "승급" },
  nominated: { en: "nominated", ko: "후보 추천" },
  expired: { en: "expired", ko: "수명이 다함" },
  stale: { en: "left after 30 inactive days", ko: "30일 비활성으로 떠남" },
  faded: { en: "faded", ko: "흐려짐" },
  inactive: { en: "went inactive", ko: "비활성이 됨" },
  regenerated: { en: "read again", ko: "다시 읽음" },
  understood: { en: "read by the language model", ko: "언어 모델이 읽음" },
  answers_refused: { en: "answers of the language model refused", ko: "쓰지 않은 언어 모델 답변" },
  appraised: { en: "appraised again", ko: "다시 매김" },
  moved: { en: "moved", ko: "이동" },
  forgotten: { en: "let go", ko: "절벽으로 감" },
  purged: { en: "gone for good", ko: "완전 삭제" },
  archived: { en: "archived", ko: "보관" },
  linked: { en: "linked to islands", ko: "섬에 이어짐" },
  proposed: { en: "proposed", ko: "제안" },
  ended: { en: "proposals ended", ko: "기한 지난 제안" },
  doubted: { en: "doubted", ko: "의심받음" },
  stored: { en: "remembered", ko: "기억함" },
  recalled: { en: "recalled", ko: "떠올림" },
  learned: { en: "versions learned", ko: "배운 버전" },
  rewarded: { en: "rewards", ko: "보상" },
};

const CHANGES: Readonly<Record<string, Text>> = {
  leaves: { en: "leaves", ko: "떠남" },
  superseded_by: { en: "is superseded by", ko: "다음 내용으로 대체" },
  merged_into: { en: "is merged into", ko: "다음 기억에 합침" },
  promoted_to: { en: "is promoted to", ko: "승급" },
  nominated: { en: "is nominated as core memory", ko: "코어 메모리 후보" },
  expires: { en: "its time is over", ko: "수명이 다함" },
  unused: { en: "was inactive for 30 days", ko: "30일째 비활성" },
  fades: { en: "fades", ko: "흐려짐" },
  rests: { en: "goes inactive", ko: "비활성이 됨" },
  is_read: { en: "gets a gist", ko: "요지를 만듦" },
  is_understood: { en: "is read by the language model", ko: "언어 모델이 읽음" },
  is_appraised: { en: "is appraised again", ko: "중요도를 다시 매김" },
  is_archived: { en: "is archived", ko: "보관됨" },
  is_purged: { en: "is gone for good", ko: "완전히 삭제됨" },
};

const called = (words: Readonly<Record<string, Text>>, name: string): string => {
  const found = words[name];
  return found ? said(found) : name.replaceAll("_", " ");
};

export const dutyWord = (duty: string): string => (DUTIES[duty] ? said(DUTIES[duty][0]) : duty);
export const dutyAbout = (duty: string): string => (DUTIES[duty] ? said(DUTIES[duty][1]) : "");
export const outcomeWord = (outcome: string): string => called(OUTCOMES, outcome);
export const changeWord = (change: string): string => called(CHANGES, change);

/** "merged 3 · promoted 1"; the report of a year counts entries of the ledger. */
export const countsWord = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count)
    .map(([name, count]) => `${COUNTS[name] ? said(COUNTS[name]) : eventWord(name)} ${number(count)}`)
    .join(" · ");
