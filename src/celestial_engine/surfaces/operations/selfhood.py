"""The self: whoever may write may propose, only the user's word decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from celestial_engine.core.record.events import timestamp
from celestial_engine.core.self.beliefs import Belief as HeldBelief
from celestial_engine.core.self.islands import Island as StandingIsland
from celestial_engine.core.self.islands import IslandStatus
from celestial_engine.core.self.proposals import Channel, ProposalKind, ProposalStatus
from celestial_engine.core.self.proposals import Proposal as PutProposal
from celestial_engine.core.self.self_state import SelfVersion
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Budget, Id, Limit, Nothing, Strict

ProposalId = Annotated[str, About("the id of a proposal")]


@dataclass(frozen=True)
class Inbox(Strict):
    status: Annotated[ProposalStatus | None, About("only these; null: all")] = ProposalStatus.PENDING
    limit: Limit = 50


@dataclass(frozen=True)
class OneProposal(Strict):
    proposal: ProposalId


@dataclass(frozen=True)
class Approve(Strict):
    proposal: ProposalId
    token: Annotated[str | None, About("from proposal_open; left out where a client asks its user")] = None


@dataclass(frozen=True)
class ProposeCore(Strict):
    id: Id


@dataclass(frozen=True)
class ProposeIsland(Strict):
    name: Annotated[str, About("a short name of the trait")]
    founders: Annotated[tuple[str, ...], About("ids of core memories")]
    emoji: Annotated[str, About("one sign")] = ""
    description: Annotated[str, About("what it means, in one sentence")] = ""


@dataclass(frozen=True)
class ProposeBelief(Strict):
    statement: Annotated[str, About('one sentence: "I am ..." or "나는 ...한 존재다"')]
    supports: Annotated[tuple[str, ...], About("ids of memories of the tiers M365 or M0 that hold it up")]
    island: Annotated[str | None, About("the id of its island")] = None


@dataclass(frozen=True)
class Rollback(Strict):
    version: Annotated[int, About("a version of the self; 0 is before the first", 0)]


@dataclass(frozen=True)
class Some(Strict):
    limit: Limit = 50


@dataclass(frozen=True)
class Context(Strict):
    budget: Budget = 400


@dataclass(frozen=True)
class Change:
    on: str
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


@dataclass(frozen=True)
class Proposal:
    """A change of the self that waits for the user's word, or did."""

    id: str
    kind: ProposalKind
    status: ProposalStatus
    changes: tuple[Change, ...]
    reasons: dict[str, Any]
    evidence: Annotated[tuple[str, ...], About("ids of memories")]
    proposed_at: str
    expires_at: str
    proposed_by: str
    channel: Channel
    decided_at: str | None = None
    decided_by: str | None = None


@dataclass(frozen=True)
class Proposals:
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True)
class Opened:
    proposal: Proposal
    token: Annotated[str, About("good once, for exactly this diff")]


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
class SelfThen:
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
    versions: tuple[SelfThen, ...]


@dataclass(frozen=True)
class Text:
    text: str


def inbox(caller: Caller, asked: Inbox) -> Proposals:
    return Proposals(tuple(map(_view, caller.memory.self.inbox(asked.status, asked.limit))))


def show(caller: Caller, asked: OneProposal) -> Proposal:
    return _view(caller.memory.self.proposal(asked.proposal))


def opened(caller: Caller, asked: OneProposal) -> Opened:
    found = caller.memory.self.proposal(asked.proposal)
    return Opened(_view(found), caller.memory.self.approval_token(found.id, channel=caller.channel))


def approve(caller: Caller, asked: Approve) -> Proposal:
    token = asked.token
    if token is None:
        if not caller.channel.startswith(Channel.MCP.value):  # there the user has just seen the diff
            raise InvalidInputError("token", Reason.OPEN_FIRST)
        token = caller.memory.self.approval_token(asked.proposal, channel=caller.channel)
    return _view(caller.memory.self.approve(asked.proposal, token, by=_who(caller), channel=caller.channel))


def reject(caller: Caller, asked: OneProposal) -> Proposal:
    return _view(caller.memory.self.reject(asked.proposal, by=_who(caller), channel=caller.channel))


def propose_core(caller: Caller, asked: ProposeCore) -> Proposal:
    return _view(caller.memory.self.propose.core(asked.id, by=_who(caller), channel=_speaker(caller)))


def propose_island(caller: Caller, asked: ProposeIsland) -> Proposal:
    return _view(
        caller.memory.self.propose.island(
            asked.name,
            asked.founders,
            emoji=asked.emoji,
            description=asked.description,
            by=_who(caller),
            channel=_speaker(caller),
        )
    )


def propose_belief(caller: Caller, asked: ProposeBelief) -> Proposal:
    return _view(
        caller.memory.self.propose.belief(
            asked.statement, asked.supports, island=asked.island, by=_who(caller), channel=_speaker(caller)
        )
    )


def rollback(caller: Caller, asked: Rollback) -> Proposal:
    return _view(caller.memory.self.propose.rollback(asked.version, by=_who(caller), channel=_speaker(caller)))


