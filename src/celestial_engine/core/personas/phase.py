"""PhaseController: keeps the affect of a run within a window, whatever the personas say.

Each answer moves the amplitude by at most 0.1 towards the level of its own feeling. Where that leaves the window
[0.3, 0.7], an injection pulls it back by up to 0.15. So it returns within STEPS_TO_RETURN answers from any start, and
once inside it stays inside.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from celestial_engine.core.emotion.feel import feel
from celestial_engine.core.record.coordinate import EmotionCoordinate
from celestial_engine.errors import InvalidInputError, Reason

BOUNDARY_WINDOW = (0.3, 0.7)
STEPS_TO_RETURN = 6  # 0.3 above the window, at least 0.05 a step
_CENTRE = 0.5
_CALM, _SPAN = 0.4, 0.6  # the level of a neutral text, and what full intensity adds
_GAIN, _MOST_DRIFT = 0.5, 0.1
_PULL = 0.15
_FREEDOM, _STABILITY, _LEVEL_STEP = 0.6, 0.7, 0.05
_MOST_SYMBOLS = 32

# What an injection asks of the next persona.
FRAMES = {
    "calming": "Keep the tone calm and even.",
    "enlivening": "Say what matters to the people concerned, and how they feel about it.",
}


@dataclass(frozen=True)
class PhaseState:
    """Where a run stands. `symbol_memory` counts the feeling words of the answers, the most recent last."""

    affect_amplitude: float = _CENTRE
    language_frame: str = "neutral"
    symbol_memory: Mapping[str, int] = field(default_factory=dict)
    boundary_window: tuple[float, float] = BOUNDARY_WINDOW
    freedom_level: float = _FREEDOM
    stability_level: float = _STABILITY
    last_injection_time: float | None = None
    loop_count: int = 0  # answers so far

    def __post_init__(self) -> None:
        value = self.affect_amplitude
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
            raise InvalidInputError("affect_amplitude", Reason.OUT_OF_RANGE, low=0, high=1, got=value)


@dataclass(frozen=True)
class PhaseStep:
    """What one answer did to the phase."""

    persona_id: str
    affect_before: float
    affect_after: float
    injection_applied: bool
    frame: str  # calming, enlivening or neutral
    keywords: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "persona_id": self.persona_id,
            "affect_before": self.affect_before,
            "affect_after": self.affect_after,
            "injection_applied": self.injection_applied,
            "frame": self.frame,
            "keywords": list(self.keywords),
        }


def integrated(
    state: PhaseState, persona_id: str, felt: EmotionCoordinate, now: float | None
) -> tuple[PhaseState, PhaseStep]:
    """Returns the phase after an answer that feels like this, and what the answer changed."""
    before = state.affect_amplitude
    drift = _GAIN * (_CALM + _SPAN * felt.intensity - before)
    moved = min(1.0, max(0.0, before + min(_MOST_DRIFT, max(-_MOST_DRIFT, drift))))
    low, high = state.boundary_window
    injected = not low <= moved <= high
    after, frame = moved, "neutral"
    if injected:
        frame = "calming" if moved > high else "enlivening"
        after = moved + math.copysign(min(_PULL, abs(_CENTRE - moved)), _CENTRE - moved)
    after = round(after, 6)
    step = PhaseStep(persona_id, before, after, injected, frame, felt.keywords)
    following = replace(
        state,
        affect_amplitude=after,
        language_frame=frame,
        symbol_memory=_with_symbols(state.symbol_memory, felt.keywords),
        freedom_level=_towards(state.freedom_level, 0.0 if injected else _FREEDOM),
        stability_level=_towards(state.stability_level, 1.0 if injected else _STABILITY),
        last_injection_time=now if injected and now is not None else state.last_injection_time,
        loop_count=state.loop_count + 1,
    )
    return following, step


def _towards(level: float, goal: float) -> float:
    step = min(_LEVEL_STEP, abs(goal - level))
    return round(level + math.copysign(step, goal - level), 6)


def _with_symbols(symbols: Mapping[str, int], keywords: tuple[str, ...]) -> dict[str, int]:
    counted = dict(symbols)
    for word in keywords:
        counted[word] = counted.pop(word, 0) + 1
    return dict(list(counted.items())[-_MOST_SYMBOLS:])


class PhaseController:
    """The phase of a run as an object that follows its answers.

    >>> phase = PhaseController(affect_amplitude=1.0)
    >>> phase.integrate_response("thesis", "The plan has three steps.")["affect_after"] < 1.0
    True
    """

    def __init__(self, affect_amplitude: float = _CENTRE) -> None:
        self.state = PhaseState(affect_amplitude)

    @property
    def affect_amplitude(self) -> float:
        return self.state.affect_amplitude

    def integrate_response(self, persona_id: str, response: str, now: float | None = None) -> dict[str, Any]:
        """Moves the phase by one answer, and returns what changed."""
        self.state, step = integrated(self.state, persona_id, feel(response), now)
        return step.to_dict()
