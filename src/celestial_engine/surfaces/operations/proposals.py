"""Proposals: every caller that may write may propose; only the user decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from celestial_engine.core.record.events import timestamp
from celestial_engine.core.self.proposals import Channel, ProposalKind, ProposalStatus
from celestial_engine.core.self.proposals import Proposal as CoreProposal
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import (
    About,
    Caller,
    Command,
    Effect,
    Operation,
    Route,
    Scope,
)
from celestial_engine.surfaces.operations.fields import EmptyRequest, Id, Limit, MemoryIdRequest, StrictRequest
from celestial_engine.surfaces.operations.views import (
    Memory,
    MemoryPage,
    memory_view,
    moment_view,
    page_view,
    view_of,
)

ProposalId = Annotated[str, About("the id of a proposal")]


@dataclass(frozen=True)
class InboxRequest(StrictRequest):
    status: Annotated[ProposalStatus | None, About("only these; null: all")] = ProposalStatus.PENDING
    limit: Limit = 50


@dataclass(frozen=True)
class ProposalIdRequest(StrictRequest):
    proposal: ProposalId


@dataclass(frozen=True)
class ApproveProposalRequest(StrictRequest):
    proposal: ProposalId
    token: Annotated[str | None, About("from proposal_open; left out where a client asks its user")] = None


@dataclass(frozen=True)
class ProposeIslandRequest(StrictRequest):
    name: Annotated[str, About("a short name of the trait")]
    founders: Annotated[tuple[Id, ...], About("ids of core memories")]
    emoji: Annotated[str, About("one sign")] = ""
    description: Annotated[str, About("what it means, in one sentence")] = ""


@dataclass(frozen=True)
class ProposeBeliefRequest(StrictRequest):
    statement: Annotated[str, About('one sentence: "I am ..." or "나는 ...한 존재다"')]
    supports: Annotated[tuple[Id, ...], About("ids of memories of the tiers M365 or M0 that hold it up")]
    island: Annotated[str | None, About("the id of its island")] = None


@dataclass(frozen=True)
class SelfRollbackRequest(StrictRequest):
    version: Annotated[int, About("a version of the self; 0 is before the first", 0)]


@dataclass(frozen=True)
class ChangeCoreRequest(StrictRequest):
    id: Id
    content: Annotated[str, About("the new text of the core memory")]


@dataclass(frozen=True)
class ProposedChange:
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
    changes: tuple[ProposedChange, ...]
    reasons: dict[str, Any]
    evidence: Annotated[tuple[str, ...], About("ids of memories")]
    proposed_at: str
    expires_at: str
    proposed_by: str
    channel: Channel
    decided_at: str | None = None
    decided_by: str | None = None
    decided_through: str | None = None


@dataclass(frozen=True)
class ProposalList:
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True)
class OpenedProposal:
    proposal: Proposal
    token: Annotated[str, About("good once, for exactly this diff")]
    limit: Annotated[
        str | None, About("why approving would be refused now: too much changed today; null: it would not")
    ]


def nominations(caller: Caller, request: EmptyRequest) -> MemoryPage:
    return page_view(caller, caller.memory.self.nominations())


def approve_core(caller: Caller, request: MemoryIdRequest) -> Memory:
    by = f"{caller.owner.user_id} ({caller.channel})"
    return memory_view(caller, caller.memory.self.approve_core(request.id, by=by, channel=caller.channel))


def inbox(caller: Caller, request: InboxRequest) -> ProposalList:
    return ProposalList(tuple(map(proposal_view, caller.memory.self.inbox(request.status, request.limit))))


def show(caller: Caller, request: ProposalIdRequest) -> Proposal:
    return proposal_view(caller.memory.self.proposal(request.proposal))


def opened(caller: Caller, request: ProposalIdRequest) -> OpenedProposal:
    found = caller.memory.self.proposal(request.proposal)
    limit = caller.message(caller.memory.self.limit_problem(found.id))
    token = caller.memory.self.approval_token(found.id, channel=caller.channel)
    return OpenedProposal(proposal_view(found), token, limit)


def approve(caller: Caller, request: ApproveProposalRequest) -> Proposal:
    token = request.token
    if token is None:
        # Over MCP the user has just seen the diff; at the command line they are the one who types.
        if not (caller.local or caller.channel.startswith(Channel.MCP.value)):
            raise InvalidInputError("token", Reason.OPEN_FIRST)
        token = caller.memory.self.approval_token(request.proposal, channel=caller.channel)
    return proposal_view(caller.memory.self.approve(request.proposal, token, by=who(caller), channel=caller.channel))


def reject(caller: Caller, request: ProposalIdRequest) -> Proposal:
    return proposal_view(caller.memory.self.reject(request.proposal, by=who(caller), channel=caller.channel))


def propose_core(caller: Caller, request: MemoryIdRequest) -> Proposal:
    return proposal_view(caller.memory.self.propose.core(request.id, by=who(caller), channel=speaker(caller)))


def propose_island(caller: Caller, request: ProposeIslandRequest) -> Proposal:
    return proposal_view(
        caller.memory.self.propose.island(
            request.name, request.founders, emoji=request.emoji, description=request.description, by=who(caller),
            channel=speaker(caller)
        )
    )  # fmt: skip


def propose_belief(caller: Caller, request: ProposeBeliefRequest) -> Proposal:
    return proposal_view(
        caller.memory.self.propose.belief(
            request.statement, request.supports, island=request.island, by=who(caller), channel=speaker(caller)
        )
    )  # fmt: skip


def rollback(caller: Caller, request: SelfRollbackRequest) -> Proposal:
    return proposal_view(
        caller.memory.self.propose.rollback(request.version, by=who(caller), channel=speaker(caller))
    )


def change_core(caller: Caller, request: ChangeCoreRequest) -> Proposal:
    proposal = caller.memory.self.propose.core_change(
        request.id, request.content, by=who(caller), channel=speaker(caller)
    )
    return proposal_view(proposal)


def forget_core(caller: Caller, request: MemoryIdRequest) -> Proposal:
    proposal = caller.memory.self.propose.core_deletion(request.id, by=who(caller), channel=speaker(caller))
    return proposal_view(proposal)


def who(caller: Caller) -> str:
    return caller.owner.user_id if caller.local else f"{caller.owner.user_id} ({caller.channel})"


def speaker(caller: Caller) -> Channel:
    """At the dashboard and the command line the user proposes; the holder of a token may be anyone."""
    if caller.local:
        return Channel.CLI
    return Channel.DASHBOARD if caller.channel == Channel.DASHBOARD.value else Channel.AGENT


def proposal_view(one: CoreProposal) -> Proposal:
    return view_of(
        Proposal, one, proposed_at=timestamp(one.proposed_at), expires_at=timestamp(one.expires_at),
        decided_at=moment_view(one.decided_at),
        decided_through=None if one.decided_through is None else one.decided_through.value,
        changes=tuple(view_of(ProposedChange, change, on=change.on.value) for change in one.changes),
    )  # fmt: skip


OPERATIONS = (
    Operation(
        "inbox_list", "What waits for the user's word: core memories, islands, beliefs.",
        InboxRequest, ProposalList, inbox, Route("GET", "/inbox"),
        commands=(Command("inbox", hidden=("status",)), Command("inbox", switch="--all", values={"status": None},
        hidden=("status",)),),
    ),
    Operation(
        "proposal_show", "One proposal: what it would change, why, and on what ground.",
        ProposalIdRequest, Proposal, show, Route("GET", "/inbox/{proposal}"), tool=False, commands=(Command("inbox",
        ("proposal",)),),
    ),
    Operation(
        "proposal_open", "One proposal with a token to approve it by: good once, for exactly this diff.",
        ProposalIdRequest, OpenedProposal, opened, Route("POST", "/inbox/{proposal}/open"), Scope.APPROVE,
        Effect.ADDS,
        tool=False, commands=(Command("approve", by_hand=True),),
    ),
    Operation(
        "proposal_approve", "Carry out a proposal, on the user's own word and never without it.",
        ApproveProposalRequest, Proposal, approve, Route("POST", "/inbox/{proposal}/approve"), Scope.APPROVE,
        Effect.ADDS,
        commands=(Command("approve", by_hand=True),),
    ),
    Operation(
        "proposal_reject", "Turn a proposal down, on the user's own word.",
        ProposalIdRequest, Proposal, reject, Route("POST", "/inbox/{proposal}/reject"), Scope.APPROVE, Effect.ADDS,
        tool=False, commands=(Command("reject", ("proposal",), each=True),),
    ),
    Operation(
        "propose_core", "Propose a memory that has lasted as a core memory; the user decides.",
        MemoryIdRequest, Proposal, propose_core, Route("POST", "/proposals/core"), Scope.WRITE, Effect.ADDS, True,
        tool=False, commands=(Command("self core", ("id",)),),
    ),
    Operation(
        "propose_core_change", "Propose a new text for a core memory; the user decides.",
        ChangeCoreRequest, Proposal, change_core, Route("POST", "/proposals/core-change"), Scope.WRITE, Effect.ADDS,
        True,
        tool=False, commands=(Command("self change", ("id", "content"), joined=True),),
    ),
    Operation(
        "propose_core_deletion", "Propose to let a core memory go; the user decides.",
        MemoryIdRequest, Proposal, forget_core, Route("POST", "/proposals/core-deletion"), Scope.WRITE, Effect.ADDS,
        True,
        tool=False, commands=(Command("self forget", ("id",)),),
    ),
    Operation(
        "propose_island", "Propose a personality island founded by core memories; the user decides.",
        ProposeIslandRequest, Proposal, propose_island, Route("POST", "/proposals/island"), Scope.WRITE, Effect.ADDS,
        True,
        tool=False, commands=(Command("self island", ("name", "founders")),),
    ),
    Operation(
        "propose_belief", "Propose a belief about who you are, held up by lasting memories; the user decides.",
        ProposeBeliefRequest, Proposal, propose_belief, Route("POST", "/proposals/belief"), Scope.WRITE, Effect.ADDS,
        True,
        commands=(Command("self belief", ("statement", "supports")),),
    ),
    Operation(
        "propose_rollback", "Propose to go back to an earlier version of the self; the user decides.",
        SelfRollbackRequest, Proposal, rollback, Route("POST", "/proposals/rollback"), Scope.WRITE, Effect.ADDS, True,
        tool=False, commands=(Command("self rollback", ("version",)),),
    ),
    Operation(
        "core_nominations",
        "Memories that could become core memories, which are never forgotten, if the user agrees.",
        EmptyRequest, MemoryPage, nominations, Route("GET", "/nominations"), commands=(Command("approve",
        by_hand=True),),
    ),
    Operation(
        "core_approve", "Make a nominated memory a core memory, on the user's own word and never without it.",
        MemoryIdRequest, Memory, approve_core, Route("POST", "/nominations/{id}/approve"), Scope.APPROVE, Effect.ADDS,
        True,
        commands=(Command("approve", by_hand=True),),
    ),
)  # fmt: skip
