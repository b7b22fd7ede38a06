"""Zones, courses and due memories, through their indexes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from celestial_engine.core.orbit.memory_function import Course, Piece
from celestial_engine.core.orbit.zones import Body, Move
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import Due
from celestial_engine.storage.sqlite.items.transaction import (
    SQL_VARIABLES,
    Transaction,
    number_list,
    update_zone_index,
)
from celestial_engine.storage.sqlite.rows import departure_from, enum_value
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT

_DUE_COLUMNS = (
    "seq, owner, id, state, zone, tier, protection, recall_count, last_recalled_at, arbitrary_importance, "
    "context_score, departed_for, departed_at, purge_at, coalesce(idle_since, last_recalled_at)"
)

_LOWEST = " UNION ALL ".join(
    "SELECT * FROM (SELECT seq, zone, piece, level FROM items WHERE owner = ? AND zone = ? AND piece = ? "
    f"AND {IN_ORBIT} ORDER BY level, seq LIMIT ?) AS lowest_{int(piece)}"
    for piece in Piece
)


class SqliteOrbits:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def zone_counts(self, owner: Owner, zones: Sequence[int]) -> dict[int, int]:
        rows = self._tx.db.execute(
            f"SELECT zone, count(*) FROM items WHERE owner = ? AND zone IN ({number_list(zones)}) AND {IN_ORBIT} "
            "GROUP BY zone",
            (self._tx.number(owner),),
        )
        return dict.fromkeys(zones, 0) | dict(rows.fetchall())

    def count(self, owner: Owner | None = None) -> int:
        total = f"SELECT coalesce(sum(orbiting), 0) FROM {self._tx.dialect.owner_state}"
        if owner is None:
            self._tx.see_all_owners()
            return int(self._tx.db.execute(total).fetchone()[0])
        return int(self._tx.db.execute(f"{total} WHERE owner = ?", (self._tx.number(owner),)).fetchone()[0])

    def lowest(self, owner: Owner, zone: int, count: int = 1) -> list[Body]:
        number = self._tx.number(owner)
        rows = self._tx.db.execute(_LOWEST, [value for piece in Piece for value in (number, zone, int(piece), count)])
        return [Body(*row) for row in rows]

    def occupants(self, owner: Owner, zones: Sequence[int]) -> list[Body]:
        rows = self._tx.db.execute(
            f"SELECT seq, zone, piece, level FROM items "
            f"WHERE owner = ? AND zone IN ({number_list(zones)}) AND {IN_ORBIT}",
            (self._tx.number(owner),),
        )
        return [Body(*row) for row in rows]

    def waiting(self, owner: Owner, zone: int, piece: int, at_least: float, limit: int) -> list[Body]:
        rows = self._tx.db.execute(
            f"SELECT seq, zone, piece, level FROM items WHERE owner = ? AND zone = ? AND piece = ? "
            f"AND level >= ? AND {IN_ORBIT} ORDER BY level DESC, seq DESC LIMIT ?",
            (self._tx.number(owner), zone, piece, at_least, limit),
        )
        return [Body(*row) for row in rows]

    def due(self, now: float, limit: int) -> list[Due]:
        self._tx.see_all_owners()
        rows = self._tx.db.execute(
            f"SELECT {_DUE_COLUMNS} FROM items WHERE next_moment <= ? ORDER BY next_moment, seq LIMIT ?", (now, limit)
        )
        return self._due_from(rows.fetchall())

    def still_due(self, owner: Owner, keys: Sequence[int], now: float) -> list[Due]:
        number, (lowest, highest) = self._tx.number(owner), self._tx.key_range(owner)
        rows: list[tuple[Any, ...]] = []
        for start in range(0, len(keys), SQL_VARIABLES):
            part = [key for key in keys[start : start + SQL_VARIABLES] if lowest <= key <= highest]
            condition, values = self._tx.with_keys(number, part)
            rows += self._tx.db.execute(
                f"SELECT next_moment, {_DUE_COLUMNS} FROM items WHERE {condition} AND next_moment <= ?",
                (*values, now),
            )
        return self._due_from([row[1:] for row in sorted(rows, key=lambda row: row[0])])

    def overdue(self, owner: Owner, at: float, stale_after: float | None) -> list[Due]:
        condition, values = self._tx.of_owner(owner)
        rows = self._tx.db.execute(
            f"SELECT {_DUE_COLUMNS} FROM items WHERE {condition} AND (state = 'cliff' AND purge_at <= ? OR "
            f"{IN_ORBIT} AND protection = 'none' AND tier IN ('M30', 'M90') "
            "AND coalesce(idle_since, last_recalled_at) + ? <= ?) ORDER BY seq",
            (*values, at, stale_after, at),
        )
        return self._due_from(rows.fetchall())

    def _due_from(self, rows: Sequence[tuple[Any, ...]]) -> list[Due]:
        owners = {number: self._tx.owner(number) for number in {row[1] for row in rows}}
        return [
            Due(row[0], owners[row[1]], row[2], enum_value(State, row[3]), row[4], enum_value(Tier, row[5]),
                enum_value(Protection, row[6]), row[7], row[8], row[9], row[10], departure_from(*row[11:14]), row[14])
            for row in rows
        ]  # fmt: skip

    def law(self) -> str | None:
        return self._tx.setting("law")

    def unsettled(self, now: float, limit: int) -> list[Owner]:
        self._tx.see_all_owners()
        rows = self._tx.db.execute(
            f"SELECT user_id, agent_id FROM {self._tx.dialect.owners} "
            "WHERE settle_at <= ? ORDER BY settle_at, owner LIMIT ?",
            (now, limit),
        )
        return [Owner(*row) for row in rows]


class SqliteOrbitWriter(SqliteOrbits):
    """Reads and writes zones and courses."""

    __slots__ = ()

    def set_courses(self, owner: Owner, courses: Iterable[tuple[int, int, Course]]) -> None:
        number, courses = self._tx.writable(owner), list(courses)
        update_zone_index(self._tx, number, {key: zone for key, zone, _ in courses})
        self._tx.db.executemany(
            "UPDATE items SET zone = ?, piece = ?, level = ?, next_moment = ? WHERE seq = ? AND owner = ?",
            [
                (zone, int(course.piece), course.level, course.next_moment, key, number)
                for key, zone, course in courses
            ],
        )

    def move(self, owner: Owner, moves: Iterable[Move]) -> None:
        number, zones = self._tx.writable(owner), {move.key: move.to_zone for move in moves}
        update_zone_index(self._tx, number, zones)
        self._tx.db.executemany(
            "UPDATE items SET zone = ? WHERE seq = ? AND owner = ?",
            [(zone, key, number) for key, zone in zones.items()],
        )

    def settle_again(self, owner: Owner, at: float | None) -> None:
        self._tx.send(
            f"UPDATE {self._tx.dialect.owner_state} SET settle_at = ? WHERE owner = ?", (at, self._tx.writable(owner))
        )

    def adopt_law(self, law: str) -> None:
        if self.law() == law:
            return
        self._tx.set_setting("law", law)
        self._tx.db.execute(f"UPDATE items SET next_moment = 0 WHERE {IN_ORBIT} OR state = 'cliff'")
