import { texts } from "../../i18n.ts";

export const t = texts({
  en: {
    title: "Conversations", about: "What was done with each turn, and why. Correct it where it was wrong: the policy learns from that.",
    sessions: "Conversations by day", unnamed: "without a name", turns: "Turns", none: "No conversation yet",
    noneBody: "When an assistant tells the engine what you say, each turn is listed here: kept, skipped, or answered from memory.", connect: "How to connect one",
    save: "Kept", skip: "Skipped", retrieve: "Fetched", both: "Kept and fetched",
    notStored: "Its words are not stored.", gone: "What it became has been forgotten since.", quoted: (count: string) => `Given to the assistant: ${count}`, goneMemory: "a memory that is gone",
    why: "Why", sign_question: "it asks something", sign_personal: "it tells something about you", sign_preference: "it tells what you like", sign_technical: "it tells of work or a decision", sign_emotion: "it tells how you feel",
    why_save: "worth keeping", why_skip: "nothing in it to keep", why_retrieve: "memories may help with the answer", byLearned: "decided by what was learned from you",
    right: "Right", wrong: "Wrong", notKeep: "Should not have been kept", shouldKeep: "Should have been kept", rightDone: "Noted: right. The policy learns from it.", wrongDone: "Noted: wrong. The policy learns from it.",
    removed: "Let go, and noted. The policy learns from it.", saidRight: "you said: right", saidWrong: "you said: wrong", seemedRight: "seemed right", seemedWrong: "seemed wrong", more: "Earlier turns", counts: (kept: string, skipped: string, fetched: string) => `${kept} kept · ${skipped} skipped · ${fetched} fetched`,
    memories: "What is remembered of it", all: "All turns",
  },
  ko: {
    title: "대화", about: "말 한마디마다 무엇을 했고 왜 그랬는지 봅니다. 잘못된 것을 고치면 다음부터 그렇게 배웁니다.",
    sessions: "날짜별 대화", unnamed: "이름 없음", turns: "말", none: "아직 대화가 없습니다",
    noneBody: "연결된 도구가 당신의 말을 전하면, 한마디마다 남겼는지 넘겼는지 기억을 찾아 줬는지 여기에 나타납니다.", connect: "연결하는 방법",
    save: "남김", skip: "넘김", retrieve: "찾아 줌", both: "남기고 찾아 줌",
    notStored: "이 말의 내용은 저장하지 않습니다.", gone: "이 말에서 생긴 기억은 그 뒤로 잊었습니다.", quoted: (count: string) => `도구에 건넨 기억 ${count}개`, goneMemory: "사라진 기억",
    why: "까닭", sign_question: "묻는 말", sign_personal: "나에 관한 사실", sign_preference: "좋고 싫음", sign_technical: "일이나 결정에 관한 말", sign_emotion: "기분을 담은 말",
    why_save: "남길 만한 내용", why_skip: "남길 내용이 없음", why_retrieve: "기억이 답에 도움이 됨", byLearned: "당신에게서 배운 대로 정함",
    right: "맞음", wrong: "틀림", notKeep: "남기지 말았어야 함", shouldKeep: "남겼어야 함", rightDone: "맞다고 적어 두었습니다. 다음부터 참고합니다.", wrongDone: "틀렸다고 적어 두었습니다. 다음부터 참고합니다.",
    removed: "보내고 적어 두었습니다. 다음부터 참고합니다.", saidRight: "내 평가: 맞음", saidWrong: "내 평가: 틀림", seemedRight: "맞는 듯함", seemedWrong: "틀린 듯함", more: "이전 대화 더 보기", counts: (kept: string, skipped: string, fetched: string) => `남김 ${kept} · 넘김 ${skipped} · 찾아 줌 ${fetched}`,
    memories: "이 대화에서 기억하는 것", all: "모든 말",
  },
});
