"""nominate: propose core memories to the user. Only the user's approval makes a memory core."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

from celestial_engine.core.night.lifetime_rows import lifetime_row_of
from celestial_engine.core.night.promotion import nominee
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.proposals import MOST_PENDING, Channel, ProposalKind, ProposalStatus
from celestial_engine.errors import InvalidInputError
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.self.draft import core_promotion
from celestial_engine.flow.self.inbox import put
from celestial_engine.ports import ItemStore, Reader, Writer


@dataclass(frozen=True)
class NominatePlan:
    """The memories that would be proposed. None of them leaves."""

    nominees: tuple[str, ...] = ()
    of_the_self: frozenset[str] = frozenset()
    leaving: ClassVar[tuple[str, ...]] = ()


def plan(session: Reader, owner: Owner, now: float, of_the_self: Collection[str] = frozenset()) -> NominatePlan:
    """Propose each memory once. `of_the_self`: memories that support a belief or founded an island."""
    own = frozenset(of_the_self)
    ids = [life.item_id for life in session.night.lifetime_rows(owner) if nominee(life, now, own)]
    before = session.ledger.ids_with_event(owner, ids, EventType.NOMINATED)
    return NominatePlan(tuple(item_id for item_id in ids if item_id not in before), own)


def carry_out(store: ItemStore, law: Law, owner: Owner, plan: NominatePlan, now: float) -> Mapping[str, int]:
    """Put the proposals into the inbox; nothing else changes."""
    count = 0
    for part in in_batches(plan.nominees):
        with store.write(owner, durable=False) as session:
            before = session.ledger.ids_with_event(owner, part, EventType.NOMINATED)
            for item in session.items.get_many(owner, part):
                life = lifetime_row_of(item)
                if item.id not in before and nominee(life, now, plan.of_the_self):
                    count += _nominate(session, owner, item, int(life.age(now)), now)
    return {"nominated": count}


def _nominate(session: Writer, owner: Owner, item: CelestialItem, days: int, now: float) -> int:
    draft = core_promotion(session, owner, item.id, Channel.SLEEP, {"days": days})
    try:
        put(session, owner, draft, "sleep", Channel.SLEEP, now)
    except InvalidInputError:  # rejected before, or the inbox is full: try another night
        return 0
    detail = {"recalled": item.recall_count, "days": days}
    session.ledger.record(Event(EventType.NOMINATED, owner, now, item.id, detail))
    return 1


def nominations(session: Reader, owner: Owner, now: float) -> list[CelestialItem]:
    """Return the memories that wait for the user's decision."""
    waiting = session.self.proposals(owner, ProposalStatus.PENDING, MOST_PENDING)
    ids = [
        proposal.changes[0].id
        for proposal in waiting
        if proposal.kind is ProposalKind.CORE_PROMOTION and proposal.changes and not proposal.is_over(now)
    ]
    return session.items.get_many(owner, list(reversed(ids)))
