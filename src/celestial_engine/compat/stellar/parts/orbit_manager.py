"""stellar-memory's OrbitManager: manual zone placement, on top of the engine's ZoneManager."""

from __future__ import annotations

from collections.abc import Iterable

from celestial_engine import Rebalancer, ZoneManager
from celestial_engine.compat.stellar.config import DEFAULT_ZONES, MemoryFunctionConfig, ZoneConfig
from celestial_engine.compat.stellar.memory_function import MemoryFunction, function_config, inside_out, zone_configs
from celestial_engine.compat.stellar.models import MemoryItem, ReorbitResult
from celestial_engine.compat.stellar.parts.storage import StorageFactory, ZoneStorage
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction


class OrbitManager:
    """The zones of one database. Overflow moves one zone outward; the outermost zone is unlimited."""

    def __init__(
        self, zones: Iterable[ZoneConfig] | None = None, storage_factory: StorageFactory | None = None
    ) -> None:
        lift = MemoryFunctionConfig().w_freshness
        self._configs = zone_configs(inside_out(zones or DEFAULT_ZONES), lift)
        path = (storage_factory or StorageFactory()).db_path
        law = Law(CelestialMemoryFunction(function_config(MemoryFunctionConfig()), self._configs))
        self._zones = ZoneManager(db_path=path, law=law)

    def get_storage(self, zone_id: int) -> ZoneStorage:
        return ZoneStorage(self._zones, zone_id)

    def place(self, item: MemoryItem, target_zone: int, score: float) -> None:
        """Put an item into a zone. If the zone is full, its lowest-scoring item moves outward."""
        item.zone, item.total_score = target_zone, score
        self.get_storage(target_zone).store(item)
        placed = self.find_item(item.id)
        if placed is not None:
            item.zone = placed.zone

    def move(self, item_id: str, from_zone: int, to_zone: int, score: float) -> bool:
        return self._zones.move(item_id, from_zone, to_zone, score)

    def reorbit_all(self, memory_fn: MemoryFunction, current_time: float) -> ReorbitResult:
        """Move every item to the zone that `memory_fn` scores it into."""
        function = CelestialMemoryFunction(memory_fn.law, self._configs)
        done = Rebalancer(function, self._zones, auto_forget_seconds=None).rebalance(current_time)
        return ReorbitResult(done.moved, done.evicted, done.total_items, done.duration_ms / 1000)

    def get_all_items(self) -> list[MemoryItem]:
        return [item for zone in self._zones.stats() for item in self.get_storage(zone).get_all()]

    def get_zone_count(self, zone_id: int) -> int:
        return self.get_storage(zone_id).count()

    def find_item(self, item_id: str) -> MemoryItem | None:
        """Search all zones for an id."""
        items = (self.get_storage(zone).get(item_id) for zone in self._zones.stats())
        return next((item for item in items if item is not None), None)

    def close(self) -> None:
        self._zones.close()
