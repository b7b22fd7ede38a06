/** The ready-made personas are described in one language each; the page knows both. Others keep their own words. */

import { language, type Text } from "../../i18n.ts";

const REGISTRIES: Readonly<Record<string, readonly [name: Text, about: Text]>> = {
  dialectic: [
    { en: "Thesis and antithesis", ko: "정반합" },
    {
      en: "Thesis, antithesis and synthesis: a proposal, the objections to it, and what stands after both.",
      ko: "정반합: 주장을 내놓고, 반론을 펴고, 둘을 아울러 남는 것을 정리합니다.",
    },
  ],
  "code-review": [
    { en: "Code review", ko: "코드 리뷰" },
    {
      en: "A code review: the author explains, the reviewer looks for defects, the maintainer decides.",
      ko: "코드 리뷰: 작성자가 설명하고, 검토자가 결함을 찾고, 관리자가 결정합니다.",
    },
  ],
  "planning-ko": [
    { en: "Planning meeting in Korean", ko: "기획 회의" },
    {
      en: "A planning meeting in Korean: the planner proposes, the critic objects, the facilitator sums up.",
      ko: "기획 회의: 기획자가 제안하고, 검토자가 따지고, 진행자가 정리합니다.",
    },
  ],
};

const WORDS: readonly Text[] = [
  { en: "Proposer", ko: "제안자" },
  { en: "Thesis", ko: "정(주장)" },
  { en: "Challenger", ko: "반론자" },
  { en: "Antithesis", ko: "반(반론)" },
  { en: "Integrator", ko: "통합자" },
  { en: "Synthesis", ko: "합(종합)" },
  { en: "Author", ko: "작성자" },
  { en: "Explains the change", ko: "바뀐 점을 설명" },
  { en: "Reviewer", ko: "리뷰어" },
  { en: "Looks for defects", ko: "결함을 찾기" },
  { en: "Maintainer", ko: "관리자" },
  { en: "Decides", ko: "결정" },
  { en: "Planner", ko: "기획자" },
  { en: "Proposal", ko: "제안" },
  { en: "Critic", ko: "검토자" },
  { en: "Objections", ko: "반론" },
  { en: "Facilitator", ko: "진행자" },
  { en: "Summary", ko: "정리" },
];

export const registryName = (name: string): string => REGISTRIES[name]?.[0][language()] ?? name;
export const registryAbout = (name: string, about: string): string => REGISTRIES[name]?.[1][language()] ?? about;
/** The name or the role of a ready-made persona in the language of the page; other words stay as they are. */
export const personaWord = (word: string): string => WORDS.find(({ en, ko }) => word === en || word === ko)?.[language()] ?? word;
