"""store and update: build the record, score it, find it a place, write it down. One transaction each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from celestial_engine.core.events import Event, EventType
from celestial_engine.core.forgetting import Protection
from celestial_engine.core.importance import Evaluation
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.owner import Owner
from celestial_engine.errors import NotFoundError, ProtectedError
from celestial_engine.flow.orbit import Sky, changeable, course_of, place, settle
from celestial_engine.ports import ItemStore


def store(items_store: ItemStore, sky: Sky, item: CelestialItem, now: float) -> CelestialItem:
    """Writes one new memory."""
    with items_store.write() as session:
        displaced = place(session, sky, item, now)
        session.add(item, course_of(sky, item, now))
        session.record(_stored(item, now, displaced=displaced))
    return item


def store_many(
    items_store: ItemStore, sky: Sky, items: Sequence[CelestialItem], now: float
) -> Sequence[CelestialItem]:
    """Writes many at once: all or none. They line up in the open zones, and one settling seats them all."""
    zones = sky.function.zones
    added: dict[int, CelestialItem] = {}
    with items_store.write() as session:
        for item in items:
            item.total_score = sky.function.score(item, now)
            item.zone = max(zones.zone_of(item.total_score), zones.overflow_zone)
            added[session.add(item, course_of(sky, item, now))] = item
        for owner in {item.owner for item in items}:
            for move in settle(session, sky, owner, now):
                if move.key in added:
                    added[move.key].zone = move.to_zone
            session.settle_again(owner, now)  # by then everybody's line is up to date
        for item in items:
            session.record(_stored(item, now))
    return items


@dataclass(frozen=True)
class Change:
    """What an update sets; None leaves a field as it is."""

    content: str | None = None
    embedding: list[float] | None = None
    importance: Evaluation | None = None
    metadata: dict[str, Any] | None = None

    def fields(self) -> list[str]:
        return [name for name in ("content", "importance", "metadata") if getattr(self, name) is not None]


def update(items_store: ItemStore, sky: Sky, owner: Owner, item_id: str, change: Change, now: float) -> CelestialItem:
    """Changes text, importance or metadata. The recall history stays: it is the same memory."""
    with items_store.write() as session:
        item = changeable(session, owner, item_id, "be changed")
        if change.content is not None:
            item.content = change.content
            item.embedding = change.embedding
            item.resolution = type(item.resolution)()  # gist and triples told of the old text
        if change.importance is not None:
            item.arbitrary_importance = change.importance.score
            item.importance_source = change.importance.source
        if change.metadata is not None:
            item.metadata = change.metadata
        place(session, sky, item, now, session.key_of(owner, item_id))
        session.rewrite(item, course_of(sky, item, now))
        session.record(Event(EventType.UPDATED, owner, now, item_id, {"fields": change.fields()}))
    return item


def protect(
    items_store: ItemStore, sky: Sky, owner: Owner, item_id: str, *, pinned: bool, now: float
) -> CelestialItem:
    """Pins or unpins. What is immutable or core is protected already and stays so."""
    with items_store.write() as session:
        item = session.get(owner, item_id)
        if item is None:
            raise NotFoundError(item_id=item_id)
        if item.protection in (Protection.IMMUTABLE, Protection.CORE):
            if pinned:
                return item
            raise ProtectedError(item_id=item_id, protection=item.protection.value, action="be unpinned")
        wanted = Protection.PINNED if pinned else Protection.NONE
        if item.protection is not wanted:
            item.protection = wanted
            session.rewrite(item, course_of(sky, item, now))
            kind = EventType.PINNED if pinned else EventType.UNPINNED
            session.record(Event(kind, owner, now, item_id))
    return item


def _stored(item: CelestialItem, now: float, **more: Any) -> Event:
    detail = {
        "zone": item.zone,
        "tier": item.tier.value,
        "importance": item.arbitrary_importance,
        "importance_source": item.importance_source,
        **{name: value for name, value in more.items() if value},
    }
    return Event(EventType.STORED, item.owner, now, item.id, detail)
