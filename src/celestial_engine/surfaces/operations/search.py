"""Searching: what suits a question, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.retrieval.repeats import said_before
from celestial_engine.core.retrieval.search_result import Stage
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
    floor: Annotated[
        float | None,
        About("how likely a memory must answer to be returned; 0: all of them; left out: the standard floor", 0, 1),
    ] = None
    explain: Annotated[bool, About("tell which parts of the search ran, and what each adds to the relevance")] = False


@dataclass(frozen=True, eq=False, repr=False)
class SearchHits:
    hits: tuple[views.SearchHit, ...]
    stages: Annotated[dict[str, str], About("with explain: which parts of the search ran, or why not")]
    known: Annotated[bool, About("whether any hit reaches the standard floor; only such hits are reinforced")] = True
    notice: Annotated[str | None, About("says that nothing is stored about this; null if something is")] = None


def search(caller: Caller, request: SearchRequest) -> SearchHits:
    where = item_filter(caller, request.where)
    find = caller.memory.recall if request.reinforce else caller.memory.search
    result = find(request.query, request.limit, explain=True, where=where, floor=request.floor)
    stages = {stage.name: _outcome(stage, caller.language) for stage in (result.stages if request.explain else ())}
    same = said_before([hit.item for hit in result.hits]) if request.explain else {}
    hits = tuple(hit_view(caller, hit, explain=request.explain, same_as=same.get(hit.item.id)) for hit in result.hits)
    known = bool(result.known)
    return SearchHits(hits, stages, known, None if known else _nothing_known(caller.language))


def _nothing_known(language: str) -> str:
    from celestial_engine.core.retrieval.framing import frame_for  # only if there is nothing to show

    return frame_for(language).nothing_known


def _outcome(stage: Stage, language: str) -> str:
    if stage.skipped is not None:
        return stage.skipped.message(language)
    count = f"{stage.memories} memories"
    return count if stage.note is None else f"{count}; {stage.note.message(language)}"


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
