"""ZoneManager: the zones of one owner, by hand. The engine places memories itself; this is for tinkering."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

from celestial_engine.bootstrap import open_store
from celestial_engine.config import StorageConfig
from celestial_engine.core.forgetting import Reason
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.memory_function import CelestialMemoryFunction
from celestial_engine.core.owner import LOCAL_OWNER, Owner
from celestial_engine.core.zones import Body, Move, ZoneConfig, rank
from celestial_engine.flow import recall
from celestial_engine.flow.orbit import Sky, course_of, over_the_cliff
from celestial_engine.ports import Clock, ItemFilter, ItemStore, Writer


class ZoneManager:
    """Places, moves and evicts memories among the zones of the one store."""

    def __init__(
        self,
        zones: list[ZoneConfig] | tuple[ZoneConfig, ...] | None = None,
        db_path: str = ":memory:",
        *,
        store: ItemStore | None = None,
        sky: Sky | None = None,
        owner: Owner = LOCAL_OWNER,
        clock: Clock = time.time,
    ) -> None:
        self.store = store or open_store(StorageConfig(db_path))
        self.sky = sky or Sky(CelestialMemoryFunction(zones=zones))
        self.owner = owner
        self.clock = clock

    def place(self, item: CelestialItem, target_zone: int, score: float | None = None) -> None:
        """Puts a memory into a zone; if that is full now, its lowest goes one further out."""
        now = self.clock()
        item.owner = self.owner
        with self.store.write() as session:
            stored = replace(item, zone=target_zone)
            if session.get(self.owner, item.id) is None:
                session.add(stored, course_of(self.sky, stored, now))
            else:
                session.rewrite(stored, course_of(self.sky, stored, now))
            self._evict(session, now)
            placed = session.get(self.owner, item.id)
        item.zone = target_zone if placed is None else placed.zone
        item.total_score = self.sky.function.score(item, now) if score is None else score

    def move(self, item_id: str, from_zone: int, to_zone: int, score: float | None = None) -> bool:
        """Moves a memory if it is where the caller thinks it is."""
        with self.store.write() as session:
            item = session.get(self.owner, item_id)
            if item is None or not item.state.in_orbit or item.zone != from_zone:
                return False
            session.move([Move(session.key_of(self.owner, item_id), from_zone, to_zone)])
            self._evict(session, self.clock())
            return True

    def get_all_items(self) -> list[CelestialItem]:
        with self.store.read() as session:
            return session.newest(self.owner, ItemFilter(), limit=None)

    def search(self, query: str, limit: int = 5, query_embedding: list[float] | None = None) -> list[CelestialItem]:
        """Looks in all zones at once, best answer first. Looking does not reinforce."""
        return recall.search(self.store, self.sky, self.owner, query, query_embedding, limit, self.clock())

    def forget_stale(self, max_age_seconds: float, current_time: float) -> int:
        """Sends what lies in the outermost zone, idle for longer than this, over the cliff."""
        chosen = ItemFilter(zone=self.sky.function.zones.outermost)
        sky = replace(self.sky, stale_after=timedelta(seconds=max_age_seconds))
        forgotten = 0
        with self.store.write() as session:
            for item in session.newest(self.owner, chosen, limit=None):
                stale = sky.stale_moment(item)
                if stale is not None and stale < current_time:
                    over_the_cliff(session, sky, item, Reason.STALE, current_time)
                    forgotten += 1
        return forgotten

    def enforce_capacity(self) -> int:
        """Evicts the lowest of every overfull zone outward; gives how many were."""
        with self.store.write() as session:
            return self._evict(session, self.clock())

    def stats(self) -> dict[int, tuple[int, int | None]]:
        """Each zone's occupancy and capacity."""
        configs = self.sky.function.zones.configs
        with self.store.read() as session:
            counts = session.zone_counts(self.owner, [zone.zone_id for zone in configs])
        return {zone.zone_id: (counts[zone.zone_id], zone.max_slots) for zone in configs}

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> ZoneManager:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _evict(self, session: Writer, now: float) -> int:
        function = self.sky.function
        evicted = 0
        for zone in function.zones.bounded:
            seated: list[tuple[Body, float]] = rank(
                (body, function.score_at(body.piece, body.level, now))
                for body in session.occupants(self.owner, [zone.zone_id])
            )
            overflow = [body for body, _ in seated[zone.max_slots :]]
            session.move([Move(body.key, zone.zone_id, zone.zone_id + 1) for body in overflow])
            evicted += len(overflow)
        session.settle_again(self.owner, now)
        return evicted
