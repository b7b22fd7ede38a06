"""What happens in a run of personas, as values: events while it goes on, and the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from celestial_engine.core.personas.rune import RuneReport
from celestial_engine.errors import InvalidInputError, Reason

MOST_DEPTH = 10


@dataclass(frozen=True)
class PersonaAnswer:
    """One answer. `sequence` counts from 1 within the session; `cases` are ids of the past cases it drew on."""

    persona_id: str
    persona_name: str
    role: str
    backend: str
    depth_index: int
    step_index: int
    sequence: int
    text: str
    memory_id: str | None
    prompt_digest: str
    cases: tuple[str, ...]
    affect: float
    injection_applied: bool
    token_count: int
    verified: int = 0
    checked: int = 0
    retried: bool = False


@dataclass(frozen=True)
class RunStarted:
    """`cycle`: the ids of the personas in the order of this run."""

    kind: ClassVar[str] = "started"
    session_id: str
    question: str
    depth: int
    cycle: tuple[str, ...]
    registry: str
    memory_id: str | None
    bqi: Mapping[str, Any]
    resumed: int = 0  # answers that an earlier part of the run gave


@dataclass(frozen=True)
class Speaking:
    """A persona begins to answer."""

    kind: ClassVar[str] = "speaking"
    persona_id: str
    persona_name: str
    depth_index: int
    step_index: int
    sequence: int
    cases: tuple[str, ...]


@dataclass(frozen=True)
class TextDelta:
    """More of the answer, from backends that stream."""

    kind: ClassVar[str] = "text"
    persona_id: str
    sequence: int
    text: str


@dataclass(frozen=True)
class Answered:
    """An answer is stored."""

    kind: ClassVar[str] = "answered"
    answer: PersonaAnswer


@dataclass(frozen=True)
class CycleReport:
    """The RUNE report on a cycle; `adjustment` is applied to the next one."""

    kind: ClassVar[str] = "cycle"
    depth_index: int
    report: RuneReport
    adjustment: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class PersonaRun:
    """A finished run. `text` is its last answer; `final` the last synthesis, if one of the personas is one."""

    kind: ClassVar[str] = "finished"
    session_id: str
    question: str
    depth: int
    cycle: tuple[str, ...]
    registry: str
    answers: tuple[PersonaAnswer, ...]
    reports: tuple[CycleReport, ...]
    text: str
    final: str
    memory_id: str | None = None
    bqi: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.final


RunEvent = RunStarted | Speaking | TextDelta | Answered | CycleReport | PersonaRun


def check_depth(depth: object) -> int:
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MOST_DEPTH:
        raise InvalidInputError("depth", Reason.WHOLE_OUT_OF_RANGE, low=1, high=MOST_DEPTH, got=depth)
    return depth
