"""approve and reject: the user's decision and its effect, in one transaction. Refused attempts stay logged."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason, Protection, State
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Tier, TierReason, expiry
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.beliefs import (
    APPROVED,
    LOST_SUPPORT,
    REJECTED,
    STARTS_AT,
    Belief,
    adjusted_confidence,
)
from celestial_engine.core.self.islands import FIRST_STRENGTH, Island
from celestial_engine.core.self.proposals import (
    LASTING,
    Change,
    Channel,
    Part,
    Proposal,
    ProposalKind,
    ProposalStatus,
    digest_of_text,
    is_token_for,
    token_for,
)
from celestial_engine.core.self.self_state import SelfVersion, weight
from celestial_engine.errors import (
    ApprovalError,
    ApprovalTokenError,
    DecidedError,
    NotTheUserError,
    ProposalChangedError,
    ProposalExpiredError,
    ProposalNotFoundError,
    Reason,
    Thing,
    TooMuchChangeError,
)
from celestial_engine.flow.base.owner_time import owner_time
from celestial_engine.flow.base.placement import move_to_cliff, place_again
from celestial_engine.flow.self.inbox import detail_of, log_refusal
from celestial_engine.flow.self.tend import core_memories, is_core, over_the_limit, self_of, tend, write_notice
from celestial_engine.flow.turn.record import Rewording
from celestial_engine.ports import ItemStore, Reader, Writer

_MOST_TOPICS = 8


@dataclass(frozen=True)
class UserDecision:
    """Who decided, and through which channel."""

    by: str
    channel: Channel
    session_id: str | None = None


def issue_token(store: ItemStore, owner: Owner, proposal_id: str, channel: Channel, now: float) -> str:
    """Issue a token for the current diff; earlier tokens become invalid."""
    try:
        with store.write(owner) as session:
            proposal = _open(session, owner, proposal_id, channel, now)
            nonce = secrets.token_hex(16)
            session.self.put_proposal(owner, replace(proposal, nonce=nonce))
            return token_for(proposal, nonce)
    except (ApprovalError, ProposalNotFoundError) as error:
        log_refusal(store, owner, now, error.code, proposal=proposal_id[:40], channel=channel.value)
        raise


def approve(
    store: ItemStore,
    law: Law,
    owner: Owner,
    proposal_id: str,
    token: str,
    decision: UserDecision,
    now: float,
    reworded: Rewording | None = None,
) -> Proposal:
    """Apply a proposal completely or not at all."""
    try:
        with store.write(owner) as session:
            proposal = _open(session, owner, proposal_id, decision.channel, now)
            if not is_token_for(proposal, token):
                raise ApprovalTokenError(proposal=proposal_id)
            return _carried_out(session, law, owner, proposal, decision, now, reworded)
    except (ApprovalError, ProposalNotFoundError) as error:
        log_refusal(
            store, owner, now, error.code, proposal=proposal_id[:40], who=decision.by, channel=decision.channel.value
        )
        raise


def reject(
    store: ItemStore, law: Law, owner: Owner, proposal_id: str, decision: UserDecision, now: float
) -> Proposal:
    """Reject a proposal; a belief that is proposed again starts with less confidence.

    A lasting fact that the user does not want as a core memory leaves when its year is over: now, if it is.
    """
    try:
        with store.write(owner) as session:
            proposal = _open(session, owner, proposal_id, decision.channel, now)
            confidence = None if proposal.confidence is None else adjusted_confidence(proposal.confidence, REJECTED)
            decided = _decided(proposal, ProposalStatus.REJECTED, decision, now)
            session.self.put_proposal(owner, replace(decided, confidence=confidence))
            session.ledger.record(
                Event(EventType.REJECTED, owner, now, None, detail_of(proposal, decision.by, decision.channel))
            )
            _end_lasting(session, law, owner, proposal, now)
            return replace(decided, confidence=confidence)
    except (ApprovalError, ProposalNotFoundError) as error:
        log_refusal(
            store, owner, now, error.code, proposal=proposal_id[:40], who=decision.by, channel=decision.channel.value
        )
        raise


def _end_lasting(session: Writer, law: Law, owner: Owner, proposal: Proposal, now: float) -> None:
    if proposal.kind is not ProposalKind.CORE_PROMOTION or LASTING not in proposal.reasons or not proposal.changes:
        return
    item = session.items.get(owner, proposal.changes[0].id)
    if item is None or not item.is_lasting or not item.state.in_orbit:
        return
    item = replace(item, tier_reason=TierReason.DECLINED)
    over = item.expires_at is not None and item.expires_at <= owner_time(session, law, owner, now)
    if over and item.protection is Protection.NONE:
        move_to_cliff(session, law, item, DepartureReason.EXPIRED, now)
        return
    place_again(session, law, item, now)
    session.ledger.record(Event(EventType.UPDATED, owner, now, item.id, {"fields": ["tier_reason"]}))


def record_imported_core(
    store: ItemStore, owner: Owner, item_ids: Sequence[str], decision: UserDecision, now: float
) -> None:
    """Log core memories that the user imported, and let islands rise on them."""
    with store.write(owner) as session:
        detail = {"what": "import", "who": decision.by, "channel": decision.channel.value, "memories": len(item_ids)}
        session.ledger.record(Event(EventType.APPROVED, owner, now, None, detail))
        tend(session, owner, now)


def _open(session: Reader, owner: Owner, proposal_id: str, channel: Channel, now: float) -> Proposal:
    proposal = session.self.proposal(owner, proposal_id)
    if proposal is None:
        raise ProposalNotFoundError(item_id=proposal_id)
    if not channel.is_the_users:
        raise NotTheUserError(proposal=proposal_id, channel=channel.value)
    if proposal.status is ProposalStatus.EXPIRED or (
        proposal.status is ProposalStatus.PENDING and proposal.is_over(now)
    ):
        raise ProposalExpiredError(proposal=proposal_id)
    if proposal.status is not ProposalStatus.PENDING:
        raise DecidedError(proposal=proposal_id, status=proposal.status.value)
    return proposal


def _decided(proposal: Proposal, status: ProposalStatus, decision: UserDecision, now: float) -> Proposal:
    return replace(
        proposal, status=status, nonce=None, decided_at=now, decided_by=decision.by, decided_through=decision.channel
    )


# -- what an approval does ----------------------------------------------------------------------------


def _carried_out(
    session: Writer,
    law: Law,
    owner: Owner,
    proposal: Proposal,
    decision: UserDecision,
    now: float,
    reworded: Rewording | None,
) -> Proposal:
    versions = session.self.versions(owner)
    formed, altered = weight(proposal.changes, self_of(session, owner).memories)
    over = over_the_limit(session, owner, proposal, decision.session_id, now)
    if over is not None:
        raise TooMuchChangeError(proposal.id, over)
    for change in proposal.changes:
        _check_unchanged(session, owner, proposal, change)
    for change in proposal.changes:
        match change.on:
            case Part.MEMORY:
                _change_memory(session, law, owner, proposal, change, decision, now, reworded)
            case Part.ISLAND:
                _change_island(session, law, owner, proposal, change, versions, now)
            case Part.BELIEF:
                _change_belief(session, owner, proposal, change, versions, now)
    decided = _decided(proposal, ProposalStatus.APPROVED, decision, now)
    session.self.put_proposal(owner, decided)
    session.ledger.record(
        Event(
            EventType.APPROVED,
            owner,
            now,
            None,
            detail_of(proposal, decision.by, decision.channel),
            session_id=decision.session_id,
        )
    )
    tend(session, owner, now)
    present = self_of(session, owner)
    number = versions[0].version + 1 if versions else 1
    session.self.add_version(
        owner,
        SelfVersion(
            number, now, proposal.id, proposal.kind, decision.by, decision.channel, formed, altered,
            present.islands, present.beliefs, decision.session_id,
        ),
    )  # fmt: skip
    detail = {"version": number, "proposal": proposal.id, "what": proposal.kind.value, "who": decision.by,
              "channel": decision.channel.value}  # fmt: skip
    session.ledger.record(Event(EventType.SELF_CHANGED, owner, now, None, detail))
    return decided


def _check_unchanged(session: Reader, owner: Owner, proposal: Proposal, change: Change) -> None:
    if change.on is Part.MEMORY:
        item = session.items.get(owner, change.id)
        if item is None or not item.state.in_orbit:
            raise ProposalChangedError(proposal.id, Reason.PART_GONE, thing=Thing.MEMORY, got=change.id)
        if change.before != {"tier": item.tier.value, "digest": digest_of_text(item.content)}:
            raise ProposalChangedError(proposal.id, Reason.PART_CHANGED, thing=Thing.MEMORY, got=change.id)
        return
    present = self_of(session, owner).parts().get((change.on, change.id))
    if present != change.before:
        raise ProposalChangedError(proposal.id, Reason.PART_CHANGED, thing=Thing(change.on.value), got=change.id)
    if change.after is None:
        return
    if change.on is Part.ISLAND:
        core = {item.id for item in core_memories(session, owner)}
        missing = [item_id for item_id in change.after["founders"] if item_id not in core]
    else:
        supports = change.after["supports"]
        existing = {item.id for item in session.items.get_many(owner, supports) if item.state is not State.CLIFF}
        missing = [item_id for item_id in supports if item_id not in existing]
    if missing:
        raise ProposalChangedError(proposal.id, Reason.PART_GONE, thing=Thing.MEMORY, got=missing[0])


def _change_memory(
    session: Writer,
    law: Law,
    owner: Owner,
    proposal: Proposal,
    change: Change,
    decision: UserDecision,
    now: float,
    reworded: Rewording | None,
) -> None:
    item = session.items.get(owner, change.id)
    if item is None:
        raise ProposalChangedError(proposal.id, Reason.PART_GONE, thing=Thing.MEMORY, got=change.id)
    if change.after is None:
        # It is no longer a core memory, no matter who restores it.
        item = replace(item, tier=Tier.M365, protection=Protection.NONE, expires_at=expiry(Tier.M365, now))
        move_to_cliff(session, law, item, DepartureReason.MANUAL, now)
        return
    if "content" in change.after:
        if reworded is None or reworded.content != change.after["content"]:
            raise ProposalChangedError(proposal.id, Reason.PART_CHANGED, thing=Thing.MEMORY, got=change.id)
        place_again(session, law, reworded.applied_to(item), now)
        session.ledger.record(
            Event(EventType.UPDATED, owner, now, item.id, {"fields": ["content"], "approved_by": decision.by})
        )
        _shake(session, owner, item.id, now)
        return
    island = session_island(session, owner, change.after.get("island"))
    if island is not None:
        item = replace(item, links=replace(item.links, island=island.id))
        lost = tuple(founder for founder in island.lost if founder != item.id)
        session.self.put_island(owner, replace(island, founders=(*island.founders, item.id), lost=lost))
    place_again(session, law, _as_core(item), now)
    detail = {"tier": Tier.M0.value, "approved_by": decision.by}
    session.ledger.record(Event(EventType.PROMOTED, owner, now, item.id, detail))


def _as_core(item: CelestialItem) -> CelestialItem:
    """Return the memory as a core memory. The person who approved it vouches for it."""
    return replace(
        item,
        tier=Tier.M0,
        tier_reason=TierReason.APPROVED,
        protection=Protection.CORE,
        expires_at=None,
        trust=Trust.NORMAL,
    )


def _shake(session: Writer, owner: Owner, item_id: str, now: float) -> None:
    """A core memory's text changed: lower the confidence of what rests on it, and inform the user."""
    present = self_of(session, owner)
    for belief in present.beliefs:
        if item_id in belief.supports:
            less = adjusted_confidence(belief.confidence, LOST_SUPPORT)
            session.self.put_belief(owner, replace(belief, confidence=less))
            write_notice(session, owner, now, "belief_lost_support", belief=belief.id, confidence=less)
    for island in present.islands:
        if item_id in island.founders:
            write_notice(session, owner, now, "founder_changed", island=island.id, memory=item_id)


