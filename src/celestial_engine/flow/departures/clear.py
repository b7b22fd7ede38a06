"""clear: all that a filter asks for goes over the cliff, at once."""

from __future__ import annotations

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.forgetting import DepartureReason, Protection
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.placement import over_the_cliff
from celestial_engine.ports import ItemFilter, ItemStore

_REFUSING = (Protection.IMMUTABLE, Protection.CORE)


def clear(store: ItemStore, law: Law, owner: Owner, where: ItemFilter, now: float) -> list[CelestialItem]:
    """Lets them go, all of them or none; those that refuse to be forgotten stay, and are not among the answer."""
    with store.write(owner) as session:
        return [
            over_the_cliff(session, law, item, DepartureReason.MANUAL, now)
            for item in session.items.newest(owner, where, None)
            if item.state.in_orbit and item.protection not in _REFUSING
        ]
