"""What is asked of personas, and what they answer with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from celestial_engine.surfaces.operations.declaration import About
from celestial_engine.surfaces.operations.fields import Limit, StrictRequest


@dataclass(frozen=True)
class PersonaRunRequest(StrictRequest):
    question: Annotated[str | None, About("what the personas are asked")] = None
    depth: Annotated[int | None, About("how many times the whole cycle answers, 1 unless given", 1, 10)] = None
    registry: Annotated[
        str | None, About("a ready-made registry (dialectic, code-review, planning-ko); at the machine also a file")
    ] = None
    resume: Annotated[str | None, About("go on with the run of this session, in place of a question", tool=False)] = (
        None
    )
    offline: Annotated[bool, About("answer with echoes in place of language models", tool=False)] = False


@dataclass(frozen=True)
class PersonaRegistryRequest(StrictRequest):
    registry: Annotated[
        str | None, About("a ready-made registry (dialectic, code-review, planning-ko); at the machine also a file")
    ] = None


@dataclass(frozen=True)
class PersonaRunsRequest(StrictRequest):
    limit: Limit = 20


@dataclass(frozen=True)
class PersonaFileRequest(StrictRequest):
    path: Annotated[str, About("a registry file, JSON or TOML")]


@dataclass(frozen=True)
class PersonaStep:
    """One answer of a persona."""

    persona_id: str
    persona_name: str
    role: str
    backend: str
    depth_index: Annotated[int, About("in which cycle, from 1")]
    step_index: Annotated[int, About("the place in the cycle, from 1")]
    sequence: Annotated[int, About("the place in the run, from 1")]
    text: str
    memory_id: Annotated[str | None, About("the memory that it became; rate it to have it come back")]
    cases: Annotated[tuple[str, ...], About("past answers that its prompt quoted")]
    affect: Annotated[float, About("the affect after it; kept between 0.3 and 0.7")]
    injection_applied: Annotated[bool, About("whether the affect had to be brought back")]
    token_count: int
    verified: Annotated[int, About("validators that accepted it")]
    checked: Annotated[int, About("validators that looked at it")]
    retried: Annotated[bool, About("whether a first answer was refused")]


@dataclass(frozen=True)
class PersonaCycle:
    """The RUNE report on one cycle."""

    depth_index: int
    impact: float
    transparency: float
    reproducibility: float
    verifiability: float
    adjustment: Annotated[dict[str, Any] | None, About("what the next cycle does differently")]


@dataclass(frozen=True)
class PersonaRunResult:
    session_id: str
    question: str
    memory_id: Annotated[str | None, About("the memory that the question became")]
    registry: str
    depth: int
    cycle: Annotated[tuple[str, ...], About("the personas in the order in which they answered")]
    answers: tuple[PersonaStep, ...]
    reports: tuple[PersonaCycle, ...]
    final: Annotated[str, About("the last synthesis, else the last answer")]


@dataclass(frozen=True)
class PersonaProfile:
    id: str
    name: str
    role: str
    stance: str | None
    backend: str
    system_prompt: str
    max_tokens: int


@dataclass(frozen=True)
class PersonaBackend:
    id: str
    type: str
    model: str | None
    timeout: float


@dataclass(frozen=True)
class PersonaRegistryView:
    name: str
    description: str
    cycle: tuple[str, ...]
    personas: tuple[PersonaProfile, ...]
    backends: tuple[PersonaBackend, ...]
    validators: Annotated[tuple[str, ...], About("the kinds of validators, in their order")]
    ready_made: Annotated[tuple[str, ...], About("the names of all ready-made registries")]


@dataclass(frozen=True)
class PersonaRunSummary:
    session_id: str
    memory_id: str
    question: str
    at: str
    registry: str | None
    depth: int | None
    cycle: tuple[str, ...]
    answers: int
    finished: bool


@dataclass(frozen=True)
class PersonaRunList:
    runs: tuple[PersonaRunSummary, ...]
