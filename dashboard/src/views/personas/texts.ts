/** What the page of the personas says. */

import { texts } from "../../i18n.ts";

export const t = texts({
  en: {
    title: "Personas", about: "Several points of view answer one question in turn. Their answers are remembered, and those you rate well come back.",
    question: "Question", registry: "Who answers", depth: "Cycles", offline: "Without a language model",
    offlineHint: "Each persona repeats the question: to see how it works.", ask: "Ask them", stop: "Stop",
    needed: "Write a question first.", stopped: "Stopped. What was answered is kept.", finished: "All have answered.",
    waiting: "Nobody is speaking.", speaking: (name: string, step: number, of: number) => `${name} is speaking (${step} of ${of})`,
    answers: "Answers", nobody: "Ask a question: a thesis, what speaks against it, and what stands after both.",
    affect: "Affect", affectLabel: (now: string) => `The affect is ${now}; it is kept between 0.3 and 0.7.`, window: "window",
    injected: "brought back", retried: "second attempt",
    cases: (count: number) => (count === 1 ? "drew on 1 past answer" : `drew on ${count} past answers`), case: (at: number) => `past answer ${at}`,
    report: (cycle: number) => `Report on cycle ${cycle}`,
    impact: "Impact", transparency: "Transparency", reproducibility: "Reproducibility", verifiability: "Verifiability",
    strengthen_fact_check: "In the next cycle the synthesis checks facts.", add_examples: "In the next cycle the thesis gives examples.",
    rate: (name: string) => `Rate the answer of ${name}`, star: (count: number) => (count === 1 ? "1 star" : `${count} stars`),
    rated: (count: number) => `Rated ${count} of 5: later runs use it.`,
    earlier: "Earlier runs", none: "No personas have answered yet.", when: "When", registryName: "Registry", answered: "Answers",
    unfinished: "not finished", goOn: "Go on", open: "Open the answer",
  },
  ko: {
    title: "페르소나", about: "여러 관점이 한 질문에 차례로 답합니다. 답은 기억되고, 별점을 잘 준 답은 다음에 다시 쓰입니다.",
    question: "질문", registry: "답하는 이들", depth: "차례 수", offline: "언어 모델 없이",
    offlineHint: "페르소나마다 질문을 되풀이합니다. 어떻게 움직이는지 보기 위한 것입니다.", ask: "묻기", stop: "멈추기",
    needed: "먼저 질문을 적어 주세요.", stopped: "멈췄습니다. 지금까지의 답은 남아 있습니다.", finished: "모두 답했습니다.",
    waiting: "지금 말하는 페르소나가 없습니다.", speaking: (name: string, step: number, of: number) => `${name} 말하는 중 (${of}번 중 ${step}번째)`,
    answers: "답", nobody: "질문을 적어 보세요. 주장과 반론, 그리고 둘을 아우른 결론이 차례로 나옵니다.",
    affect: "감정 진폭", affectLabel: (now: string) => `감정 진폭은 ${now}이며 0.3에서 0.7 사이로 유지됩니다.`, window: "유지 범위",
    injected: "되돌림", retried: "다시 물음",
    cases: (count: number) => `지난 답 ${count}개를 참고함`, case: (at: number) => `지난 답 ${at}`,
    report: (cycle: number) => `${cycle}번째 차례 보고`,
    impact: "영향", transparency: "투명성", reproducibility: "재현성", verifiability: "검증 가능성",
    strengthen_fact_check: "다음 차례에는 종합에서 사실을 확인합니다.", add_examples: "다음 차례에는 정립에서 예를 듭니다.",
    rate: (name: string) => `${name}의 답에 별점 주기`, star: (count: number) => `별 ${count}개`,
    rated: (count: number) => `5점 만점에 ${count}점을 주었습니다. 다음 실행부터 쓰입니다.`,
    earlier: "지난 실행", none: "아직 페르소나가 답한 적이 없습니다.", when: "언제", registryName: "레지스트리", answered: "답",
    unfinished: "끝나지 않음", goOn: "이어서", open: "답 열기",
  },
});
