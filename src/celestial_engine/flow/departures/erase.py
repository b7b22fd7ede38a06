"""erase: delete memories permanently and at once, without the cliff."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.core.checks import MOST_RESULTS
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason, Protection
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import ItemStore, Reader

_REFUSING = (Protection.IMMUTABLE, Protection.CORE)


def erase(store: ItemStore, owner: Owner, item_ids: Sequence[str], now: float) -> list[str]:
    """Delete all of them or none, with the memories distilled only from them and not rewritten since.

    Protected memories stay.
    """
    with store.write(owner) as session:
        erasing, checked, pending = set[str](), set[str](), set(item_ids)
        while pending:
            # Include ids that are already deleted: their distilled memory may be all that is left of them.
            refusing = {item.id for item in session.items.get_many(owner, [*pending]) if item.protection in _REFUSING}
            checked |= pending
            erasing |= pending - refusing
            pending = _distilled_from(session, owner, erasing) - checked
        going = [item.id for item in session.items.get_many(owner, [*erasing])]
        for item_id in going:
            session.items.purge(owner, item_id)
            session.ledger.record(
                Event(EventType.PURGED, owner, now, item_id, {"reason": DepartureReason.MANUAL.value})
            )
        session.orbits.settle_again(owner, now)
    return going


def _distilled_from(session: Reader, owner: Owner, source_ids: set[str]) -> set[str]:
    into = {
        str(event.detail["into"])
        for item_id in session.ledger.ids_with_event(owner, source_ids, EventType.PROMOTED, "into")
        for event in session.ledger.events(owner, item_id, MOST_RESULTS)
        if event.type is EventType.PROMOTED and "into" in event.detail
    }
    return {
        item.id
        for item in session.items.get_many(owner, [*into])
        if source_ids.issuperset(item.links.promoted_from) and not _was_rewritten(session, item)
    }


def _was_rewritten(session: Reader, item: CelestialItem) -> bool:
    return any(
        event.type is EventType.UPDATED and "content" in event.detail.get("fields", ())
        for event in session.ledger.events(item.owner, item.id, MOST_RESULTS)
    )
