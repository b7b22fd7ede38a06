"""Imagining: what could be done now, from what is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.imagination import rules as imagination
from celestial_engine.core.record.events import timestamp
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import EmptyRequest, Id, Limit, StrictRequest
from celestial_engine.surfaces.operations.views import view_of


@dataclass(frozen=True)
class ImagineRequest(StrictRequest):
    context: Annotated[str | None, About("what is going on, in words")] = None
    idle_minutes: Annotated[float | None, About("for how many minutes nothing has been going on", 0, 1e8)] = None


@dataclass(frozen=True)
class IdeaListRequest(StrictRequest):
    limit: Limit = 20


@dataclass(frozen=True)
class IdeaFeedbackRequest(StrictRequest):
    id: Annotated[Id, About("the id of an imagination")]
    liked: Annotated[bool, About("whether it was welcome")]


@dataclass(frozen=True)
class Idea:
    """Something that never happened: to be offered, not stated as a fact."""

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
class ImagineResult:
    idea: Idea | None
    why_not: Annotated[str | None, About("why there is none")]
    refused: Annotated[str | None, About("why what a language model wrote was not taken")] = None


@dataclass(frozen=True)
class IdeaList:
    ideas: tuple[Idea, ...]


@dataclass(frozen=True)
class IdeaPattern:
    pattern: str
    strength: Annotated[float, About("how welcome ideas like it have been, 0 to 1")]
    liked: int
    rejected: int
    ignored: int


@dataclass(frozen=True)
class IdeaPatterns:
    patterns: tuple[IdeaPattern, ...]


def imagine(caller: Caller, request: ImagineRequest) -> ImagineResult:
    idle = None if request.idle_minutes is None else 60.0 * request.idle_minutes
    result = caller.memory.imagination.imagine(request.context, idle_seconds=idle)
    idea = None if result.imagination is None else _idea(result.imagination)
    return ImagineResult(
        idea, None if result.why_not is None else result.why_not.value, caller.message(result.refused)
    )


def listed(caller: Caller, request: IdeaListRequest) -> IdeaList:
    return IdeaList(tuple(map(_idea, caller.memory.imagination.recent(request.limit))))


def feedback(caller: Caller, request: IdeaFeedbackRequest) -> Idea:
    return _idea(caller.memory.imagination.feedback(request.id, request.liked))


def patterns(caller: Caller, request: EmptyRequest) -> IdeaPatterns:
    stored = caller.memory.imagination.patterns()
    return IdeaPatterns(tuple(view_of(IdeaPattern, one) for one in stored))


def _idea(result: imagination.Imagination) -> Idea:
    at, trigger = timestamp(result.at), result.trigger.value
    return view_of(Idea, result, at=at, trigger=trigger, memories=result.memories_used)


OPERATIONS = (
    Operation(
        "imagine", "Something that could be done now, from what is remembered; at most three a day, if it is wanted.",
        ImagineRequest, ImagineResult, imagine, Route("POST", "/imagination"), Scope.WRITE, Effect.ADDS, tool=False,
        commands=(Command("imagine"),),
    ),
    Operation(
        "imagination_list", "What was imagined and is still remembered, newest first.",
        IdeaListRequest, IdeaList, listed, Route("GET", "/imagination"), tool=False,
        commands=(Command("imagine", switch="--past"),),
    ),
    Operation(
        "imagination_feedback", "Whether an idea was welcome: others like it come more easily, or less.",
        IdeaFeedbackRequest, Idea, feedback, Route("PUT", "/imagination/{id}/liked"), Scope.WRITE, Effect.ADDS,
        commands=(
            Command("imagine", ("id",), switch="--liked", hidden=("liked",), values={"liked": True}),
            Command("imagine", ("id",), switch="--disliked", hidden=("liked",), values={"liked": False}),
        ),
        tool=False,
    ),
    Operation(
        "imagination_patterns", "How welcome each kind of idea has been.",
        EmptyRequest, IdeaPatterns, patterns, Route("GET", "/imagination/patterns"), tool=False,
    ),
)  # fmt: skip
