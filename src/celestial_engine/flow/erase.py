"""erase: memories gone for good, at once and without the cliff."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.core.checks import MOST_RESULTS
from celestial_engine.core.events import Event, EventType
from celestial_engine.core.forgetting import Protection, Reason
from celestial_engine.core.owner import Owner
from celestial_engine.ports import ItemStore, Reader

_REFUSING = (Protection.IMMUTABLE, Protection.CORE)


def erase(store: ItemStore, owner: Owner, item_ids: Sequence[str], now: float) -> list[str]:
    """All of them or none, with what was distilled from them alone; those that refuse to be forgotten stay."""
    with store.write() as session:
        leaving = {*item_ids, *_distilled_from(session, owner, item_ids)}
        going = [item.id for item in session.get_many(owner, [*leaving]) if item.protection not in _REFUSING]
        for item_id in going:
            session.purge(owner, item_id)
            session.record(Event(EventType.PURGED, owner, now, item_id, {"reason": Reason.MANUAL.value}))
        session.settle_again(owner, now)
    return going


def _distilled_from(session: Reader, owner: Owner, item_ids: Sequence[str]) -> list[str]:
    sources = set(item_ids)
    into = {
        str(event.detail["into"])
        for item_id in session.told_of(owner, item_ids, EventType.PROMOTED, "into")
        for event in session.events(owner, item_id, MOST_RESULTS)
        if event.type is EventType.PROMOTED and "into" in event.detail
    }
    return [item.id for item in session.get_many(owner, [*into]) if sources.issuperset(item.links.promoted_from)]
