"""Looking around: a sorted table of all memories, the people and things they tell of, and decided turns."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from celestial_engine.core.browse.table import IN_ORBIT
from celestial_engine.core.record.events import timestamp
from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.operations.browsing.shapes import (
    DecidedTurn,
    FetchedMemory,
    GroupedMemories,
    GroupsRequest,
    MemoryGroups,
    MemoryTable,
    RelationGraph,
    RelationsRequest,
    SubjectAttribute,
    SubjectDetails,
    SubjectLink,
    SubjectList,
    SubjectListRequest,
    SubjectRequest,
    SubjectStatement,
    SubjectSummary,
    TableRequest,
    TurnListRequest,
    TurnPage,
)
from celestial_engine.surfaces.operations.declaration import Caller, Operation, Route
from celestial_engine.surfaces.operations.fields import zone_number
from celestial_engine.surfaces.operations.views import Memory, memory_view, moment_view

if TYPE_CHECKING:
    from celestial_engine.core.browse.directory import KnownSubject
    from celestial_engine.core.browse.directory import SubjectLink as Tie
    from celestial_engine.core.learning.credit import PendingTurn

# The signs of a turn that are kept as numbers, in the order of TurnFeatures.state; its text is not kept.
_SIGNS = {3: "question", 4: "personal", 5: "preference", 6: "technical", 7: "emotion"}
_STATE_SIZE = 10


def table(caller: Caller, request: TableRequest) -> MemoryTable:
    from celestial_engine.core.browse.table import TableFilter

    def name_of(choice: Enum | None) -> str | None:
        return None if choice is None else str(choice.value)

    chosen = TableFilter(
        tuple(state.value for state in request.states) or IN_ORBIT, zone_number(caller, request.zone),
        name_of(request.tier), name_of(request.protection), name_of(request.attribute), name_of(request.source),
        request.session_id, request.project, request.tag, name_of(request.emotion), request.about, request.text,
        request.current, name_of(request.lifetime),
    )  # fmt: skip
    page, items = caller.memory.browse.table(
        chosen, request.sort, descending=request.descending, first=request.first, limit=request.limit,
        counts=request.counts,
    )  # fmt: skip
    zones = {str(zone.zone_id): zone.name for zone in caller.zones}
    counts = {name: dict(counted) for name, counted in page.counts.items()}
    counts["zone"] = {zones.get(zone, zone): count for zone, count in counts.get("zone", {}).items()}
    return MemoryTable(tuple(memory_view(caller, item) for item in items), page.total, counts)


def subjects(caller: Caller, request: SubjectListRequest) -> SubjectList:
    found = caller.memory.browse.subjects(request.limit)
    return SubjectList(tuple(map(_summary, found)), caller.memory.browse.subject_count())


def subject(caller: Caller, request: SubjectRequest) -> SubjectDetails:
    page, items = caller.memory.browse.subject(request.name, request.limit)
    attributes = tuple(
        SubjectAttribute(
            history.attribute,
            tuple(
                SubjectStatement(
                    statement.item_id,
                    statement.value,
                    statement.text,
                    timestamp(statement.since),
                    moment_view(statement.until),
                )
                for statement in history.statements
            ),
            history.total,
        )
        for history in page.attributes
    )
    return SubjectDetails(
        _summary(page.subject), attributes, tuple(memory_view(caller, item) for item in items), len(page.item_ids),
        tuple(map(_link, page.links)),
    )  # fmt: skip


def relations(caller: Caller, request: RelationsRequest) -> RelationGraph:
    graph = caller.memory.browse.relations(request.name, request.hops, request.limit)
    return RelationGraph(tuple(map(_summary, graph.subjects)), tuple(map(_link, graph.links)), graph.total)


def turns(caller: Caller, request: TurnListRequest) -> TurnPage:
    found = caller.memory.browse.turns(request.limit, request.before)
    last = found[-1].turn_id if len(found) == request.limit else None
    return TurnPage(tuple(_decided_turn(caller, turn) for turn in found), last)


def _decided_turn(caller: Caller, turn: PendingTurn) -> DecidedTurn:
    saved = None if turn.saved_id is None else _memory_or_none(caller, turn.saved_id)
    fetched = tuple(FetchedMemory(hit.item_id, _text_or_none(caller, hit.item_id)) for hit in turn.hits)
    state = turn.state[-_STATE_SIZE:]  # a rich state has the sentence's vector before it
    signs = tuple(name for place, name in _SIGNS.items() if place < len(state) and state[place] > 0)
    return DecidedTurn(
        turn.turn_id, turn.session_id, timestamp(turn.at), turn.action, turn.reason, saved, fetched, signs,
        turn.learned is not turn.usual and turn.action is turn.learned, turn.reward,
        turn.is_judged_by_user,
    )  # fmt: skip


def _memory_or_none(caller: Caller, item_id: str) -> Memory | None:
    try:
        return memory_view(caller, caller.memory.get(item_id))
    except NotFoundError:
        return None


def _text_or_none(caller: Caller, item_id: str) -> str | None:
    try:
        return caller.memory.get(item_id).content
    except NotFoundError:
        return None


def _summary(one: KnownSubject) -> SubjectSummary:
    return SubjectSummary(one.key, one.name, one.kind, one.memories, timestamp(one.last_at), one.aliases)


def _link(tie: Tie) -> SubjectLink:
    return SubjectLink(tie.source, tie.target, tie.predicate, tie.memories)


def groups(caller: Caller, request: GroupsRequest) -> MemoryGroups:
    found = caller.memory.browse.groups(request.by, request.most)
    return MemoryGroups(tuple(GroupedMemories(group.name, group.item_ids) for group in found))


OPERATIONS = (
    Operation(
        "memory_table", "All memories as a table: sorted, filtered and counted, page by page.",
        TableRequest, MemoryTable, table, Route("POST", "/memories/table"), tool=False,
    ),
    Operation(
        "subject_list", "The people and things that memories tell of, the user first, then the most told of.",
        SubjectListRequest, SubjectList, subjects, Route("GET", "/subjects"), tool=False,
    ),
    Operation(
        "subject_show", "What is known about a person or a thing, by attribute and with its history.",
        SubjectRequest, SubjectDetails, subject, Route("GET", "/subjects/{name}"), tool=False,
    ),
    Operation(
        "memory_groups", "The memories of the most told of people, or of each project, for a picture.",
        GroupsRequest, MemoryGroups, groups, Route("GET", "/orbits/groups"), tool=False,
    ),
    Operation(
        "relation_graph", "Who and what is tied to whom, around one of them or among the most told of.",
        RelationsRequest, RelationGraph, relations, Route("GET", "/relations"), tool=False,
    ),
    Operation(
        "turn_list", "The last turns that were decided about: kept, skipped or answered from memory.",
        TurnListRequest, TurnPage, turns, Route("GET", "/turns"), tool=False,
    ),
)  # fmt: skip