def _change_island(
    session: Writer,
    law: Law,
    owner: Owner,
    proposal: Proposal,
    change: Change,
    versions: Sequence[SelfVersion],
    now: float,
) -> None:
    old = session_island(session, owner, change.id)
    before = () if old is None else old.founders
    if change.after is None:
        session.self.remove_island(owner, change.id)
        _set_island(session, law, owner, before, None, now)
        return
    if old is None:
        old = _islands_of_version(versions, proposal).get(change.id) or Island(
            change.id, "", "", "", (), now, strength=FIRST_STRENGTH, since=now, tended_at=now
        )
    island = old.with_part(change.after)
    founders = session.items.get_many(owner, list(island.founders))
    counted = Counter(word for item in founders for word in item.keywords)
    topics = tuple(word for word, _ in counted.most_common(_MOST_TOPICS)) or island.topics
    session.self.put_island(owner, replace(island, topics=topics))
    _set_island(session, law, owner, [founder for founder in before if founder not in island.founders], None, now)
    _set_island(session, law, owner, island.founders, island.id, now)


def _islands_of_version(versions: Sequence[SelfVersion], proposal: Proposal) -> dict[str, Island]:
    number = proposal.reasons.get("version") if proposal.kind is ProposalKind.SELF_ROLLBACK else None
    return {island.id: island for version in versions if version.version == number for island in version.islands}


