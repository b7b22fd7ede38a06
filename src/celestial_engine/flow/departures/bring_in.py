"""bring_in: write imported records as they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from celestial_engine.core.guard.guard import Note
from celestial_engine.core.keeping.record_checks import check_record
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.item import UNPLACED, CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.placement import by_owner, course_of, settle, stored_event, unseated
from celestial_engine.ports import ItemStore


def bring_in(
    store: ItemStore,
    law: Law,
    items: Sequence[CelestialItem],
    now: float,
    redacted: Mapping[str, Sequence[Note]] | None = None,
    file: str | None = None,
) -> int:
    """Write the records that are not stored yet, all or none of an owner, and return how many.

    `file` is the name of what they came in; the ledger keeps it, so that they can be traced by it.
    """
    for item in items:
        check_record(item)
    return sum(_bring_in(store, law, owner, own, now, redacted, file) for owner, own in by_owner(items).items())


def _bring_in(
    store: ItemStore,
    law: Law,
    owner: Owner,
    items: Sequence[CelestialItem],
    now: float,
    redacted: Mapping[str, Sequence[Note]] | None,
    file: str | None,
) -> int:
    new = 0
    with store.write(owner) as session:
        for item in items:
            if session.items.get(item.owner, item.id) is not None:
                continue
            placed = unseated(law, item, now)
            if not item.state.in_orbit and item.zone != UNPLACED:
                placed = replace(placed, zone=item.zone)  # it keeps the zone that it left
            session.items.add(placed, course_of(law, placed, now))
            notes = list(redacted.get(item.id, ())) if redacted else []
            session.ledger.record(stored_event(placed, now, redacted=notes, file=file))
            new += 1
        if new:
            settle(session, law, owner, now)
            session.orbits.settle_again(owner, now)  # assign seats after every course is up to date
    return new
