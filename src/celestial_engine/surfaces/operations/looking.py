"""Looking: nothing here changes anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.record.events import timestamp
from celestial_engine.surfaces.operations.declaration import About, Caller, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Cursor, Filter, Limit, Next, Nothing, One, Strict, chosen
from celestial_engine.surfaces.operations.views import (
    Happening,
    Memories,
    Memory,
    event_view,
    memories_view,
    memory_view,
)


@dataclass(frozen=True)
class Some(Strict):
    limit: Limit = 20
    cursor: Cursor = None
    where: Annotated[Filter | None, About("only memories like this")] = None


@dataclass(frozen=True)
class Sessions(Strict):
    where: Annotated[Filter | None, About("only of memories like this")] = None


@dataclass(frozen=True)
class SessionIds:
    session_ids: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    calls: int
    tokens: int
    model: Annotated[str | None, About("the language model; null if there is none")]


@dataclass(frozen=True)
class Stats:
    total: int
    cliff: int
    zones: dict[str, int]
    tiers: dict[str, int]
    categories: dict[str, int]
    states: dict[str, int]


@dataclass(frozen=True)
class Drift:
    zone: str
    at: str


@dataclass(frozen=True)
class Explanation:
    id: str
    zone: str
    score: float
    recall: float
    freshness: float
    importance: float
    context: float
    drifts: Annotated[tuple[Drift, ...], About("the zones it will drift to, if nobody recalls it")]


@dataclass(frozen=True)
class History(Strict):
    id: Annotated[str | None, About("of this memory; all of them if left out")] = None
    limit: Limit = 50
    cursor: Cursor = None


@dataclass(frozen=True)
class Happenings:
    events: tuple[Happening, ...]
    next: Next = None


def get(caller: Caller, asked: One) -> Memory:
    return memory_view(caller, caller.memory.get(asked.id))


def listed(caller: Caller, asked: Some) -> Memories:
    page = caller.memory.browse.page(asked.limit, asked.cursor, where=chosen(caller, asked.where))
    return memories_view(caller, page.items, page.cursor)


def sessions(caller: Caller, asked: Sessions) -> SessionIds:
    return SessionIds(tuple(caller.memory.browse.sessions(where=chosen(caller, asked.where))))


def model(caller: Caller, asked: Nothing) -> Asked:
    spent, used = caller.memory.maintenance.model_spent(), caller.memory.maintenance.model()
    return Asked(spent.calls, spent.tokens, None if used is None else used.name)


def explain(caller: Caller, asked: One) -> Explanation:
    told = caller.memory.explain(asked.id)
    names = {zone.zone_id: zone.name for zone in told.zones}
    parts = told.breakdown
    drifts = tuple(Drift(names[crossing.zone], timestamp(crossing.at)) for crossing in told.crossings)
    return Explanation(
        told.item.id, names[told.item.zone], parts.total, parts.recall_score, parts.freshness_score,
        parts.arbitrary_score, parts.context_score, drifts,
    )  # fmt: skip


def history(caller: Caller, asked: History) -> Happenings:
    page = caller.memory.ledger.history_page(asked.id, asked.limit, asked.cursor)
    return Happenings(tuple(event_view(event) for event in page.items), page.cursor)


def stats(caller: Caller, asked: Nothing) -> Stats:
    told = caller.memory.stats()
    return Stats(
        told["total"],
        told["cliff"],
        {zone["name"]: zone["count"] for zone in told["zones"].values()},
        told["tiers"],
        told["categories"],
        told["states"],
    )


OPERATIONS = (
    Operation(
        "memory_get", "One memory, whole, by its id.",
        One, Memory, get, Route("GET", "/memories/{id}"), command="show",
    ),
    Operation(
        "memory_list", "The newest memories, or those that a filter asks for.",
        Some, Memories, listed, Route("POST", "/memories/list"), command="list",
    ),
    Operation(
        "session_list", "The conversations that memories belong to.",
        Sessions, SessionIds, sessions, Route("POST", "/sessions/list"), tool=False,
    ),
    Operation(
        "memory_stats", "How many memories there are, by zone, lifetime, category and state.",
        Nothing, Stats, stats, Route("GET", "/stats"), command="stats",
    ),
    Operation(
        "memory_explain",
        "Why a memory is where it is: the parts of its score, and when it will drift to which zone.",
        One, Explanation, explain, Route("GET", "/memories/{id}/explanation"), command="explain",
    ),
    Operation(
        "memory_history", "What happened to a memory, or to all of them, newest first; from the ledger.",
        History, Happenings, history, Route("GET", "/events"), command="history",
    ),
    Operation(
        "model_spent", "What language models were asked today, of all owners.",
        Nothing, Asked, model, Route("GET", "/model"), Scope.ADMIN, tool=False,
    ),
)  # fmt: skip
