"""Imagining: what could be done now, from what is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.imagination import rules as imagination
from celestial_engine.core.record.events import timestamp
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Limit, Nothing, Strict


@dataclass(frozen=True)
class Imagine(Strict):
    context: Annotated[str | None, About("what is going on, in words")] = None
    idle_seconds: Annotated[float | None, About("how long nothing went on, if you know", 0, 1e9)] = None


@dataclass(frozen=True)
class Some(Strict):
    limit: Limit = 20


@dataclass(frozen=True)
class Liked(Strict):
    id: Annotated[str, About("the id of an imagination")]
    liked: Annotated[bool, About("whether it was welcome")]


@dataclass(frozen=True)
class Idea:
    """Something that never happened: to be offered, not told as a fact."""

    id: str
    at: str
    trigger: str
    pattern: str
    memories: tuple[str, ...]
    scenario: str
    action: str | None
    emotion: str
    by: str
    liked: bool | None


@dataclass(frozen=True)
class Imagined:
    idea: Idea | None
    why_not: Annotated[str | None, About("why there is none")]


@dataclass(frozen=True)
class Ideas:
    ideas: tuple[Idea, ...]


@dataclass(frozen=True)
class Pattern:
    pattern: str
    strength: Annotated[float, About("how welcome ideas like it have been, 0 to 1")]
    liked: int
    rejected: int
    ignored: int


@dataclass(frozen=True)
class Patterns:
    patterns: tuple[Pattern, ...]


def imagine(caller: Caller, asked: Imagine) -> Imagined:
    told = caller.memory.imagination.imagine(asked.context, idle_seconds=asked.idle_seconds)
    idea = None if told.imagination is None else _idea(told.imagination)
    return Imagined(idea, None if told.why_not is None else told.why_not.value)


def listed(caller: Caller, asked: Some) -> Ideas:
    return Ideas(tuple(map(_idea, caller.memory.imagination.recent(asked.limit))))


def feedback(caller: Caller, asked: Liked) -> Idea:
    return _idea(caller.memory.imagination.feedback(asked.id, asked.liked))


def patterns(caller: Caller, asked: Nothing) -> Patterns:
    kept = caller.memory.imagination.patterns()
    return Patterns(tuple(Pattern(one.pattern, one.strength, one.liked, one.rejected, one.ignored) for one in kept))


def _idea(told: imagination.Imagination) -> Idea:
    return Idea(
        told.id, timestamp(told.at), told.trigger.value, told.pattern, told.memories_used, told.scenario, told.action,
        told.emotion, told.by, told.liked,
    )  # fmt: skip


OPERATIONS = (
    Operation(
        "imagine", "Something that could be done now, from what is remembered; at most three a day, if it is wanted.",
        Imagine, Imagined, imagine, Route("POST", "/imagination"), Scope.WRITE, Effect.ADDS, tool=False,
        command="imagine",
    ),
    Operation(
        "imagination_list", "What was imagined and is still remembered, newest first.",
        Some, Ideas, listed, Route("GET", "/imagination"), tool=False,
    ),
    Operation(
        "imagination_feedback", "Whether an idea was welcome: others like it come more easily, or less.",
        Liked, Idea, feedback, Route("PUT", "/imagination/{id}/liked"), Scope.WRITE, Effect.ADDS, tool=False,
    ),
    Operation(
        "imagination_patterns", "How welcome each kind of idea has been.",
        Nothing, Patterns, patterns, Route("GET", "/imagination/patterns"), tool=False,
    ),
)  # fmt: skip
