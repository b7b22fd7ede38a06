"""stellar-memory's storages: each one is a view of a single zone of the engine's database."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import replace

from celestial_engine import ZoneManager
from celestial_engine.compat.stellar.config import DEFAULT_ZONES
from celestial_engine.compat.stellar.config import ZoneConfig as TheirZone
from celestial_engine.compat.stellar.models import MemoryItem
from celestial_engine.compat.stellar.translation import (
    checked_metadata,
    notes_of,
    to_engine_item,
    to_stellar_item,
    with_notes,
)
from celestial_engine.compat.zone_storage import ZoneView
from celestial_engine.core.guard.guard import Guard
from celestial_engine.core.guard.secrets import DEFAULT
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem

SCORE = "score"  # key in the notes: a storage returns the score it was given, the engine would compute its own

_FIELDS = ("content", "created_at", "last_recalled_at", "recall_count", "arbitrary_importance", "embedding")
_DERIVED = ("category", "keywords", "resolution", "emotion")  # read from the content


class ZoneStorage:
    """The memories of one zone. A removed memory goes over the cliff and can be restored for seven days."""

    def __init__(self, zones: ZoneManager, zone_id: int) -> None:
        self._zones = zones
        self._zone = zone_id
        self._view = ZoneView(zones, zone_id)

    def store(self, item: MemoryItem) -> None:
        """Insert the item, or replace the one with the same id."""
        if self._view.get(item.id) is None:
            self._view.store(self._ours(item))
        else:
            self.update(item)

    def update(self, item: MemoryItem) -> None:
        """Overwrite a stored item, including its times and counts. Unknown ids are ignored."""
        stored = self._view.get(item.id)
        if stored is None:
            return
        new = self._ours(item)
        derived = () if new.content == stored.content else [name for name in _DERIVED if name not in stored.given]
        names = (*_FIELDS, *derived)
        notes = {**notes_of(stored), **notes_of(new)}
        ours = replace(
            stored,
            **{name: getattr(new, name) for name in names},
            metadata=with_notes(new.metadata, notes),
        )
        placed = replace(ours)
        self._view.update(placed)  # raises for protected memories, evicts; writes neither times nor counts
        ours = replace(ours, zone=placed.zone)
        law, now = self._zones.law(), self._zones.clock()
        with self._zones.store.write(self._zones.owner) as session:
            session.items.rewrite(ours, law.course(ours, ours.tier, ours.protection, now))
            session.ledger.record(Event(EventType.UPDATED, self._zones.owner, now, item.id, {"zone": ours.zone}))

    def get(self, item_id: str) -> MemoryItem | None:
        item = self._view.get(item_id)
        return None if item is None else _theirs(item)

    def remove(self, item_id: str) -> bool:
        return self._view.remove(item_id)

    def search(self, query: str, limit: int = 5, query_embedding: list[float] | None = None) -> list[MemoryItem]:
        """Rank by words, and by vector similarity if `query_embedding` is given."""
        if not query.strip():
            return []
        return [_theirs(item) for item in self._view.search(query, limit, query_embedding)]

    def get_all(self) -> list[MemoryItem]:
        return [_theirs(item) for item in self._view.get_all()]

    def count(self) -> int:
        return self._view.count()

    def get_lowest_score_item(self) -> MemoryItem | None:
        return min(self.get_all(), key=lambda item: item.total_score, default=None)

    def close(self) -> None:
        self._view.close()

    def _ours(self, item: MemoryItem) -> CelestialItem:
        """Convert to an engine item. Keeps the item's own vector, because a storage has no embedder."""
        checked_metadata(item.metadata)
        ours = Guard(DEFAULT).item(to_engine_item(item, self._zones.clock(), pinned=False))
        notes = {**notes_of(ours), SCORE: item.total_score}
        return replace(ours, zone=self._zone, embedding=item.embedding, metadata=with_notes(ours.metadata, notes))


class InMemoryStorage(ZoneStorage):
    """A storage that exists only in memory."""

    def __init__(self) -> None:
        super().__init__(opened(":memory:"), 0)


class SqliteStorage(ZoneStorage):
    """One zone of a database file. Several zones of one file can be open at the same time."""

    def __init__(self, db_path: str, zone_id: int) -> None:
        super().__init__(opened(db_path), zone_id)


class StorageFactory:
    """Holds the database path for an OrbitManager and creates storages on it."""

    def __init__(self, db_path: str = "stellar_memory.db") -> None:
        self.db_path = db_path

    def create(self, zone_config: TheirZone) -> ZoneStorage:
        return SqliteStorage(self.db_path, zone_config.zone_id)


def opened(db_path: str) -> ZoneManager:
    """Open a database with the zones stored in it; a new database gets zones without a capacity limit."""
    is_new = db_path == ":memory:" or not os.path.exists(db_path) or not os.path.getsize(db_path)
    return ZoneManager(_unlimited(DEFAULT_ZONES) if is_new else None, db_path)


def _unlimited(zones: Iterable[TheirZone]) -> list[ZoneConfig]:
    floors = [zone.importance_min for zone in zones]
    return [ZoneConfig(n, f"zone {n}", None, floor) for n, floor in enumerate([*floors[:-1], -math.inf])]


def _theirs(item: CelestialItem) -> MemoryItem:
    theirs = to_stellar_item(item, 0.0, feeling=False)
    score = notes_of(item).get(SCORE)
    return replace(theirs, total_score=score) if isinstance(score, float) else theirs
