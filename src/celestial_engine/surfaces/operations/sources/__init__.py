"""Undo a source: what came from a memory, a session or an import, and letting all of it go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.engine.sources import SourceKind, Trace
from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import StrictRequest
from celestial_engine.surfaces.operations.views import Memory, MemoryPage, memory_view, page_view


@dataclass(frozen=True)
class TraceRequest(StrictRequest):
    which: Annotated[
        str, About("the id of a memory, a session, or an import: a format such as mem0, or the name of a file")
    ]
    kind: Annotated[SourceKind | None, About("what that is; unset: the first that fits")] = None


@dataclass(frozen=True)
class RetractRequest(StrictRequest):
    which: Annotated[
        str, About("the id of a memory, a session, or an import: a format such as mem0, or the name of a file")
    ]
    kind: Annotated[SourceKind | None, About("what that is; unset: the first that fits")] = None
    dry_run: Annotated[bool, About("only tell what would go")] = False


@dataclass(frozen=True)
class RetractUndoRequest(StrictRequest):
    event: Annotated[int, About("the number that the retraction returned")]


@dataclass(frozen=True)
class SourceTrace:
    sources: tuple[Memory, ...]
    distilled: Annotated[tuple[Memory, ...], About("made of these sources alone")]
    imagined: tuple[Memory, ...]
    shared: Annotated[tuple[Memory, ...], About("made of other sources too: a retraction leaves them")]
    merged_into: Annotated[tuple[str, ...], About("memories that counted a duplicate of a source")]
    superseded: Annotated[tuple[Memory, ...], About("older statements that a source ended")]
    islands: tuple[str, ...]
    beliefs: tuple[str, ...]
    triples: int
    policy_version: Annotated[int | None, About("the last version of what was learned before the source was here")]
    learned_since: Annotated[int, About("versions learned since; `policy rollback` goes back")]
    leaving: Annotated[tuple[str, ...], About("memories that a retraction lets go")]
    protected: Annotated[tuple[str, ...], About("core and immutable memories, which stay")]


@dataclass(frozen=True)
class SourceRetraction:
    trace: SourceTrace
    event: Annotated[int | None, About("the number that takes the retraction back")]
    dry_run: bool


def trace(caller: Caller, request: TraceRequest) -> SourceTrace:
    return _view(caller, caller.memory.sources.trace(_named(caller, request.which, request.kind), request.kind))


def retract(caller: Caller, request: RetractRequest) -> SourceRetraction:
    which = _named(caller, request.which, request.kind)
    retraction = caller.memory.sources.retract(which, request.kind, dry_run=request.dry_run)
    return SourceRetraction(_view(caller, retraction.trace), retraction.event, retraction.dry_run)


def undo(caller: Caller, request: RetractUndoRequest) -> MemoryPage:
    return page_view(caller, caller.memory.sources.undo(request.event))


def _named(caller: Caller, which: str, kind: SourceKind | None) -> str:
    """A short id of a memory as the whole one."""
    if kind not in (None, SourceKind.MEMORY):
        return which
    try:
        return caller.memory.browse.find_id(which)
    except NotFoundError:
        return which


def _view(caller: Caller, trace: Trace) -> SourceTrace:
    def views(items: tuple[object, ...]) -> tuple[Memory, ...]:
        return tuple(memory_view(caller, item) for item in items)  # type: ignore[arg-type]

    return SourceTrace(
        views(trace.sources), views(trace.distilled), views(trace.imagined), views(trace.shared), trace.merged_into,
        views(trace.superseded), trace.islands, trace.beliefs, trace.triples, trace.policy_version,
        trace.learned_since, tuple(item.id for item in trace.leaving), tuple(item.id for item in trace.protected),
    )  # fmt: skip


OPERATIONS = (
    Operation(
        "source_trace", "Everything derived from a memory, a session or an import.",
        TraceRequest, SourceTrace, trace, Route("POST", "/sources/trace"), tool=False,
        commands=(Command("trace", ("which",)),),
    ),
    Operation(
        "source_retract", "Let a source and everything made of it alone go at once; it can be taken back.",
        RetractRequest, SourceRetraction, retract, Route("POST", "/sources/retract"), Scope.WRITE, Effect.REMOVES,
        tool=False, commands=(Command("retract", ("which",)),),
    ),
    Operation(
        "source_retract_undo", "Take a whole retraction back.",
        RetractUndoRequest, MemoryPage, undo, Route("POST", "/sources/retractions/{event}/undo"), Scope.WRITE,
        Effect.ADDS, tool=False, commands=(Command("retract", ("event",), switch="--undo"),),
    ),
)  # fmt: skip
