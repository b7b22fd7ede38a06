"""페르소나에 관한 문장."""

from __future__ import annotations

PERSONAS: dict[str, str] = {
    "help.personas": "여러 페르소나가 차례로 질문에 답하고 그 답을 기억합니다",
    "say.personas_started": "세션 {session}: {cycle}",
    "say.personas_resumed": "앞서 답한 것이 {count}개 있습니다.",
    "say.personas_speaking": "{name} 답하는 중 ...",
    "say.personas_affect": "감정 진폭 {affect}",
    "say.personas_injection": "되돌림",
    "say.personas_cases": "지난 사례 {count}개",
    "say.personas_retried": "다시 물음",
    "say.personas_report": "{cycle}번째 차례: {measures}",
    "say.personas_rate": "좋은 답이었나요? `celestial rate {id} 5`로 별점을 매기면 다음 실행에 다시 쓰입니다.",
    "say.personas_validators": "검증: {kinds}",
    "say.personas_ready": "마련된 레지스트리: {names}",
    "say.personas_valid": "레지스트리에 문제가 없습니다.",
    "say.personas_unfinished": "{count}, 끝나지 않음",
    "say.personas_none": "아직 페르소나가 답한 적이 없습니다.",
    "rune.impact": "영향",
    "rune.transparency": "투명성",
    "rune.reproducibility": "재현성",
    "rune.verifiability": "검증 가능성",
    "plan.strengthen_fact_check": "다음 차례에는 종합에서 사실을 확인합니다.",
    "plan.add_examples": "다음 차례에는 정립에서 예를 듭니다.",
    "col.place": "#",
    "col.persona": "페르소나",
    "col.name": "이름",
    "col.backend": "백엔드",
    "col.prompt": "지시",
    "col.registry": "레지스트리",
    "col.answers": "답",
}
