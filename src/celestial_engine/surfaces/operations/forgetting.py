"""Letting go, and bringing back while there is time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Cursor, Filter, Id, IfVersion, Limit, Strict, chosen
from celestial_engine.surfaces.operations.views import Memories, Memory, memories_view, memory_view


@dataclass(frozen=True)
class Delete(Strict):
    id: Id
    if_version: IfVersion = None


@dataclass(frozen=True)
class Several(Strict):
    ids: Annotated[
        tuple[str, ...],
        About("ids of forgotten memories; those of several that are back already stay"),
    ] = ()
    reason: Annotated[DepartureReason | None, About("in place of ids: all that went for this reason")] = None


@dataclass(frozen=True)
class Some(Strict):
    limit: Limit = 100
    cursor: Cursor = None


@dataclass(frozen=True)
class Where(Strict):
    where: Annotated[Filter, About("which memories; at least one thing must be asked for")]


def delete(caller: Caller, asked: Delete) -> Memory:
    return memory_view(caller, caller.memory.forget(asked.id, if_version=asked.if_version))


def cliff(caller: Caller, asked: Some) -> Memories:
    page = caller.memory.departures.cliff_page(asked.limit, asked.cursor)
    return memories_view(caller, page.items, page.cursor)


def restore(caller: Caller, asked: Several) -> Memories:
    if not asked.ids and asked.reason is None:
        raise InvalidInputError("ids", Reason.IDS_OR_REASON)
    if len(asked.ids) == 1 and asked.reason is None:
        return memories_view(caller, [caller.memory.restore(asked.ids[0])])
    # Many are all looked up first: a mistyped id brings nobody back. Who is here already stays here.
    back = caller.memory.departures.restore_many(asked.ids or None, reason=asked.reason)
    return memories_view(caller, back)


def forget_where(caller: Caller, asked: Where) -> Memories:
    where = chosen(caller, asked.where) or ItemFilter()  # which the engine refuses: nobody means everything
    return memories_view(caller, caller.memory.departures.forget_where(where))


OPERATIONS = (
    Operation(
        "memory_delete", "Let a memory go; it can be restored for seven days.",
        Delete, Memory, delete, Route("DELETE", "/memories/{id}", {"if_version": "If-Match"}), Scope.WRITE,
        Effect.REMOVES, command="forget",
    ),
    Operation(
        "memory_forget_where", "Let all memories that a filter asks for go; they can be restored for seven days.",
        Where, Memories, forget_where, Route("POST", "/memories/forget"), Scope.WRITE, Effect.REMOVES, tool=False,
    ),
    Operation(
        "cliff_list", "What was forgotten and can still be restored, with the moment it will be gone.",
        Some, Memories, cliff, Route("GET", "/cliff"), command="cliff",
    ),
    Operation(
        "memory_restore", "Bring forgotten memories back, with the full time of their lifetime.",
        Several, Memories, restore, Route("POST", "/cliff/restore"), Scope.WRITE, Effect.ADDS, command="restore",
    ),
)  # fmt: skip
