"""잠이 하는 일."""

from __future__ import annotations

SLEEP: dict[str, str] = {
    "event.faded": "희미해짐",
    "event.went_inactive": "비활성화",
    "event.merged": "병합",
    "event.superseded": "새 내용으로 대체",
    "event.promoted": "승급",
    "event.nominated": "승급 후보",
    "event.appraised": "다시 평가",
    "event.slept": "잠",
}
