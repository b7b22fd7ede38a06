"""Zones, courses and what is due, on dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.orbit.zones import Body, Move
from celestial_engine.core.record.forgetting import State, stale_moment
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import Due
from celestial_engine.testing.in_memory.transaction import Row, Transaction


class DictOrbits:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def zone_counts(self, owner: Owner, zones: Sequence[int]) -> dict[int, int]:
        counts = Counter(row.item.zone for row in self._tx.in_orbit(owner))
        return {zone: counts[zone] for zone in zones}

    def count(self, owner: Owner | None = None) -> int:
        if owner is not None:
            return len(self._tx.in_orbit(owner))
        return sum(row.item.state.in_orbit for row in self._tx.data.rows.values())

    def lowest(self, owner: Owner, zone: int, count: int = 1) -> list[Body]:
        pieces: dict[int, list[Body]] = {}
        for body in sorted(self.occupants(owner, [zone]), key=lambda body: (body.level, body.key)):
            pieces.setdefault(body.piece, []).append(body)
        return [body for bodies in pieces.values() for body in bodies[:count]]

    def occupants(self, owner: Owner, zones: Sequence[int]) -> list[Body]:
        return [_body(row) for row in self._tx.in_orbit(owner) if row.item.zone in zones]

    def waiting(self, owner: Owner, zone: int, piece: int, at_least: float, limit: int) -> list[Body]:
        bodies = [b for b in self.occupants(owner, [zone]) if b.piece == piece and b.level >= at_least]
        return sorted(bodies, key=lambda body: (body.level, body.key), reverse=True)[:limit]

    def due(self, now: float, limit: int) -> list[Due]:
        rows = [
            row
            for row in self._tx.data.rows.values()
            if row.course.next_moment is not None and row.course.next_moment <= now
        ]
        rows.sort(key=lambda row: row.course.next_moment or 0.0)
        return [_due(row) for row in rows[:limit]]

    def still_due(self, owner: Owner, keys: Sequence[int], now: float) -> list[Due]:
        return [due for due in self.due(now, len(self._tx.data.rows)) if due.owner == owner and due.key in keys]

    def overdue(self, owner: Owner, at: float, stale_after: float | None) -> list[Due]:
        limit = None if stale_after is None else timedelta(seconds=stale_after)

        def leaves_at(item: CelestialItem) -> float | None:
            if item.departure is not None:
                return item.departure.purge_at
            stale = stale_moment(item.tier, item.protection, item.idle_from, limit)
            return stale if item.state.in_orbit else None

        moments = ((row, leaves_at(row.item)) for row in self._tx.rows_of(owner))
        return [_due(row) for row, moment in moments if moment is not None and moment <= at]

    def law(self) -> str | None:
        return self._tx.data.law

    def unsettled(self, now: float, limit: int) -> list[Owner]:
        return [owner for owner, at in self._tx.data.settle_at.items() if at <= now][:limit]

    def set_courses(self, owner: Owner, courses: Iterable[tuple[int, int, Course]]) -> None:
        self._tx.check_writes(owner)
        for key, zone, course in courses:
            row = self._tx.row(owner, key)
            if row is not None:
                self._tx.data.rows[key] = Row(key, replace(row.item, zone=zone), course)

    def move(self, owner: Owner, moves: Iterable[Move]) -> None:
        self._tx.check_writes(owner)
        for move in moves:
            row = self._tx.row(owner, move.key)
            if row is not None:
                self._tx.data.rows[move.key] = replace(row, item=replace(row.item, zone=move.to_zone))

    def settle_again(self, owner: Owner, at: float | None) -> None:
        self._tx.check_writes(owner)
        if at is None:
            self._tx.data.settle_at.pop(owner, None)
        else:
            self._tx.data.settle_at[owner] = at

    def adopt_law(self, law: str) -> None:
        if self._tx.data.law == law:
            return
        self._tx.check_writes(None)
        self._tx.data.law = law
        for key, row in list(self._tx.data.rows.items()):
            if row.item.state.in_orbit or row.item.state is State.CLIFF:
                self._tx.data.rows[key] = replace(row, course=row.course._replace(next_moment=0.0))


def _body(row: Row) -> Body:
    return Body(row.key, row.item.zone, int(row.course.piece), row.course.level)


def _due(row: Row) -> Due:
    item = row.item
    return Due(
        row.key, item.owner, item.id, item.state, item.zone, item.tier, item.protection, item.recall_count,
        item.last_recalled_at, item.arbitrary_importance, item.context_score, item.departure, item.idle_from,
    )  # fmt: skip