def _change_belief(
    session: Writer, owner: Owner, proposal: Proposal, change: Change, versions: Sequence[SelfVersion], now: float
) -> None:
    old = self_of(session, owner).belief(change.id)
    if change.after is None:
        session.self.remove_belief(owner, change.id)
        return
    if old is None and proposal.kind is ProposalKind.SELF_ROLLBACK:
        number = proposal.reasons.get("version")
        past_beliefs = {
            past_belief.id: past_belief
            for version in versions
            if version.version == number
            for past_belief in version.beliefs
        }
        old = past_beliefs.get(change.id)
        belief = Belief(change.id, "", STARTS_AT, (), now) if old is None else old
    elif old is None:
        start = STARTS_AT if proposal.confidence is None else proposal.confidence
        belief = Belief(change.id, "", adjusted_confidence(start, APPROVED), (), now)
    else:
        belief = replace(old, confidence=adjusted_confidence(old.confidence, APPROVED))
    session.self.put_belief(owner, belief.with_part(change.after))


def session_island(session: Reader, owner: Owner, island_id: str | None) -> Island | None:
    return None if island_id is None else self_of(session, owner).island(island_id)


def _set_island(
    session: Writer, law: Law, owner: Owner, item_ids: Sequence[str], island: str | None, now: float
) -> None:
    """Store in each memory which island it belongs to."""
    for item in session.items.get_many(owner, list(item_ids)):
        if item.links.island != island and is_core(item):
            place_again(session, law, replace(item, links=replace(item.links, island=island)), now)
            session.ledger.record(Event(EventType.UPDATED, owner, now, item.id, {"fields": ["links"]}))
