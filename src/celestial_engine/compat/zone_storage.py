"""One zone of the store as a separate storage, under the names of the original design.

There is one database and one table; these classes are views of it. New code should use CelestialMemory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from celestial_engine.compat.zone_manager import ZoneManager
from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.flow.departures import forget
from celestial_engine.ports import ItemFilter
from celestial_engine.storage.base import ZoneStorage


class ZoneView(ZoneStorage):
    """The memories of one zone of a ZoneManager."""

    def __init__(self, zones: ZoneManager, zone_id: int) -> None:
        self._zones = zones
        self._zone = zone_id

    def store(self, item: CelestialItem) -> None:
        """Put a memory into this zone with its `total_score`; one that was never scored gets its score now."""
        self._zones.place(item, self._zone, item.total_score or None)

    def update(self, item: CelestialItem) -> None:
        self.store(item)

    def get(self, item_id: str) -> CelestialItem | None:
        items = self._zones.scored(lambda session: self._here(session.items.get_many(self._zones.owner, [item_id])))
        return items[0] if items else None

    def remove(self, item_id: str) -> bool:
        """Forget the memory; returns False if it is not in this zone."""
        if self.get(item_id) is None:
            return False
        zones = self._zones
        forget.forget(zones.store, zones.law(), zones.owner, item_id, zones.clock(), DepartureReason.MANUAL)
        return True

    def search(
        self, query: str, limit: int = 5, query_embedding: Sequence[float] | None = None
    ) -> list[CelestialItem]:
        vector = None if query_embedding is None else list(query_embedding)
        total = sum(count for count, _ in self._zones.stats().values())
        items = self._zones.search(query, total, vector)
        return [item for item in items if item.zone == self._zone][:limit]

    def get_all(self) -> list[CelestialItem]:
        where = ItemFilter(zone=self._zone)
        return self._zones.scored(lambda session: session.items.newest(self._zones.owner, where, limit=None))

    def count(self) -> int:
        return self._zones.stats()[self._zone][0]

    def get_lowest_score_item(self) -> CelestialItem | None:
        return min(self.get_all(), key=lambda item: item.total_score, default=None)

    def close(self) -> None:
        self._zones.close()

    def _here(self, items: Iterable[CelestialItem]) -> list[CelestialItem]:
        return [item for item in items if item.state.in_orbit and item.zone == self._zone]


class InMemoryStorage(ZoneView):
    """A zone that exists only in memory."""

    def __init__(self, zone_id: int = 0) -> None:
        super().__init__(ZoneManager(), zone_id)


class SqliteStorage(ZoneView):
    """A zone of a database file."""

    def __init__(self, db_path: str, zone_id: int) -> None:
        super().__init__(ZoneManager(db_path=db_path), zone_id)
