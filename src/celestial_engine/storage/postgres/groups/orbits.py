"""Zones: the lowest memories of a zone are asked for together, because each query waits for the server."""

from __future__ import annotations

from celestial_engine.core.orbit.memory_function import Piece
from celestial_engine.core.orbit.zones import Body
from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.orbits import SqliteOrbitWriter
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT

_PIECES = [int(piece) for piece in Piece]


class PostgresOrbits(SqliteOrbitWriter):
    """Reads and writes zones and courses; a session that reads offers only the reads."""

    __slots__ = ()

    def lowest(self, owner: Owner, zone: int) -> list[Body]:
        rows = self._tx.db.execute(
            "SELECT seq, zone, lowest.piece, level FROM unnest(?::int[]) WITH ORDINALITY AS asked (piece, place) "
            "CROSS JOIN LATERAL (SELECT seq, zone, piece, level FROM items WHERE owner = ? AND zone = ? "
            f"AND piece = asked.piece AND {IN_ORBIT} ORDER BY level, seq LIMIT 1) AS lowest ORDER BY place",
            (_PIECES, self._tx.number(owner), zone),
        )
        return [Body(*row) for row in rows]
