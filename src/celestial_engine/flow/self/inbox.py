"""The inbox that proposals are put into. Every proposing stage uses it; nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.proposals import (
    DECIDE_WITHIN,
    MOST_PENDING,
    MOST_REASONING,
    Change,
    Channel,
    Part,
    Proposal,
    ProposalKind,
    ProposalStatus,
)
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.ports import ItemStore, Reader, Writer


@dataclass(frozen=True)
class ProposalDraft:
    """A proposal before it is put into the inbox."""

    kind: ProposalKind
    changes: tuple[Change, ...]
    about: str
    evidence: tuple[str, ...] = ()
    reasons: dict[str, Any] = field(default_factory=dict)
    confidence: float | None = None
    decide_within: timedelta = DECIDE_WITHIN


Make = Callable[[Writer, Owner], ProposalDraft]


def propose(store: ItemStore, owner: Owner, make: Make, by: str, channel: Channel, now: float) -> Proposal:
    """Make and put one proposal in the same transaction."""
    with store.write(owner) as session:
        return put(session, owner, make(session, owner), by, channel, now)


def put(session: Writer, owner: Owner, draft: ProposalDraft, by: str, channel: Channel, now: float) -> Proposal:
    """Put a draft into the inbox; a proposal that waits already is not added twice."""
    if not draft.changes or all(change.before == change.after for change in draft.changes):
        raise InvalidInputError("proposal", Reason.NOTHING_CHANGES)
    proposal = Proposal(
        uuid4().hex[:12], draft.kind, draft.changes, now, now + draft.decide_within.total_seconds(), by, channel,
        draft.about, draft.reasons, draft.evidence, draft.confidence, owner=owner,
    )  # fmt: skip
    if len(proposal.diff) > MOST_REASONING:
        raise InvalidInputError("proposal", Reason.TOO_LONG, most=MOST_REASONING)
    waiting = same_pending(session, owner, proposal, now)
    if waiting is not None:
        return waiting
    if not channel.is_the_users and _was_rejected(session, owner, proposal):
        raise InvalidInputError("proposal", Reason.REJECTED_BEFORE)
    crowded = len(session.self.proposals(owner, ProposalStatus.PENDING, MOST_PENDING)) >= MOST_PENDING
    if crowded and not channel.is_the_users:  # flooding the inbox must not lock out the user
        raise InvalidInputError("proposal", Reason.INBOX_FULL, count=MOST_PENDING)
    session.self.put_proposal(owner, proposal)
    session.ledger.record(Event(EventType.PROPOSED, owner, now, None, detail_of(proposal, by, channel)))
    return proposal


def same_pending(session: Reader, owner: Owner, proposal: Proposal, now: float) -> Proposal | None:
    for other in session.self.proposals_about(owner, proposal.about):
        pending = other.status is ProposalStatus.PENDING and not other.is_over(now)
        if pending and (other.kind, _diff_without_ids(other)) == (proposal.kind, _diff_without_ids(proposal)):
            return other
    return None


def _diff_without_ids(proposal: Proposal) -> list[tuple[Part, Any, Any]]:
    """Return the diff without ids, which are new every time."""
    return [(change.on, change.before, change.after) for change in proposal.changes]


def _was_rejected(session: Reader, owner: Owner, proposal: Proposal) -> bool:
    """Return whether it was rejected and does not have twice the evidence now."""
    before = session.self.proposals_about(owner, proposal.about)
    rejected = [
        earlier for earlier in before if earlier.status is ProposalStatus.REJECTED and earlier.kind is proposal.kind
    ]
    return any(len(proposal.evidence) < 2 * max(1, len(earlier.evidence)) for earlier in rejected)


def detail_of(proposal: Proposal, by: str, channel: Channel) -> dict[str, Any]:
    """Return the ledger detail of a proposal: ids, no texts."""
    memory = [change.id for change in proposal.changes if change.on is Part.MEMORY]
    detail = {"proposal": proposal.id, "what": proposal.kind.value, "who": by, "channel": channel.value}
    return {**detail, "memory": memory[0]} if memory else detail


def expire_proposals(session: Writer, owner: Owner, now: float) -> int:
    """Expire proposals that were not decided in time, or whose memory was purged."""
    ended = 0
    for proposal in session.self.proposals(owner, ProposalStatus.PENDING, MOST_PENDING):
        status = ProposalStatus.EXPIRED if proposal.is_over(now) else None
        if not proposal.changes:
            status = ProposalStatus.WITHDRAWN
        if status is not None:
            session.self.put_proposal(owner, replace(proposal, status=status, decided_at=now, nonce=None))
            detail = {"proposal": proposal.id, "what": proposal.kind.value, "status": status.value}
            session.ledger.record(Event(EventType.PROPOSAL_ENDED, owner, now, None, detail))
            ended += 1
    return ended


def log_refusal(store: ItemStore, owner: Owner, now: float, why: str, **detail: Any) -> None:
    """Log a refused attempt; nothing else of it is stored."""
    with store.write(owner) as session:
        session.ledger.record(Event(EventType.REFUSED, owner, now, None, {"why": why, **detail}))
