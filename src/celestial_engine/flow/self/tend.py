"""Update the self for time and lost memories: islands shake, collapse and rise; beliefs lose support.

Not a stage itself: approve and reflect use it. It never changes a text of the self.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.beliefs import with_living_supports
from celestial_engine.core.self.islands import IslandStatus, with_current_founders, with_updated_strength
from celestial_engine.core.self.proposals import Proposal, ProposalKind
from celestial_engine.core.self.self_state import Self, change_limit, weight
from celestial_engine.errors import Problem, ProposalNotFoundError
from celestial_engine.ports import ItemStore, Reader, Writer

CORE = ItemFilter(tier=Tier.M0)


def self_of(session: Reader, owner: Owner) -> Self:
    return Self(tuple(session.self.islands(owner)), tuple(session.self.beliefs(owner)))


def core_memories(session: Reader, owner: Owner) -> list[CelestialItem]:
    """Return the core memories in orbit, oldest first."""
    items = session.items.newest(owner, CORE, None)
    return [item for item in reversed(items) if is_core(item)]


def is_core(item: CelestialItem) -> bool:
    return item.tier is Tier.M0 and item.protection is Protection.CORE and item.state.in_orbit


def tend(session: Writer, owner: Owner, now: float, recalls: Mapping[str, int] | None = None) -> Counter[str]:
    """Update islands and beliefs to the current state; `recalls` per island, where they were counted."""
    counts = Counter[str]()
    present = self_of(session, owner)
    core = {item.id for item in core_memories(session, owner)} if present.islands else set()
    for island in present.islands:
        stands = with_current_founders(island, core, now)
        if recalls is not None:
            stands = with_updated_strength(stands, recalls.get(island.id, 0), now)
        if stands == island:
            continue
        session.self.put_island(owner, stands)
        if stands.status is not island.status:
            counts[stands.status.value] += 1
            old_status, status = island.status.value, stands.status.value
            detail: dict[str, Any] = {"island": island.id, "was_status": old_status, "status": status}
            session.ledger.record(Event(EventType.ISLAND_CHANGED, owner, now, None, detail))
            write_notice(session, owner, now, _NOTICES[stands.status], island=island.id)
        elif stands.founders != island.founders:
            detail = {"island": island.id, "status": stands.status.value, "founders": len(stands.founders)}
            session.ledger.record(Event(EventType.ISLAND_CHANGED, owner, now, None, detail))
    counts.update(_tend_beliefs(session, owner, present, now))
    return counts


_NOTICES = {
    IslandStatus.SHAKING: "island_shaking",
    IslandStatus.COLLAPSED: "island_collapsed",
    IslandStatus.REBUILDING: "island_rebuilding",
    IslandStatus.ACTIVE: "island_stands",
}


def _tend_beliefs(session: Writer, owner: Owner, present: Self, now: float) -> Counter[str]:
    counts = Counter[str]()
    support_ids = dict.fromkeys(item_id for one in present.beliefs for item_id in (*one.supports, *one.lost))
    existing = {item.id for item in session.items.get_many(owner, list(support_ids)) if item.state is not State.CLIFF}
    for belief in present.beliefs:
        updated = with_living_supports(belief, existing)
        if updated != belief:
            session.self.put_belief(owner, updated)
            if updated.confidence < belief.confidence:
                counts["doubted"] += 1
                write_notice(
                    session, owner, now, "belief_lost_support", belief=belief.id, confidence=updated.confidence
                )
    return counts


def write_notice(session: Writer, owner: Owner, now: float, what: str, **about: str | float) -> None:
    session.ledger.record(Event(EventType.NOTICED, owner, now, None, {"notice": what, **about}))


def limit_problem(
    store: ItemStore, owner: Owner, proposal_id: str, session_id: str | None, now: float
) -> Problem | None:
    """Return the daily limit that an approval would exceed now; None if it would be carried out."""
    with store.read() as session:
        proposal = session.self.proposal(owner, proposal_id)
        if proposal is None:
            raise ProposalNotFoundError(item_id=proposal_id)
        return over_the_limit(session, owner, proposal, session_id, now)


def over_the_limit(
    session: Reader, owner: Owner, proposal: Proposal, session_id: str | None, now: float
) -> Problem | None:
    if proposal.kind is ProposalKind.SELF_ROLLBACK:
        return None
    formed, altered = weight(proposal.changes, self_of(session, owner).memories)
    room = change_limit(session.self.versions(owner), session_id, now)
    return None if room.allows(formed, altered) else room.problem_with(altered)
