"""대화 한 번이 남기는 것."""

from __future__ import annotations

TURNS: dict[str, str] = {
    "event.mentioned": "다시 언급",
    "event.influenced": "행동에 영향",
    "event.rewarded": "피드백",
    "event.learned": "학습",
}
