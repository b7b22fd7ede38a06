"""언어 모델, 한국어."""

from __future__ import annotations

MODELS: dict[str, str] = {
    "opt.ask_model": "언어 모델에 짧은 질문을 하나 보내 응답하는지도 확인합니다",
    "doctor.no_model": "언어 모델 없음: 평가와 이해, 증류를 규칙으로 합니다 (CELESTIAL_MODEL로 지정)",
    "doctor.model": "언어 모델 {model}, 쓰는 곳: {uses}",
    "doctor.model_unused": "언어 모델 {model}, 쓰는 곳 없음 (CELESTIAL_MODEL_USE)",
    "doctor.model_spent": "오늘(UTC) 언어 모델 사용량: 호출 {calls}/{most_calls}회, 토큰 {tokens}/{most_tokens}개",
    "doctor.model_answers": "언어 모델이 응답합니다 (토큰 {tokens}개)",
    "doctor.model_plain": "주소가 다른 컴퓨터의 http://입니다. 기억과 키가 암호화되지 않은 채 전송됩니다",
    "model.no_limit": "무제한",
    "use.importance": "중요도",
    "use.perception": "요지",
    "use.understanding": "대화 이해",
    "use.emotion": "감정",
    "use.distillation": "증류",
}
