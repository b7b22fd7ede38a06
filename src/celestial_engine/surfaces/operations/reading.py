"""Looking: nothing here changes anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.orbit.memory_function import MemoryFunctionConfig
from celestial_engine.core.record.events import timestamp
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import (
    Cursor,
    EmptyRequest,
    Id,
    Limit,
    MemoryFilter,
    MemoryIdRequest,
    Next,
    StrictRequest,
    item_filter,
)
from celestial_engine.surfaces.operations.views import (
    LedgerEvent,
    Memory,
    MemoryPage,
    event_view,
    memory_view,
    page_view,
)


@dataclass(frozen=True)
class ListRequest(StrictRequest):
    limit: Limit = 20
    cursor: Cursor = None
    where: Annotated[MemoryFilter | None, About("only memories like this")] = None


@dataclass(frozen=True)
class SessionListRequest(StrictRequest):
    where: Annotated[MemoryFilter | None, About("only of memories like this")] = None


@dataclass(frozen=True)
class SessionIds:
    session_ids: tuple[str, ...]


@dataclass(frozen=True)
class ModelUsage:
    calls: int
    tokens: int
    model: Annotated[str | None, About("the language model; null if there is none")]


@dataclass(frozen=True)
class MemoryStats:
    total: int
    cliff: int
    zones: dict[str, int]
    capacities: Annotated[dict[str, int | None], About("how many have a place in each zone; null: any number")]
    tiers: dict[str, int]
    categories: dict[str, int]
    states: dict[str, int]
    database: Annotated[str | None, About("the path of the file; returned only on this machine")]
    size_bytes: int | None


@dataclass(frozen=True)
class ZoneDrift:
    zone: str
    at: str


@dataclass(frozen=True)
class ScoreWeights:
    recall: float
    freshness: float
    importance: float
    context: float


@dataclass(frozen=True)
class ScoreExplanation:
    memory: Memory
    score: float
    target_zone: Annotated[str, About("the zone that its score belongs to; it may have to wait for room there")]
    recall: float
    freshness: float
    importance: float
    context: float
    weights: Annotated[ScoreWeights, About("how much each part counts")]
    drifts: Annotated[tuple[ZoneDrift, ...], About("the zones it will drift to, if nobody recalls it")]


@dataclass(frozen=True)
class HistoryRequest(StrictRequest):
    id: Annotated[Id | None, About("of this memory; of all of them if left out")] = None
    limit: Limit = 50
    cursor: Cursor = None


@dataclass(frozen=True)
class EventPage:
    events: tuple[LedgerEvent, ...]
    next: Next = None


def get(caller: Caller, request: MemoryIdRequest) -> Memory:
    return memory_view(caller, caller.memory.get(request.id))


def listed(caller: Caller, request: ListRequest) -> MemoryPage:
    page = caller.memory.browse.page(request.limit, request.cursor, where=item_filter(caller, request.where))
    return page_view(caller, page.items, page.cursor)


def sessions(caller: Caller, request: SessionListRequest) -> SessionIds:
    return SessionIds(tuple(caller.memory.browse.sessions(where=item_filter(caller, request.where))))


def model(caller: Caller, request: EmptyRequest) -> ModelUsage:
    spent, used = caller.memory.maintenance.model_spent(), caller.memory.maintenance.model()
    return ModelUsage(spent.calls, spent.tokens, None if used is None else used.name)


def explain(caller: Caller, request: MemoryIdRequest) -> ScoreExplanation:
    found = caller.memory.explain(request.id)
    names = {zone.zone_id: zone.name for zone in found.zones}
    parts = found.breakdown
    drifts = tuple(ZoneDrift(names[crossing.zone], timestamp(crossing.at)) for crossing in found.crossings)
    return ScoreExplanation(
        memory_view(caller, found.item), parts.total, names[parts.target_zone], parts.recall_score,
        parts.freshness_score, parts.arbitrary_score, parts.context_score, weights_view(found.config), drifts,
    )  # fmt: skip


def weights_view(law: MemoryFunctionConfig) -> ScoreWeights:
    return ScoreWeights(law.w_recall, law.w_freshness, law.w_arbitrary, law.w_context)


def history(caller: Caller, request: HistoryRequest) -> EventPage:
    page = caller.memory.ledger.history_page(request.id, request.limit, request.cursor)
    return EventPage(tuple(event_view(event) for event in page.items), page.cursor)


def stats(caller: Caller, request: EmptyRequest) -> MemoryStats:
    found = caller.memory.stats()
    return MemoryStats(
        found["total"],
        found["cliff"],
        {zone["name"]: zone["count"] for zone in found["zones"].values()},
        {zone["name"]: zone["capacity"] for zone in found["zones"].values()},
        found["tiers"],
        found["categories"],
        found["states"],
        caller.memory.path if caller.local else None,
        caller.memory.parts.store.size_bytes(),
    )


OPERATIONS = (
    Operation(
        "memory_get", "One memory, whole, by its id.",
        MemoryIdRequest, Memory, get, Route("GET", "/memories/{id}"), commands=(Command("show", ("id",)),),
    ),
    Operation(
        "memory_list", "The newest memories, or those that a filter asks for.",
        ListRequest, MemoryPage, listed, Route("POST", "/memories/list"), commands=(Command("list"),),
    ),
    Operation(
        "session_list", "The conversations that memories belong to.",
        SessionListRequest, SessionIds, sessions, Route("POST", "/sessions/list"), tool=False,
    ),
    Operation(
        "memory_stats", "How many memories there are, by zone, lifetime, category and state.",
        EmptyRequest, MemoryStats, stats, Route("GET", "/stats"), commands=(Command("stats"),),
    ),
    Operation(
        "memory_explain",
        "Why a memory is where it is: the parts of its score, and when it will drift to which zone.",
        MemoryIdRequest, ScoreExplanation, explain, Route("GET", "/memories/{id}/explanation"),
        commands=(Command("explain", ("id",)),),
    ),
    Operation(
        "memory_history", "What happened to a memory, or to all of them, newest first; from the ledger.",
        HistoryRequest, EventPage, history, Route("GET", "/events"), commands=(Command("history", ("id",)),),
    ),
    Operation(
        "model_spent", "What language models were asked today, of all owners.",
        EmptyRequest, ModelUsage, model, Route("GET", "/model"), Scope.ADMIN, tool=False,
    ),
)  # fmt: skip
