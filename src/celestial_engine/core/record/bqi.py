"""BQI: reads a prompt's intent, emotion and urgency by keyword rules, without a language model."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import ModuleType
from typing import Any

from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.coordinate import prompt_digest_of
from celestial_engine.core.record.events import timestamp

_READ_CHARACTERS = 4_000
NEUTRAL = "neutral"


class RhythmPhase(str, Enum):
    """The intent of a prompt; the first phase that matches, in this order, applies."""

    INTEGRATION = "integration"
    REFLECTION = "reflection"
    PLANNING = "planning"
    EXPLORATION = "exploration"


@dataclass(frozen=True)
class BqiCoordinate:
    """The BQI of one prompt. Priority 4 is urgent, 3 asks to verify, 2 asks to consider, 1 is anything else."""

    timestamp: str
    rhythm_phase: RhythmPhase
    emotions: tuple[str, ...]
    priority: int
    raw_prompt: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "timestamp": self.timestamp,
            "rhythm_phase": self.rhythm_phase.value,
            "emotion": {"keywords": list(self.emotions)},
            "priority": self.priority,
            "raw_prompt": self.raw_prompt,
        }


def read_bqi(prompt: str, now: float) -> BqiCoordinate:
    """Reads the coordinate of a prompt; only the first 4,000 characters of a long prompt are read.

    >>> read_bqi("Why did the deployment fail?", 0.0).rhythm_phase.value
    'reflection'
    """
    text = prompt[:_READ_CHARACTERS].casefold()
    phases = (phase for phase in RhythmPhase if _matches(text, "PHASES", phase.value))
    priorities = (level for level in (4, 3, 2) if _matches(text, "PRIORITIES", level))
    emotions = tuple(name for name in _languages()[0].EMOTIONS if _matches(text, "EMOTIONS", name))
    return BqiCoordinate(
        timestamp=timestamp(now),
        rhythm_phase=next(phases, RhythmPhase.EXPLORATION),
        emotions=emotions or (NEUTRAL,),
        priority=next(priorities, 1),
        raw_prompt=prompt_digest_of(prompt),
    )


def _matches(text: str, table: str, key: object) -> bool:
    return any(
        key in patterns and compiled(patterns[key]).search(text) is not None
        for patterns in (getattr(language, table) for language in _languages())
    )


def emotions_in(snapshot: dict[str, Any] | None) -> tuple[str, ...]:
    """Returns the emotion keywords of a stored BQI snapshot, in either format that hosts write."""
    emotion = (snapshot or {}).get("emotion")
    keywords = emotion.get("keywords") if isinstance(emotion, dict) else emotion
    if isinstance(keywords, str):
        keywords = [keywords]
    return tuple(word for word in keywords if isinstance(word, str)) if isinstance(keywords, list) else ()


def phase_in(snapshot: dict[str, Any] | None) -> str | None:
    phase = (snapshot or {}).get("rhythm_phase")
    return phase if isinstance(phase, str) else None


@lru_cache(maxsize=1)
def _languages() -> tuple[ModuleType, ...]:
    from celestial_engine.lang.en import bqi as en_bqi  # a search reads what was read before
    from celestial_engine.lang.ko import bqi as ko_bqi

    return en_bqi, ko_bqi
