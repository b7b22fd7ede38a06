"""The approved self: islands, beliefs, versions and SOUL.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from celestial_engine.core.record.events import timestamp
from celestial_engine.core.self.beliefs import Belief as CoreBelief
from celestial_engine.core.self.islands import Island as CoreIsland
from celestial_engine.core.self.islands import IslandStatus
from celestial_engine.core.self.proposals import Channel, ProposalKind
from celestial_engine.core.self.self_state import SelfVersion
from celestial_engine.surfaces.operations.declaration import (
    LOCAL,
    About,
    Caller,
    Command,
    Effect,
    Operation,
    Route,
    Scope,
)
from celestial_engine.surfaces.operations.fields import (
    Budget,
    EmptyRequest,
    Limit,
    StrictRequest,
)
from celestial_engine.surfaces.operations.proposals import ProposalId, ProposalList, proposal_view, speaker, who
from celestial_engine.surfaces.operations.reading import EventPage
from celestial_engine.surfaces.operations.views import event_view, view_of


@dataclass(frozen=True)
class SelfVersionsRequest(StrictRequest):
    limit: Limit = 50


@dataclass(frozen=True)
class SelfContextRequest(StrictRequest):
    budget: Budget = 400


@dataclass(frozen=True)
class SoulFileRequest(StrictRequest):
    path: Annotated[str | None, About("the file; SOUL.md of the settings if left out")] = None


@dataclass(frozen=True)
class SoulTextRequest(StrictRequest):
    text: Annotated[str, About("SOUL.md as `soul_show` gives it, with your edits; lines keep their marks")]


@dataclass(frozen=True)
class SoulFile:
    path: str


@dataclass(frozen=True)
class Island:
    id: str
    name: str
    emoji: str
    description: str
    status: IslandStatus
    strength: float
    founders: tuple[str, ...]


@dataclass(frozen=True)
class Belief:
    id: str
    statement: str
    confidence: float
    supports: tuple[str, ...]
    island: str | None
    formed_at: str


@dataclass(frozen=True)
class Self:
    version: int
    islands: tuple[Island, ...] = field(default=())
    beliefs: tuple[Belief, ...] = field(default=())


@dataclass(frozen=True)
class ApprovedSelf:
    """The self after an approval, and whose word that was."""

    version: int
    at: str
    proposal: ProposalId
    kind: ProposalKind
    by: str
    channel: Channel
    formed: Annotated[int, About("how many parts came with it")]
    altered: Annotated[int, About("how many parts it changed or ended")]
    islands: tuple[Island, ...]
    beliefs: tuple[Belief, ...]


@dataclass(frozen=True)
class SelfVersions:
    versions: tuple[ApprovedSelf, ...]


@dataclass(frozen=True)
class TextDocument:
    text: str


def self_(caller: Caller, request: EmptyRequest) -> Self:
    versions = caller.memory.self.versions()
    return Self(
        versions[0].version if versions else 0,
        tuple(map(_island, caller.memory.self.islands())),
        tuple(map(_belief, caller.memory.self.beliefs())),
    )


def versions(caller: Caller, request: SelfVersionsRequest) -> SelfVersions:
    return SelfVersions(tuple(map(_version, caller.memory.self.versions()[: request.limit])))


def context(caller: Caller, request: SelfContextRequest) -> TextDocument:
    return TextDocument(caller.memory.self.context(request.budget))


def soul(caller: Caller, request: EmptyRequest) -> TextDocument:
    return TextDocument(caller.memory.self.soul())


def notices(caller: Caller, request: SelfVersionsRequest) -> EventPage:
    return EventPage(tuple(map(event_view, caller.memory.ledger.notices(request.limit))))


def soul_write(caller: Caller, request: SoulFileRequest) -> SoulFile:
    return SoulFile(caller.memory.self.write_soul(request.path))


def soul_read(caller: Caller, request: SoulFileRequest) -> ProposalList:
    return ProposalList(tuple(map(proposal_view, caller.memory.self.read_soul(request.path))))


def soul_diff(caller: Caller, request: SoulFileRequest) -> TextDocument:
    return TextDocument(caller.memory.self.soul_diff(request.path))


def soul_propose(caller: Caller, request: SoulTextRequest) -> ProposalList:
    found = caller.memory.self.propose_soul(request.text, by=who(caller), channel=speaker(caller))
    return ProposalList(tuple(map(proposal_view, found)))


def _island(island: CoreIsland) -> Island:
    return view_of(Island, island, strength=round(island.strength, 4))


def _version(one: SelfVersion) -> ApprovedSelf:
    islands, beliefs = tuple(map(_island, one.islands)), tuple(map(_belief, one.beliefs))
    return view_of(ApprovedSelf, one, at=timestamp(one.at), islands=islands, beliefs=beliefs)


def _belief(belief: CoreBelief) -> Belief:
    return view_of(Belief, belief, formed_at=timestamp(belief.formed_at))


OPERATIONS = (
    Operation(
        "self_show", "The approved self: personality islands and beliefs.",
        EmptyRequest, Self, self_, Route("GET", "/self"), tool=False, commands=(Command("self"),
        Command("self show")),
    ),
    Operation(
        "self_versions", "Every version of the self that was approved, newest first, and by whose word.",
        SelfVersionsRequest, SelfVersions, versions, Route("GET", "/self/versions"), tool=False,
        commands=(Command("self versions"),),
    ),
    Operation(
        "self_context", "Who you are, as the user approved it, for your own prompt.",
        SelfContextRequest, TextDocument, context, Route("GET", "/self/context"), commands=(Command("self context",
        options={"budget": "--tokens"}),),
    ),
    Operation(
        "soul_show", "SOUL.md: the approved self as a page.",
        EmptyRequest, TextDocument, soul, Route("GET", "/self/soul"), tool=False, commands=(Command("soul"),
        Command("soul show")),
    ),
    Operation(
        "soul_propose", "Propose every edit in a text of SOUL.md; the user decides on each of them.",
        SoulTextRequest, ProposalList, soul_propose, Route("POST", "/self/soul"), Scope.WRITE, Effect.ADDS,
        tool=False,
    ),
)  # fmt: skip

LOCAL_OPERATIONS = (
    Operation(
        "self_notices", "What the user was told about the self, newest first.",
        SelfVersionsRequest, EventPage, notices, LOCAL, tool=False, commands=(Command("self notices"),),
    ),
    Operation(
        "soul_write", "Write SOUL.md: the approved self as a file.",
        SoulFileRequest, SoulFile, soul_write, LOCAL, Scope.WRITE, tool=False, commands=(Command("soul write"),),
    ),
    Operation(
        "soul_read", "Read what was edited in SOUL.md, as proposals; the user decides.",
        SoulFileRequest, ProposalList, soul_read, LOCAL, Scope.WRITE, Effect.ADDS, tool=False,
        commands=(Command("soul read"),),
    ),
    Operation(
        "soul_diff", "What writing SOUL.md would change in the file.",
        SoulFileRequest, TextDocument, soul_diff, LOCAL, tool=False, commands=(Command("soul diff"),),
    ),
)  # fmt: skip
