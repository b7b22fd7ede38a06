"""Many memories at once: out as records, in from records, and as they were at a moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from celestial_engine.core.record.lifetimes import Source
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import (
    Cursor,
    Filter,
    Importance,
    Limit,
    Next,
    Question,
    Strict,
    chosen,
)
from celestial_engine.surfaces.operations.views import Memories, Memory, memories_view, memory_view

_MOST_AT_ONCE = 1000


@dataclass(frozen=True)
class SaveMany(Strict):
    contents: Annotated[tuple[str, ...], About("what to remember, each a memory of its own; all are stored or none")]
    importance: Importance | None = None
    session_id: Annotated[str | None, About("the conversation they belong to")] = None


@dataclass(frozen=True)
class Export(Strict):
    limit: Limit = 100
    cursor: Cursor = None


@dataclass(frozen=True)
class Records:
    records: Annotated[tuple[dict[str, Any], ...], About("memories with every field, oldest first")]
    next: Next = None


@dataclass(frozen=True)
class Import(Strict):
    records: Annotated[
        tuple[dict[str, Any], ...], About("records as an export gives them; known ids are passed over")
    ]


@dataclass(frozen=True)
class Imported:
    added: int
    known: Annotated[int, About("records whose id was here already")]


@dataclass(frozen=True)
class Coordinate(Strict):
    document: Annotated[dict[str, Any], About("a coordinate document, with its id, time and coordinates")]


@dataclass(frozen=True)
class AsOf(Strict):
    at: Annotated[datetime, About("the moment, with its time zone")]
    query: Annotated[Question | None, About("what to look for among them; all of them if left out")] = None
    limit: Limit = 20
    where: Annotated[Filter | None, About("only memories like this")] = None


@dataclass(frozen=True)
class Then:
    memories: tuple[Memory, ...]
    gone: Annotated[tuple[str, ...], About("ids of memories of which nothing is left since")]


def save_many(caller: Caller, asked: SaveMany) -> Memories:
    if len(asked.contents) > _MOST_AT_ONCE:
        raise InvalidInputError("contents", Reason.TOO_MANY, most=_MOST_AT_ONCE, got=len(asked.contents))
    items = caller.memory.store_many(
        asked.contents, asked.importance, source=Source.IMPORT, session_id=asked.session_id
    )
    return memories_view(caller, items)


def export(caller: Caller, asked: Export) -> Records:
    page = caller.memory.transfer.export_page(asked.limit, asked.cursor)
    return Records(tuple(page.items), page.cursor)


def import_records(caller: Caller, asked: Import) -> Imported:
    by = f"{caller.owner.user_id} ({caller.channel})"  # who may call this may give the user's word
    done = caller.memory.transfer.import_(asked.records, by=by, channel=caller.channel)
    return Imported(done.added, done.known)


def coordinate(caller: Caller, asked: Coordinate) -> Memory:
    return memory_view(caller, caller.memory.transfer.add_coordinate(asked.document))


def as_of(caller: Caller, asked: AsOf) -> Then:
    past, where = caller.memory.ledger.as_of(asked.at), chosen(caller, asked.where)
    if asked.query is None:
        items = past.list(asked.limit, where=where)
    else:
        items = past.search(asked.query, asked.limit, where=where)
    return Then(tuple(memory_view(caller, item) for item in items), tuple(past.gone))


OPERATIONS = (
    Operation(
        "memory_save_many", "Remember many texts at once: all of them, or none.",
        SaveMany, Memories, save_many, Route("POST", "/memories/batch", status=201), Scope.WRITE, Effect.ADDS,
        tool=False, command="store --lines",
    ),
    Operation(
        "memory_export", "Every memory with every field, page by page, those on the cliff and in archives too.",
        Export, Records, export, Route("GET", "/export"), tool=False, command="export",
    ),
    Operation(
        "memory_import",
        "Bring exported records in with their ids, times, protection and lifetimes: needs the user's own word.",
        Import, Imported, import_records, Route("POST", "/import"), Scope.APPROVE, Effect.ADDS, True, tool=False,
        command="import",
    ),
    Operation(
        "coordinate_add", "Remember a coordinate document; its id, its time and its coordinates stay.",
        Coordinate, Memory, coordinate, Route("POST", "/coordinates", status=201), Scope.WRITE, Effect.ADDS,
        tool=False,
    ),
    Operation(
        "memory_as_of", "The memories as they were at a moment, to list or to search; nothing is reinforced.",
        AsOf, Then, as_of, Route("POST", "/memories/as-of"), tool=False,
    ),
)  # fmt: skip
