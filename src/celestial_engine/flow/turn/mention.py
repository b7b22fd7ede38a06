"""mention: the user repeated a memory; counted instead of stored twice."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import ItemStore


def mention(store: ItemStore, owner: Owner, item_id: str, now: float, turn_id: str) -> CelestialItem | None:
    """Count one more mention and return the memory; None if it has left orbit meanwhile."""
    with store.write(owner, durable=False) as session:
        item = session.items.get(owner, item_id)
        if item is None or not item.state.in_orbit:
            return None
        session.items.mention(owner, item_id)
        item = replace(item, mention_count=item.mention_count + 1)
        detail = {"mentions": item.mention_count, "turn": turn_id}
        session.ledger.record(Event(EventType.MENTIONED, owner, now, item_id, detail))
    return item
