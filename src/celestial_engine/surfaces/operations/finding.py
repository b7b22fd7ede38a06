"""Asking: what suits a question, what belongs together, and what to put before a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.surfaces.operations import views
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Budget, Filter, Id, Limit, Question, Strict, chosen
from celestial_engine.surfaces.operations.views import Memory, found_view, memory_view


@dataclass(frozen=True)
class Search(Strict):
    query: Question
    limit: Limit = 5
    where: Annotated[Filter | None, About("only memories like this")] = None
    reinforce: Annotated[bool, About("count this as a recall, which makes what is found more central")] = True
    explain: Annotated[bool, About("tell what each part of the search adds to the relevance")] = False


@dataclass(frozen=True)
class Hits:
    hits: tuple[views.Found, ...]
    stages: Annotated[dict[str, str], About("which parts of the search ran, or why not")]


@dataclass(frozen=True)
class Compose(Strict):
    query: Annotated[str, About("what the user just said, or what is being worked on")]
    budget: Budget = 1024
    limit: Limit = 20
    where: Annotated[Filter | None, About("only memories like this")] = None
    reinforce: Annotated[bool, About("count this as a recall, which makes what is used more central")] = True


@dataclass(frozen=True)
class Told:
    id: str
    level: Annotated[int, About("0 the full text, 1 its gist, 2 its facts")]
    tokens: int


@dataclass(frozen=True)
class Context:
    text: Annotated[str, About("memories as quoted data, ready for a prompt; empty if nothing suits")]
    tokens: int
    budget: int
    used: tuple[Told, ...]
    left_out: int


@dataclass(frozen=True)
class Related(Strict):
    id: Id
    depth: Annotated[int, About("how many steps away", 1, 3)] = 1
    limit: Limit = 20


@dataclass(frozen=True)
class Tied:
    memory: Memory
    distance: int
    linked: Annotated[bool, About("tied by hand, not only by what both tell of")]
    shared: Annotated[tuple[str, ...], About("people and things that both tell of")]
    negative: Annotated[bool, About("one of them says that it is not so")]


@dataclass(frozen=True)
class Relatives:
    related: tuple[Tied, ...]


def search(caller: Caller, asked: Search) -> Hits:
    where = chosen(caller, asked.where)
    find = caller.memory.recall if asked.reinforce else caller.memory.search
    found = find(asked.query, asked.limit, explain=True, where=where)
    stages = {
        stage.name: stage.skipped.message() if stage.skipped else f"{stage.memories} memories"
        for stage in found.stages
    }
    return Hits(tuple(found_view(caller, hit, explain=asked.explain) for hit in found.hits), stages)


def compose(caller: Caller, asked: Compose) -> Context:
    where = chosen(caller, asked.where)
    made = caller.memory.compose(asked.query, asked.budget, limit=asked.limit, where=where, reinforce=asked.reinforce)
    used = tuple(Told(told.item_id, told.level, told.tokens) for told in made.used)
    return Context(made.text, made.tokens, made.budget, used, made.left_out)


def related(caller: Caller, asked: Related) -> Relatives:
    found = caller.memory.related(asked.id, asked.depth, asked.limit)
    return Relatives(
        tuple(
            Tied(memory_view(caller, one.item), one.distance, one.linked, one.shared, one.negative) for one in found
        )
    )


OPERATIONS = (
    Operation(
        "auto_search",
        "Call at the start of every turn: the memories that suit what the user just said, ready for the prompt.",
        Compose, Context, compose, Route("POST", "/context"), Scope.READ, Effect.ADDS, command="compose",
        examples=({"query": "내일 약속이 뭐였지?", "budget": 512},),
    ),
    Operation(
        "memory_search",
        "Find memories by meaning, words and relations, best first; what is found becomes more central.",
        Search, Hits, search, Route("POST", "/memories/search"), Scope.READ, Effect.ADDS, command="recall",
        examples=({"query": "what does the user like to drink?"},),
    ),
    Operation(
        "memory_get_related",
        "Follow a memory's links and the people and things it tells of to other memories, up to three steps.",
        Related, Relatives, related, Route("GET", "/memories/{id}/related"), command="related",
    ),
)  # fmt: skip