def self_(caller: Caller, asked: Nothing) -> Self:
    versions = caller.memory.self.versions()
    return Self(
        versions[0].version if versions else 0,
        tuple(map(_island, caller.memory.self.islands())),
        tuple(map(_belief, caller.memory.self.beliefs())),
    )


def versions(caller: Caller, asked: Some) -> SelfVersions:
    return SelfVersions(tuple(map(_version, caller.memory.self.versions()[: asked.limit])))


def context(caller: Caller, asked: Context) -> Text:
    return Text(caller.memory.self.context(asked.budget))


def soul(caller: Caller, asked: Nothing) -> Text:
    return Text(caller.memory.self.soul())


def _who(caller: Caller) -> str:
    return f"{caller.owner.user_id} ({caller.channel})"


def _speaker(caller: Caller) -> Channel:
    """At the dashboard the user proposes; whoever holds a token may be anybody."""
    return Channel.DASHBOARD if caller.channel == Channel.DASHBOARD.value else Channel.AGENT


def _view(one: PutProposal) -> Proposal:
    return Proposal(
        one.id, one.kind, one.status,
        tuple(Change(change.on.value, change.id, change.before, change.after) for change in one.changes),
        one.reasons, one.evidence, timestamp(one.proposed_at), timestamp(one.expires_at), one.proposed_by,
        one.channel,
        None if one.decided_at is None else timestamp(one.decided_at), one.decided_by,
    )  # fmt: skip


def _island(island: StandingIsland) -> Island:
    return Island(
        island.id, island.name, island.emoji, island.description, island.status, round(island.strength, 4),
        island.founders,
    )  # fmt: skip


def _version(one: SelfVersion) -> SelfThen:
    return SelfThen(
        one.version, timestamp(one.at), one.proposal, one.kind, one.by, one.channel, one.formed, one.altered,
        tuple(map(_island, one.islands)), tuple(map(_belief, one.beliefs)),
    )  # fmt: skip


def _belief(belief: HeldBelief) -> Belief:
    return Belief(
        belief.id, belief.statement, belief.confidence, belief.supports, belief.island, timestamp(belief.formed_at)
    )


OPERATIONS = (
    Operation(
        "inbox_list", "What waits for the user's word: core memories, islands, beliefs.",
        Inbox, Proposals, inbox, Route("GET", "/inbox"), command="inbox",
    ),
    Operation(
        "proposal_show", "One proposal: what it would change, why, and on what ground.",
        OneProposal, Proposal, show, Route("GET", "/inbox/{proposal}"), tool=False, command="inbox",
    ),
    Operation(
        "proposal_open", "One proposal with a token to approve it by: good once, for exactly this diff.",
        OneProposal, Opened, opened, Route("POST", "/inbox/{proposal}/open"), Scope.APPROVE, Effect.ADDS,
        tool=False, command="approve",
    ),
    Operation(
        "proposal_approve", "Carry out a proposal, on the user's own word and never without it.",
        Approve, Proposal, approve, Route("POST", "/inbox/{proposal}/approve"), Scope.APPROVE, Effect.ADDS,
        command="approve",
    ),
    Operation(
        "proposal_reject", "Turn a proposal down, on the user's own word.",
        OneProposal, Proposal, reject, Route("POST", "/inbox/{proposal}/reject"), Scope.APPROVE, Effect.ADDS,
        tool=False, command="reject",
    ),
    Operation(
        "propose_core", "Propose a memory that has lasted as a core memory; the user decides.",
        ProposeCore, Proposal, propose_core, Route("POST", "/proposals/core"), Scope.WRITE, Effect.ADDS, True,
        tool=False, command="self core",
    ),
    Operation(
        "propose_island", "Propose a personality island founded by core memories; the user decides.",
        ProposeIsland, Proposal, propose_island, Route("POST", "/proposals/island"), Scope.WRITE, Effect.ADDS, True,
        tool=False, command="self island",
    ),
    Operation(
        "propose_belief", "Propose a belief about who you are, held up by lasting memories; the user decides.",
        ProposeBelief, Proposal, propose_belief, Route("POST", "/proposals/belief"), Scope.WRITE, Effect.ADDS, True,
        command="self belief",
    ),
    Operation(
        "propose_rollback", "Propose to go back to an earlier version of the self; the user decides.",
        Rollback, Proposal, rollback, Route("POST", "/proposals/rollback"), Scope.WRITE, Effect.ADDS, True,
        tool=False, command="self rollback",
    ),
    Operation(
        "self_show", "The approved self: personality islands and beliefs.",
        Nothing, Self, self_, Route("GET", "/self"), tool=False, command="self",
    ),
    Operation(
        "self_versions", "Every version of the self that was approved, newest first, and by whose word.",
        Some, SelfVersions, versions, Route("GET", "/self/versions"), tool=False, command="self versions",
    ),
    Operation(
        "self_context", "Who you are, as the user approved it, for your own prompt.",
        Context, Text, context, Route("GET", "/self/context"), command="self context",
    ),
    Operation(
        "soul_show", "SOUL.md: the approved self as a page.",
        Nothing, Text, soul, Route("GET", "/self/soul"), tool=False, command="soul",
    ),
)  # fmt: skip
