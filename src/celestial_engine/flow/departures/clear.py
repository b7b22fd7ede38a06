"""clear: send everything that matches a filter over the cliff in one transaction."""

from __future__ import annotations

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.forgetting import DepartureReason, Protection
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.placement import move_to_cliff
from celestial_engine.ports import ItemFilter, ItemStore

_REFUSING = (Protection.IMMUTABLE, Protection.CORE)


def clear(store: ItemStore, law: Law, owner: Owner, where: ItemFilter, now: float) -> list[CelestialItem]:
    """Forget all matches, or none on failure. Returns those forgotten; protected memories stay."""
    with store.write(owner) as session:
        return [
            move_to_cliff(session, law, item, DepartureReason.MANUAL, now)
            for item in session.items.newest(owner, where, None)
            if item.state.in_orbit and item.protection not in _REFUSING
        ]
