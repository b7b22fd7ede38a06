"""influence: the host acted on a memory; counted, and it lengthens the memory's life."""

from __future__ import annotations

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import Action, NotFoundError, WrongStateError
from celestial_engine.flow.base.placement import course_of, state_name
from celestial_engine.ports import ItemStore


def count_influence(store: ItemStore, law: Law, owner: Owner, item_id: str, now: float) -> CelestialItem:
    """Count one more influence. It is no recall: the memory was recalled before the host acted on it."""
    with store.write(owner) as session:
        item = session.items.get(owner, item_id)
        if item is None:
            raise NotFoundError(item_id=item_id)
        if not item.state.in_orbit:
            raise WrongStateError(item_id=item_id, state=state_name(item), action=Action.ACT_ON)
        item.influence_count += 1
        session.items.rewrite(item, course_of(law, item, now))
        session.ledger.record(Event(EventType.INFLUENCED, owner, now, item_id, {"times": item.influence_count}))
    return item
