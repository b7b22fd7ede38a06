"""What to put before a model, and what belongs together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.record.events import timestamp
from celestial_engine.core.record.labels import Attribute, Subject
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Budget, Id, Limit, MemoryFilter, StrictRequest, item_filter
from celestial_engine.surfaces.operations.views import Feeling, Memory, feeling_view, memory_view, view_of


@dataclass(frozen=True)
class ContextRequest(StrictRequest):
    query: Annotated[str, About("what the user just said, or what is being worked on")]
    budget: Budget = 1024
    limit: Annotated[int, About("consider at most so many memories", 1, 1000)] = 20
    where: Annotated[MemoryFilter | None, About("only memories like this")] = None
    reinforce: Annotated[bool, About("count this as a recall, which makes what is used more central")] = True
    profile: Annotated[
        bool, About("begin with what is known about the user, in a quarter of the budget", tool=False)
    ] = False


@dataclass(frozen=True)
class UsedMemory:
    id: str
    level: Annotated[int, About("0 the full text, 1 its gist, 2 its facts")]
    tokens: int
    background: Annotated[bool, About("part of the profile, whatever the question")] = False


@dataclass(frozen=True)
class PromptContext:
    text: Annotated[str, About("memories as quoted data, ready for a prompt; empty if nothing suits")]
    tokens: int
    budget: int
    used: tuple[UsedMemory, ...]
    left_out: int
    feeling: Annotated[
        Feeling | None, About("what the memories in the text feel like together; null if it is empty")
    ] = None
    known: Annotated[bool, About("whether anything is stored about this; else the text is at most background")] = True
    notice: Annotated[str | None, About("says that nothing is stored about this; null if something is")] = None
    repeated: Annotated[
        int, About("of those left out, how many only repeat another one; the others found no room", tool=False)
    ] = 0
    ended: Annotated[
        int, About("beside those left out: how many a later statement replaced, or likely did", tool=False)
    ] = 0


@dataclass(frozen=True)
class ProfileRequest(StrictRequest):
    budget: Budget = 400


@dataclass(frozen=True)
class KnownFact:
    """What one memory says about the user, or about people and things around them."""

    id: Annotated[str, About("the memory that says it")]
    subject: Annotated[Subject, About("whom it is about: user, person, thing")]
    attribute: Annotated[Attribute, About("what it says about them, such as home, work or health")]
    value: Annotated[str | None, About("the words that state the value, if known")]
    text: str
    at: Annotated[str, About("when it was stored")]
    source: Source
    until: Annotated[str | None, About("since when a part of it is replaced; null while all of it is true")] = None


@dataclass(frozen=True)
class UserProfile:
    text: Annotated[str, About("the facts as quoted data, ready for a prompt; empty if nothing lasting is known")]
    tokens: int
    budget: int
    facts: Annotated[
        tuple[KnownFact, ...], About("lasting facts that are still true, at least in part, in the order of the text")
    ]
    left_out: Annotated[int, About("facts that found no room")]


@dataclass(frozen=True)
class RelatedRequest(StrictRequest):
    id: Id
    depth: Annotated[int, About("how many steps away", 1, 3)] = 1
    limit: Limit = 20


@dataclass(frozen=True)
class RelatedMemory:
    memory: Memory
    distance: int
    linked: Annotated[bool, About("tied by hand, not only by what both tell of")]
    shared: Annotated[tuple[str, ...], About("people and things that both tell of")]
    negative: Annotated[bool, About("one of them contradicts the other")]


@dataclass(frozen=True)
class RelatedMemories:
    related: tuple[RelatedMemory, ...]


def compose(caller: Caller, request: ContextRequest) -> PromptContext:
    where = item_filter(caller, request.where)
    composition = caller.memory.compose(
        request.query, request.budget, limit=request.limit, where=where, reinforce=request.reinforce,
        profile=request.profile,
    )  # fmt: skip
    used = tuple(UsedMemory(one.item_id, one.level, one.tokens, one.background) for one in composition.used)
    return PromptContext(
        composition.text, composition.tokens, composition.budget, used, composition.left_out,
        feeling_view(composition.feeling), composition.known, composition.notice or None, composition.repeated,
        composition.ended,
    )  # fmt: skip


def profile(caller: Caller, request: ProfileRequest) -> UserProfile:
    known = caller.memory.profile(request.budget)
    facts = tuple(
        view_of(
            KnownFact,
            fact,
            id=fact.item_id,
            at=timestamp(fact.at),
            until=None if fact.until is None else timestamp(fact.until),
        )
        for fact in known.facts
    )
    return UserProfile(known.text, known.tokens, known.budget, facts, known.left_out)


def related(caller: Caller, request: RelatedRequest) -> RelatedMemories:
    found = caller.memory.related(request.id, request.depth, request.limit)
    return RelatedMemories(tuple(view_of(RelatedMemory, one, memory=memory_view(caller, one.item)) for one in found))


OPERATIONS = (
    Operation(
        "auto_search",
        "Call at the start of every turn: the memories that suit what the user just said, ready for the prompt.",
        ContextRequest, PromptContext, compose, Route("POST", "/context"), Scope.READ, Effect.ADDS,
        commands=(Command("compose", ("query",), joined=True),),
        examples=({"query": "내일 약속이 뭐였지?", "budget": 512},),
    ),
    Operation(
        "memory_profile",
        "What is known about the user: lasting facts that are still true, the most telling first.",
        ProfileRequest, UserProfile, profile, Route("GET", "/profile"),
        commands=(Command("profile"),),
    ),
    Operation(
        "memory_get_related",
        "Follow a memory's links and the people and things it tells of to other memories, up to three steps.",
        RelatedRequest, RelatedMemories, related, Route("GET", "/memories/{id}/related"),
        commands=(Command("related", ("id",)),),
    ),
)  # fmt: skip
