"""nominate: who could become a core memory is proposed to the user, and becomes one on the user's word alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from celestial_engine.core.night.lives import lifetime_row_of
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
    """Whom the user would be asked about. Nobody leaves for it."""

    nominees: tuple[str, ...] = ()
    of_the_self: frozenset[str] = frozenset()

    @property
    def leaving(self) -> tuple[str, ...]:
        return ()


def plan(session: Reader, owner: Owner, now: float, of_the_self: Collection[str] = frozenset()) -> NominatePlan:
    """Each is proposed once. `of_the_self`: memories that hold up a belief or founded an island."""
    own = frozenset(of_the_self)
    ids = [life.item_id for life in session.night.lifetime_rows(owner) if nominee(life, now, own)]
    before = session.ledger.ids_with_event(owner, ids, EventType.NOMINATED)
    return NominatePlan(tuple(item_id for item_id in ids if item_id not in before), own)


def carry_out(store: ItemStore, law: Law, owner: Owner, plan: NominatePlan, now: float) -> Mapping[str, int]:
    """Puts them into the inbox; nothing else changes."""
    told = 0
    for part in in_batches(plan.nominees):
        with store.write(owner, durable=False) as session:
            before = session.ledger.ids_with_event(owner, part, EventType.NOMINATED)
            for item in session.items.get_many(owner, part):
                life = lifetime_row_of(item)
                if item.id not in before and nominee(life, now, plan.of_the_self):
                    told += _nominated(session, owner, item, int(life.age(now)), now)
    return {"nominated": told}


def _nominated(session: Writer, owner: Owner, item: CelestialItem, days: int, now: float) -> int:
    made = core_promotion(session, owner, item.id, Channel.SLEEP, {"days": days})
    try:
        put(session, owner, made, "sleep", Channel.SLEEP, now)
    except InvalidInputError:  # turned down before, or the inbox is full: another night
        return 0
    detail = {"recalled": item.recall_count, "days": days}
    session.ledger.record(Event(EventType.NOMINATED, owner, now, item.id, detail))
    return 1


def nominations(session: Reader, owner: Owner, now: float) -> list[CelestialItem]:
    """Who waits for the user's word."""
    waiting = session.self.proposals(owner, ProposalStatus.PENDING, MOST_PENDING)
    ids = [one.changes[0].id for one in waiting if one.kind is ProposalKind.CORE_PROMOTION and one.changes
           and not one.is_over(now)]  # fmt: skip
    return session.items.get_many(owner, list(reversed(ids)))
