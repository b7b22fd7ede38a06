"""One zone of the store as a separate storage, under the names of the original design.

There is one database and one table; these classes are views of it. New code should use CelestialMemory.
"""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.compat.zone_manager import ZoneManager
from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.flow.departures import forget
from celestial_engine.ports import ItemFilter


class ZoneStorage:
    """The memories of one zone."""

    def __init__(self, zones: ZoneManager, zone_id: int) -> None:
        self._zones = zones
        self._zone = zone_id

    def store(self, item: CelestialItem) -> None:
        self._zones.place(item, self._zone)

    def update(self, item: CelestialItem) -> None:
        self.store(item)

    def get(self, item_id: str) -> CelestialItem | None:
        with self._zones.store.read() as session:
            item = session.items.get(self._zones.owner, item_id)
        return item if item is not None and item.state.in_orbit and item.zone == self._zone else None

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
        with self._zones.store.read() as session:
            return session.items.newest(self._zones.owner, ItemFilter(zone=self._zone), limit=None)

    def count(self) -> int:
        return self._zones.stats()[self._zone][0]

    def get_lowest_score_item(self) -> CelestialItem | None:
        now, function = self._zones.clock(), self._zones.law().function
        return min(self.get_all(), key=lambda item: function.score(item, now), default=None)

    def close(self) -> None:
        self._zones.close()


class InMemoryStorage(ZoneStorage):
    """A zone that exists only in memory."""

    def __init__(self, zone_id: int = 0) -> None:
        super().__init__(ZoneManager(), zone_id)


class SqliteStorage(ZoneStorage):
    """A zone of a database file."""

    def __init__(self, db_path: str, zone_id: int) -> None:
        super().__init__(ZoneManager(db_path=db_path), zone_id)
