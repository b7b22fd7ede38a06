"""Many memories at once: out as records, in from records, and as they were at a moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import (
    Cursor,
    Limit,
    MemoryFilter,
    Next,
    Question,
    StrictRequest,
    item_filter,
)
from celestial_engine.surfaces.operations.views import Memory, memory_view


@dataclass(frozen=True)
class ExportRequest(StrictRequest):
    limit: Limit = 100
    cursor: Cursor = None


@dataclass(frozen=True)
class RecordPage:
    records: Annotated[tuple[dict[str, Any], ...], About("memories with every field, oldest first")]
    next: Next = None


@dataclass(frozen=True)
class ImportRequest(StrictRequest):
    records: Annotated[
        tuple[dict[str, Any], ...], About("records as an export gives them; known ids are passed over")
    ]


@dataclass(frozen=True)
class ImportCounts:
    added: int
    known: Annotated[int, About("records whose id was here already")]


@dataclass(frozen=True)
class CoordinateRequest(StrictRequest):
    document: Annotated[dict[str, Any], About("a coordinate document, with its id, time and coordinates")]


@dataclass(frozen=True)
class AsOfRequest(StrictRequest):
    at: Annotated[datetime, About("the moment, with its time zone")]
    query: Annotated[Question | None, About("what to look for among them; all of them if left out")] = None
    limit: Limit = 20
    where: Annotated[MemoryFilter | None, About("only memories like this")] = None


@dataclass(frozen=True)
class MemoriesAt:
    memories: tuple[Memory, ...]
    gone: Annotated[tuple[str, ...], About("ids of memories of which nothing is left since")]


def export(caller: Caller, request: ExportRequest) -> RecordPage:
    page = caller.memory.transfer.export_page(request.limit, request.cursor)
    return RecordPage(tuple(page.items), page.cursor)


def import_records(caller: Caller, request: ImportRequest) -> ImportCounts:
    by = f"{caller.owner.user_id} ({caller.channel})"  # who may call this may give the user's word
    imported = caller.memory.transfer.import_(request.records, by=by, channel=caller.channel)
    return ImportCounts(imported.added, imported.known)


def coordinate(caller: Caller, request: CoordinateRequest) -> Memory:
    return memory_view(caller, caller.memory.transfer.add_coordinate(request.document))


def as_of(caller: Caller, request: AsOfRequest) -> MemoriesAt:
    past, where = caller.memory.ledger.as_of(request.at), item_filter(caller, request.where)
    if request.query is None:
        items = past.list(request.limit, where=where)
    else:
        items = past.search(request.query, request.limit, where=where)
    return MemoriesAt(tuple(memory_view(caller, item) for item in items), tuple(past.gone))


OPERATIONS = (
    Operation(
        "memory_export", "Every memory with every field, page by page, those on the cliff and in archives too.",
        ExportRequest, RecordPage, export, Route("GET", "/export"), tool=False, commands=(Command("export",
        by_hand=True),),
    ),
    Operation(
        "memory_import",
        "Import exported records with their ids, times, protection and lifetimes; requires the user's confirmation.",
        ImportRequest, ImportCounts, import_records, Route("POST", "/import"), Scope.APPROVE, Effect.ADDS, True,
        commands=(Command("import", by_hand=True),), long=True,
    ),
    Operation(
        "coordinate_add", "Remember a coordinate document; its id, its time and its coordinates stay.",
        CoordinateRequest, Memory, coordinate, Route("POST", "/coordinates", status=201), Scope.WRITE, Effect.ADDS,
        tool=False,
    ),
    Operation(
        "memory_as_of", "The memories as they were at a moment, to list or to search; nothing is reinforced.",
        AsOfRequest, MemoriesAt, as_of, Route("POST", "/memories/as-of"), tool=False,
    ),
)  # fmt: skip
