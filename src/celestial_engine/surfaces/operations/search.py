"""Searching: what suits a question, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.surfaces.operations import views
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import (
    Limit,
    MemoryFilter,
    Question,
    StrictRequest,
    item_filter,
)
from celestial_engine.surfaces.operations.views import hit_view


@dataclass(frozen=True, eq=False, repr=False)
class SearchRequest(StrictRequest):
    query: Question
    limit: Limit = 5
    where: Annotated[MemoryFilter | None, About("only memories like this")] = None
    reinforce: Annotated[bool, About("count this as a recall, which makes what is found more central")] = True
    explain: Annotated[bool, About("tell which parts of the search ran, and what each adds to the relevance")] = False


@dataclass(frozen=True, eq=False, repr=False)
class SearchHits:
    hits: tuple[views.SearchHit, ...]
    stages: Annotated[dict[str, str], About("with explain: which parts of the search ran, or why not")]


def search(caller: Caller, request: SearchRequest) -> SearchHits:
    where = item_filter(caller, request.where)
    find = caller.memory.recall if request.reinforce else caller.memory.search
    found = find(request.query, request.limit, explain=True, where=where)
    stages = {
        stage.name: stage.skipped.message(caller.language) if stage.skipped else f"{stage.memories} memories"
        for stage in (found.stages if request.explain else ())
    }
    return SearchHits(tuple(hit_view(caller, hit, explain=request.explain) for hit in found.hits), stages)


OPERATIONS = (
    Operation(
        "memory_search",
        "Find memories by meaning, words and relations, best first; what is found becomes more central.",
        SearchRequest, SearchHits, search, Route("POST", "/memories/search"), Scope.READ, Effect.ADDS,
        commands=(
            Command("recall", ("query",), joined=True, hidden=("reinforce",)),
            Command("search", ("query",), joined=True, hidden=("reinforce",), values={"reinforce": False}),
        ),
        examples=({"query": "what does the user like to drink?"},),
    ),
)  # fmt: skip
