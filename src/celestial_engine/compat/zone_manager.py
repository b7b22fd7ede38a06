"""ZoneManager: manual placement in the zones of one owner, and the law of the whole store."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from celestial_engine.bootstrap import open_store
from celestial_engine.config import StorageConfig
from celestial_engine.core.checks import check_importance, check_metadata, check_text
from celestial_engine.core.learning.reranker import Reranker
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction, Course
from celestial_engine.core.orbit.zones import Body, Move, ZoneConfig, rank
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason, stale_moment
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.errors import Action, Expected, InvalidInputError, Reason
from celestial_engine.flow.base.law import LawInForce, law_in_force
from celestial_engine.flow.base.placement import course_of, get_changeable, move_to_cliff
from celestial_engine.flow.turn.search import Query, search
from celestial_engine.ports import Clock, ItemFilter, ItemStore, Reader, Writer


class ZoneManager:
    """Places, moves and evicts memories among the zones of a store."""

    def __init__(
        self,
        zones: Iterable[ZoneConfig] | None = None,
        db_path: str = ":memory:",
        *,
        store: ItemStore | None = None,
        law: Law | None = None,
        owner: Owner = LOCAL_OWNER,
        clock: Clock = time.time,
    ) -> None:
        self.store = store or open_store(StorageConfig(db_path))
        self.owner = owner
        self.clock = clock
        if law is None and zones is not None:
            law = Law(CelestialMemoryFunction(zones=zones))
        self._laws = LawInForce(self.store, law or law_in_force(self.store) or Law(), owner, clock())

    def law(self) -> Law:
        """Read the law in force; another process may have changed it."""
        return self._laws.read()

    def adopt(self, law: Law) -> None:
        """Replace the law for every owner of this store."""
        self._laws.adopt(law, self.owner, self.clock())

    def place(self, item: CelestialItem, target_zone: int, score: float | None = None) -> None:
        """Put a memory into a zone; if the zone is then too full, its lowest-scoring memory moves one zone outward.

        The memory competes with `score` until a rebalance or a recall computes it; None: the memory function's.
        A memory that already exists gets the new text, importance and metadata, and keeps its history.
        """
        self._check_zone(target_zone)
        score = _check_score(score)
        check_text(item.content)
        check_importance(item.arbitrary_importance)
        now, law = self.clock(), self.law()
        item.owner = self.owner
        with self.store.write(self.owner) as session:
            if session.items.get(self.owner, item.id) is None:
                stored, kind = (
                    replace(item, zone=target_zone, metadata=check_metadata(item.metadata)),
                    EventType.STORED,
                )
                session.items.add(stored, _course(law, stored, now, score))
            else:
                stored, kind = get_changeable(session, self.owner, item.id, Action.CHANGE), EventType.UPDATED
                stored.content, stored.metadata = item.content, check_metadata(item.metadata)
                stored.arbitrary_importance, stored.zone = item.arbitrary_importance, target_zone
                session.items.rewrite(stored, _course(law, stored, now, score))
            session.ledger.record(Event(kind, self.owner, now, item.id, {"zone": target_zone}))
            self._evict(session, law, now)
            placed = session.items.get(self.owner, item.id)
        item.zone = target_zone if placed is None else placed.zone
        item.total_score = law.function.score(item, now) if score is None else score

    def move(self, item_id: str, from_zone: int, to_zone: int, score: float | None = None) -> bool:
        """Move a memory if it is in `from_zone`, with `score` as in `place`; returns whether it was moved."""
        self._check_zone(to_zone)
        score = _check_score(score)
        now, law = self.clock(), self.law()
        with self.store.write(self.owner) as session:
            item = session.items.get(self.owner, item_id)
            if item is None or not item.state.in_orbit or item.zone != from_zone:
                return False
            key = session.items.key_of(self.owner, item_id)
            self._move(session, [Move(key, from_zone, to_zone)], now)
            if score is not None:
                session.orbits.set_courses(self.owner, [(key, to_zone, _course(law, item, now, score))])
            self._evict(session, law, now)
            return True

    def get_all_items(self) -> list[CelestialItem]:
        return self.scored(lambda session: session.items.newest(self.owner, ItemFilter(), limit=None))

    def scored(self, choose: Callable[[Reader], Sequence[CelestialItem]]) -> list[CelestialItem]:
        """Choose memories, and return them with the scores that they compete with now."""
        law, now = self.law(), self.clock()
        with self.store.read() as session:
            items = choose(session)
            zones = sorted({item.zone for item in items})
            bodies = {body.key: body for body in session.orbits.occupants(self.owner, zones)}
            return [
                replace(item, total_score=_score(law, item, bodies[session.items.key_of(self.owner, item.id)], now))
                for item in items
            ]

    def search(self, query: str, limit: int = 5, query_embedding: list[float] | None = None) -> list[CelestialItem]:
        """Search all zones, best answer first, without reinforcing the results."""
        request = Query(query, self.clock(), query_embedding, floor=0.0)
        result = search(self.store, self.law(), RecallSettings(), Reranker.starting(), self.owner, request, limit)
        ids = [hit.item.id for hit in result.hits]
        return self.scored(lambda session: _in_orbit(session.items.get_many(self.owner, ids)))

    def forget_stale(self, max_age_seconds: float, current_time: float) -> int:
        """Forget memories of the outermost zone that were idle for longer than this; returns how many."""
        law, age = self.law(), timedelta(seconds=max_age_seconds)
        where = ItemFilter(zone=law.function.zones.outermost)
        forgotten = 0
        with self.store.write(self.owner) as session:
            for item in session.items.newest(self.owner, where, limit=None):
                stale = stale_moment(item.tier, item.protection, item.idle_from, age)
                if stale is not None and stale < current_time:
                    move_to_cliff(session, law, item, DepartureReason.STALE, current_time)
                    forgotten += 1
        return forgotten

    def enforce_capacity(self) -> int:
        """Move the lowest of every overfull zone outward; returns how many were moved."""
        law = self.law()
        with self.store.write(self.owner) as session:
            return self._evict(session, law, self.clock())

    def stats(self) -> dict[int, tuple[int, int | None]]:
        """Each zone's occupancy and capacity."""
        configs = self.law().function.zones.configs
        with self.store.read() as session:
            counts = session.orbits.zone_counts(self.owner, [zone.zone_id for zone in configs])
        return {zone.zone_id: (counts[zone.zone_id], zone.max_slots) for zone in configs}

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> ZoneManager:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _check_zone(self, zone: int) -> None:
        outermost = self.law().function.zones.outermost
        if not isinstance(zone, int) or not 0 <= zone <= outermost:
            raise InvalidInputError("zone", Reason.WHOLE_OUT_OF_RANGE, low=0, high=outermost, got=zone)

    def _evict(self, session: Writer, law: Law, now: float) -> int:
        function = law.function
        evicted = 0
        for zone in function.zones.bounded:
            occupants = session.orbits.occupants(self.owner, [zone.zone_id])
            ranked = rank(
                (occupant, function.score_at(occupant.piece, occupant.level, now)) for occupant in occupants
            )
            overflow = [
                Move(occupant.key, zone.zone_id, zone.zone_id + 1) for occupant, _ in ranked[zone.max_slots :]
            ]
            self._move(session, overflow, now)
            evicted += len(overflow)
        session.orbits.settle_again(self.owner, now)
        return evicted

    def _move(self, session: Writer, moves: list[Move], now: float) -> None:
        session.orbits.move(self.owner, moves)
        for move in moves:
            event = Event(
                EventType.MOVED, self.owner, now, session.items.id_of(self.owner, move.key), {"zone": move.to_zone}
            )
            session.ledger.record(event)


def _in_orbit(items: Iterable[CelestialItem]) -> list[CelestialItem]:
    return [item for item in items if item.state.in_orbit]


def _check_score(score: float | None) -> float | None:
    number = isinstance(score, (int, float)) and not isinstance(score, bool) and math.isfinite(score)
    if score is not None and not number:
        raise InvalidInputError("score", Reason.WRONG_VALUE, expected=Expected.NUMBER, got=score)
    return score


def _score(law: Law, item: CelestialItem, body: Body, now: float) -> float:
    """Return the item's score now, with the difference to the memory function that it was placed with."""
    course = course_of(law, item, now)
    # On another piece the stored line is out of date, and the next rebalance computes it again.
    given = body.level - course.level if body.piece == course.piece else 0.0
    return law.function.score(item, now) + given


def _course(law: Law, item: CelestialItem, now: float, score: float | None) -> Course:
    """Return the course of an item that has this score now. The next rebalance computes it again."""
    course = course_of(law, item, now)
    if score is None:
        return course
    level = score - law.function.slopes[course.piece] * now
    return Course(course.piece, level, math.nextafter(now, math.inf))
