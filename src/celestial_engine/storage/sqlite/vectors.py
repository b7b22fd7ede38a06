"""The vectors: scanned by their signs, the nearest compared exactly. No index file, nothing to rebuild."""

from __future__ import annotations

import heapq
import math
import sqlite3
from array import array
from collections.abc import Sequence
from operator import mul

from celestial_engine.storage.sqlite.rows import vector_blob

_RESCORED = 600  # how many of the nearest sign codes are compared exactly; fewer are compared all
_WITHOUT = (
    "items JOIN texts USING (seq) "
    "WHERE seq > ? AND state IN ('active', 'faded') AND seq NOT IN (SELECT seq FROM vectors)"
)


class VectorTable:
    """Vectors of one model, in one transaction. Only those of memories in orbit have signs, and are found."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def search(self, low: int, high: int, vector: Sequence[float], limit: int) -> list[tuple[int, float]]:
        """Keys between `low` and `high` with their cosine, nearest first. Who points away is not near."""
        asked = array("f", vector)
        asked_signs = _signs(asked)
        rows = self._db.execute(
            "SELECT seq, bits FROM signs WHERE seq BETWEEN ? AND ? AND length(bits) = ?",
            (low, high, (len(asked) + 7) // 8),
        ).fetchall()
        if len(rows) > max(_RESCORED, limit):
            rows = heapq.nsmallest(
                max(_RESCORED, limit), rows, key=lambda row: (int.from_bytes(row[1], "big") ^ asked_signs).bit_count()
            )
        found = self.compare([seq for seq, _ in rows], vector)
        return heapq.nlargest(limit, [pair for pair in found if pair[1] > 0.0], key=lambda pair: pair[1])

    def compare(self, keys: Sequence[int], vector: Sequence[float]) -> list[tuple[int, float]]:
        """The exact cosine of each that has a vector of this length."""
        asked = array("f", vector)
        norm = math.hypot(*asked)
        found: list[tuple[int, float]] = []
        for seq in keys:
            row = self._db.execute("SELECT embedding FROM vectors WHERE seq = ?", (seq,)).fetchone()
            stored = array("f", b"" if row is None else row[0])
            size = math.hypot(*stored) * norm
            if len(stored) == len(asked) and size > 0.0:
                found.append((seq, sum(map(mul, stored, asked)) / size))
        return found

    def add(self, seq: int, embedding: list[float], *, searchable: bool) -> None:
        self._db.execute("INSERT INTO vectors (seq, embedding) VALUES (?, ?)", (seq, vector_blob(embedding)))
        if searchable:
            bits = _signs(embedding).to_bytes((len(embedding) + 7) // 8, "big")
            self._db.execute("INSERT INTO signs (seq, bits) VALUES (?, ?)", (seq, bits))

    def remove(self, seq: int) -> None:
        self._db.execute("DELETE FROM vectors WHERE seq = ?", (seq,))
        self._db.execute("DELETE FROM signs WHERE seq = ?", (seq,))

    def remove_all(self) -> None:
        self._db.execute("DELETE FROM vectors")
        self._db.execute("DELETE FROM signs")

    def dimension(self) -> int | None:
        row = self._db.execute("SELECT length(embedding) / 4 FROM vectors LIMIT 1").fetchone()
        return None if row is None else int(row[0])

    def missing(self, after: int, limit: int) -> list[tuple[int, str]]:
        return self._db.execute(
            f"SELECT seq, content FROM {_WITHOUT} ORDER BY seq LIMIT ?", (after, limit)
        ).fetchall()

    def count_missing(self, after: int) -> int:
        return int(self._db.execute(f"SELECT count(*) FROM {_WITHOUT}", (after,)).fetchone()[0])


def _signs(vector: Sequence[float]) -> int:
    """One bit a dimension, set where the vector is positive."""
    return int("".join("1" if value > 0 else "0" for value in vector), 2)
