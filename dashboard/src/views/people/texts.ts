import { texts } from "../../i18n.ts";

export const t = texts({
  en: {
    title: "People and things", about: "Whom and what your memories tell of, what is known about each of them, and how they are tied.",
    list: "List", graph: "Relations", parts: "Ways to look", search: "Find somebody or something", persons: "People", things: "Things", you: "You",
    memories: (count: string) => `${count} memories`, one: "1 memory", last: "last told of", none: "Nobody is known yet", noneBody: "When memories tell of people and things, they are listed here.",
    noMatch: "Nobody and nothing by that name.", back: "All people and things", known: "What is known", knownNone: "No attribute is known: the memories below say it in their own words.",
    since: (when: string) => `since ${when}`, until: (from: string, to: string) => `${from} to ${to}`, everything: "Everything known", tied: "Tied to", alsoCalled: (names: string) => `also called ${names}`,
    inTable: "See them in the table", absent: "Nothing is known about this", absentBody: "No memory tells of it any more. It may have been forgotten, or spelled differently.",
    hops: "Steps away", focus: "Around", whole: "Everything", shownOf: (shown: string, total: string) => `${shown} of ${total} shown`, legend: "The larger, the more memories. Press one to look at it alone; press it again for its page.",
    graphLabel: (count: string) => `Relations between ${count} people and things`, asList: "The same as a list", tooMany: "Those told of most are shown. Choose one to see all around it.", correct: "Correct", kind_user: "You", kind_person: "Person", kind_thing: "Thing",
  },
  ko: {
    title: "사람과 사물", about: "기억이 누구와 무엇을 이야기하는지, 저마다에 관해 무엇을 알고 있는지, 서로 어떻게 이어지는지 봅니다.",
    list: "목록", graph: "관계", parts: "보는 방법", search: "사람이나 사물 찾기", persons: "사람", things: "사물", you: "나",
    memories: (count: string) => `기억 ${count}개`, one: "기억 1개", last: "마지막 언급", none: "아직 아무도 모릅니다", noneBody: "기억에 사람이나 사물이 나오면 여기에 나타납니다.",
    noMatch: "그런 이름이 없습니다.", back: "모든 사람과 사물", known: "알고 있는 것", knownNone: "정리된 항목은 없습니다. 아래 기억에 적힌 그대로입니다.",
    since: (when: string) => `${when}부터`, until: (from: string, to: string) => `${from} ~ ${to}`, everything: "관련된 기억 모두", tied: "이어진 것", alsoCalled: (names: string) => `다른 이름: ${names}`,
    inTable: "표에서 보기", absent: "아는 것이 없습니다", absentBody: "이제 이것을 이야기하는 기억이 없습니다. 잊었거나 다른 이름으로 적혀 있을 수 있습니다.",
    hops: "몇 단계까지", focus: "중심", whole: "전체", shownOf: (shown: string, total: string) => `${total}개 중 ${shown}개 표시`, legend: "기억이 많을수록 큽니다. 누르면 그 둘레만 보이고, 다시 누르면 자세한 화면이 열립니다.",
    graphLabel: (count: string) => `사람과 사물 ${count}개의 관계`, asList: "목록으로 보기", tooMany: "가장 많이 언급된 것만 보입니다. 하나를 고르면 그 둘레를 모두 볼 수 있습니다.", correct: "고치기", kind_user: "나", kind_person: "사람", kind_thing: "사물",
  },
});
