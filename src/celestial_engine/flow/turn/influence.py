"""influence: the host acted on a memory; counted, and it lengthens the memory's life."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import Action
from celestial_engine.flow.base.placement import get_in_orbit, rewrite
from celestial_engine.ports import ItemStore


def count_influence(store: ItemStore, law: Law, owner: Owner, item_id: str, now: float) -> CelestialItem:
    """Count one more influence. It is no recall: the memory was recalled before the host acted on it."""
    with store.write(owner) as session:
        item = get_in_orbit(session, owner, item_id, Action.ACT_ON)
        item = rewrite(session, law, replace(item, influence_count=item.influence_count + 1), now)
        session.ledger.record(Event(EventType.INFLUENCED, owner, now, item_id, {"times": item.influence_count}))
    return item
