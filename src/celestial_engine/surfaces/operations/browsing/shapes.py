"""What browsing is asked and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.browse.directory import SubjectKind
from celestial_engine.core.browse.subjects import GroupBy
from celestial_engine.core.browse.table import TableSort
from celestial_engine.core.record.coordinate import Emotion
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.labels import Attribute, Lifetime
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.turn.conversation import Action
from celestial_engine.surfaces.operations.declaration import About
from celestial_engine.surfaces.operations.fields import Limit, StrictRequest, Zone
from celestial_engine.surfaces.operations.views import Memory

Name = Annotated[str, About("a person or a thing, such as Sora or sister; user: the user")]


@dataclass(frozen=True)
class TableRequest(StrictRequest):
    sort: Annotated[TableSort, About("what to sort by; leaving: the end of a lifetime, what never ends last")] = (
        TableSort.CREATED
    )
    descending: Annotated[bool, About("the newest, highest or last first")] = True
    first: Annotated[int, About("how many rows to pass over", 0, 10_000_000)] = 0
    limit: Limit = 50
    counts: Annotated[bool, About("count the values of each field, for filters")] = True
    states: Annotated[tuple[State, ...], About("in one of these states; active and faded unless given")] = ()
    zone: Annotated[Zone | None, About("in this zone")] = None
    tier: Annotated[Tier | None, About("of this lifetime")] = None
    lifetime: Annotated[Lifetime | None, About("whose statement stays true for so long")] = None
    protection: Annotated[Protection | None, About("protected like this")] = None
    attribute: Annotated[Attribute | None, About("that say this about somebody, such as home or money")] = None
    source: Annotated[Source | None, About("that came from here")] = None
    session_id: Annotated[str | None, About("of this session")] = None
    project: Annotated[str | None, About("of this project")] = None
    tag: Annotated[str | None, About("with this tag")] = None
    emotion: Annotated[Emotion | None, About("felt with this emotion")] = None
    about: Annotated[str | None, About("that tell of this person or thing")] = None
    text: Annotated[str | None, About("whose text has these characters in it")] = None
    current: Annotated[bool | None, About("true: only what still holds; false: only what was replaced")] = None


@dataclass(frozen=True)
class MemoryTable:
    memories: Annotated[tuple[Memory, ...], About("the rows of this page")]
    total: Annotated[int, About("how many rows there are")]
    counts: Annotated[
        dict[str, dict[str, int]], About("field -> value -> how many of the rows have it, the most frequent values")
    ]


@dataclass(frozen=True)
class SubjectListRequest(StrictRequest):
    limit: Annotated[int, About("at most so many, the most told of first", 1, 5_000)] = 500


@dataclass(frozen=True)
class SubjectSummary:
    key: Annotated[str, About("its name as the graph knows it")]
    name: Annotated[str, About("its name as memories spell it")]
    kind: SubjectKind
    memories: Annotated[int, About("how many memories tell of it")]
    last_at: Annotated[str, About("when the newest of them was stored")]
    aliases: Annotated[tuple[str, ...], About("other names for it, such as sister")]


@dataclass(frozen=True)
class SubjectList:
    subjects: tuple[SubjectSummary, ...]
    total: int


@dataclass(frozen=True)
class SubjectRequest(StrictRequest):
    name: Name
    limit: Limit = 100


@dataclass(frozen=True)
class SubjectStatement:
    id: Annotated[str, About("the memory that says it")]
    value: Annotated[str | None, About("the words that state the value, if known")]
    text: str
    since: Annotated[str, About("when it was stored")]
    until: Annotated[str | None, About("when it stopped being true; null: it still is")]


@dataclass(frozen=True)
class SubjectAttribute:
    attribute: str
    statements: Annotated[tuple[SubjectStatement, ...], About("newest first, at most 50")]
    total: Annotated[int, About("how many there are, shown or not")]


@dataclass(frozen=True)
class SubjectLink:
    source: str
    target: str
    predicate: Annotated[str, About("what ties them, in the words of most memories")]
    memories: int


@dataclass(frozen=True)
class SubjectDetails:
    subject: SubjectSummary
    attributes: tuple[SubjectAttribute, ...]
    memories: Annotated[tuple[Memory, ...], About("the newest that tell of it")]
    total: Annotated[int, About("how many memories tell of it")]
    links: Annotated[tuple[SubjectLink, ...], About("its ties, at most 500, the most frequent first")]


@dataclass(frozen=True)
class GroupsRequest(StrictRequest):
    by: Annotated[GroupBy, About("put side by side by the person that they tell of, or by project")] = GroupBy.PERSON
    most: Annotated[int, About("at most so many groups, the largest first", 1, 24)] = 8


@dataclass(frozen=True)
class GroupedMemories:
    name: str
    ids: tuple[str, ...]


@dataclass(frozen=True)
class MemoryGroups:
    groups: Annotated[tuple[GroupedMemories, ...], About("each memory is in one of them, or in none")]


@dataclass(frozen=True)
class RelationsRequest(StrictRequest):
    name: Annotated[str | None, About("around this person or thing; left out: among the most told of")] = None
    hops: Annotated[int, About("how many steps away", 1, 3)] = 1
    limit: Annotated[int, About("at most so many people and things", 1, 3_000)] = 200


@dataclass(frozen=True)
class RelationGraph:
    subjects: tuple[SubjectSummary, ...]
    links: tuple[SubjectLink, ...]
    total: Annotated[int, About("how many there are, shown or not")]


@dataclass(frozen=True)
class TurnListRequest(StrictRequest):
    limit: Limit = 50
    before: Annotated[str | None, About("go on behind this turn")] = None


@dataclass(frozen=True)
class FetchedMemory:
    id: str
    content: Annotated[str | None, About("null if it is gone")]


@dataclass(frozen=True)
class DecidedTurn:
    """What was done with a turn. Its text is kept only if it was saved."""

    turn_id: str
    session_id: str | None
    at: str
    action: Action
    reason: Annotated[str | None, About("why, as policy_decide tells it; looked_up: searched for by the user")]
    saved: Annotated[Memory | None, About("the memory it became")]
    fetched: Annotated[tuple[FetchedMemory, ...], About("what was found for it")]
    signs: Annotated[tuple[str, ...], About("what was seen in it, such as question or personal")]
    learned: Annotated[bool, About("decided by what was learned, not by the rules alone")]
    reward: Annotated[float | None, About("what it was worth, -1 to 1; null: not known")]
    said: Annotated[bool, About("the user said what it was worth; else it was concluded from what they said next")]


@dataclass(frozen=True)
class TurnPage:
    turns: Annotated[tuple[DecidedTurn, ...], About("newest first")]
    next: Annotated[str | None, About("`before` of the next page; null after the last")] = None
