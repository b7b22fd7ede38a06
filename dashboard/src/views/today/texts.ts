import { texts } from "../../i18n.ts";

export const t = texts({
  en: {
    title: "Today", about: (when: string) => `What happened since your last visit, ${when}.`, first: "What happened in the last seven days.",
    learned: "Learned", learnedNone: "Nothing new since then.", allNew: "All new memories",
    waiting: "Waiting for your decision", waitingNone: "Nothing waits for you.", decide: "Decide",
    leaving: "Leaving soon", leavingAbout: "Their lifetime ends within a week. Keeping one pins it.", leavingNone: "Nothing leaves within a week.", keep: "Keep", kept: "Kept. It stays until you unpin it.",
    leaves: (when: string) => `leaves ${when}`, allLeaving: "All that leave",
    changed: "Changed", changedNone: "No statement was replaced.", before: "before", now: "now",
    cliff: (count: string) => `${count} on the cliff: they can still be restored`,
    known: "Memories", people: "People and things", core: "Core memories", onCliff: "On the cliff",
    notMine: "Not true", taken: "Taken back.", wrong: "Take this back", demoHere: (count: string) => `${count} of these memories are made up.`, demoRemove: "Remove demo data", demoRemoved: (count: string) => `${count} made-up memories are gone, without a trace.`,
  },
  ko: {
    title: "오늘", about: (when: string) => `지난번에 본 뒤(${when})로 달라진 것들입니다.`, first: "지난 7일 동안 달라진 것들입니다.",
    learned: "새로 알게 된 것", learnedNone: "그 뒤로 새로 알게 된 것이 없습니다.", allNew: "새 기억 모두 보기",
    waiting: "결정을 기다리는 것", waitingNone: "기다리는 것이 없습니다.", decide: "결정하기",
    leaving: "곧 떠나는 것", leavingAbout: "일주일 안에 수명이 다하는 기억입니다. ‘남기기’를 누르면 고정됩니다.", leavingNone: "일주일 안에 떠나는 기억이 없습니다.", keep: "남기기", kept: "남겼습니다. 고정을 풀 때까지 사라지지 않습니다.",
    leaves: (when: string) => `${when} 떠남`, allLeaving: "떠나는 기억 모두 보기",
    changed: "바뀐 것", changedNone: "바뀐 내용이 없습니다.", before: "이전", now: "지금",
    cliff: (count: string) => `절벽에 있는 기억 ${count}개: 아직 되살릴 수 있습니다`,
    known: "기억", people: "사람과 사물", core: "코어 메모리", onCliff: "절벽에 있음",
    notMine: "사실이 아님", taken: "되돌렸습니다.", wrong: "되돌리기", demoHere: (count: string) => `이 가운데 ${count}개는 꾸며 낸 기억입니다.`, demoRemove: "예시 데이터 빼기", demoRemoved: (count: string) => `꾸며 낸 기억 ${count}개를 흔적 없이 뺐습니다.`,
  },
});
