"""Letting go, and bringing back while there is time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import (
    Cursor,
    Id,
    IfVersion,
    Limit,
    MemoryFilter,
    StrictRequest,
    item_filter,
)
from celestial_engine.surfaces.operations.views import Memory, MemoryPage, memory_view, page_view


@dataclass(frozen=True)
class DeleteRequest(StrictRequest):
    id: Id
    if_version: IfVersion = None


@dataclass(frozen=True)
class RestoreRequest(StrictRequest):
    ids: Annotated[
        tuple[Id, ...],
        About("ids of forgotten memories; those of several that are back already stay"),
    ] = ()
    all: Annotated[bool, About("in place of ids: everything that can be restored", tool=False)] = False
    reason: Annotated[DepartureReason | None, About("instead of ids: all that were removed for this reason")] = None


@dataclass(frozen=True)
class CliffRequest(StrictRequest):
    limit: Limit = 100
    cursor: Cursor = None


@dataclass(frozen=True)
class ForgetWhereRequest(StrictRequest):
    where: Annotated[MemoryFilter, About("which memories; at least one condition is required")]


def delete(caller: Caller, request: DeleteRequest) -> Memory:
    return memory_view(caller, caller.memory.forget(request.id, if_version=request.if_version))


def cliff(caller: Caller, request: CliffRequest) -> MemoryPage:
    page = caller.memory.departures.cliff_page(request.limit, request.cursor)
    return page_view(caller, page.items, page.cursor)


def restore(caller: Caller, request: RestoreRequest) -> MemoryPage:
    if [bool(request.ids), request.all, request.reason is not None].count(True) != 1:
        raise InvalidInputError("ids", Reason.IDS_ALL_OR_REASON)
    if len(request.ids) == 1:
        return page_view(caller, [caller.memory.restore(request.ids[0])])
    # All ids are looked up first: with a mistyped one nothing is restored. Active memories stay as they are.
    back = caller.memory.departures.restore_many(request.ids or None, reason=request.reason)
    return page_view(caller, back)


def forget_where(caller: Caller, request: ForgetWhereRequest) -> MemoryPage:
    where = (
        item_filter(caller, request.where) or ItemFilter()
    )  # the engine refuses an empty filter: it would match everything
    return page_view(caller, caller.memory.departures.forget_where(where))


OPERATIONS = (
    Operation(
        "memory_delete", "Let a memory go; it can be restored for seven days.",
        DeleteRequest, Memory, delete, Route("DELETE", "/memories/{id}", {"if_version": "If-Match"}), Scope.WRITE,
        Effect.REMOVES, commands=(Command("forget", ("id",), each=True, hidden=("if_version",)),),
    ),
    Operation(
        "memory_forget_where", "Let all memories that a filter asks for go; they can be restored for seven days.",
        ForgetWhereRequest, MemoryPage, forget_where, Route("POST", "/memories/forget"), Scope.WRITE, Effect.REMOVES,
        tool=False,
    ),
    Operation(
        "cliff_list", "What was forgotten and can still be restored, with the moment it will be gone.",
        CliffRequest, MemoryPage, cliff, Route("GET", "/cliff"), commands=(Command("cliff"),),
    ),
    Operation(
        "memory_restore", "Bring forgotten memories back, with the full time of their lifetime.",
        RestoreRequest, MemoryPage, restore, Route("POST", "/cliff/restore"), Scope.WRITE, Effect.ADDS,
        commands=(Command("restore", ("ids",)),),
    ),
)  # fmt: skip
