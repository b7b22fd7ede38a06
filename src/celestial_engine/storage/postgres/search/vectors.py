"""Vectors: compared exactly within an owner, by pgvector if it is installed; those of large owners by an HNSW index.

pgvector chooses the nearest in single precision; their cosines are then computed as for SQLite, so that both stores
rank alike. Without pgvector all vectors of the owner are read and compared here.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from celestial_engine.storage.postgres.adapters import PgVector, vector_bytes
from celestial_engine.storage.postgres.database import PostgresDatabase
from celestial_engine.storage.postgres.search.hnsw import AS_BEFORE, MOST_COMPARED, nearest_query, prefer_index
from celestial_engine.storage.postgres.search.steps import end_of_step, place, step
from celestial_engine.storage.sqlite.key_sets import Keys
from celestial_engine.storage.sqlite.rows import vector_blob
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT, OWNER_SHIFT
from celestial_engine.storage.sqlite.search.signs import norm_of
from celestial_engine.storage.sqlite.search.vectors import KeyScore, Row, VectorTable

_SPARE = 64  # more than asked for: single precision may swap neighbours
_KEYS_AT_ONCE = 20_000
_WITHOUT = (
    f"{IN_ORBIT} AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.owner = step.owner AND vectors.seq = step.seq)"
)


class PostgresVectorTable(VectorTable):
    """Vectors of one model, in one transaction. Only those of memories in orbit are searched."""

    def __init__(self, db: PostgresDatabase, *, pgvector: bool) -> None:
        super().__init__(db)
        self._pg = db
        self.pgvector = pgvector

    # -- search -------------------------------------------------------------------------------------

    def search(
        self,
        low: int,
        high: int,
        vector: Sequence[float],
        limit: int,
        among: Keys | None = None,
        *,
        large: bool = False,
    ) -> list[KeyScore]:
        """Returns keys with their cosine, nearest first; only above 0. `low` names the owner.

        `large`: the owner may have an HNSW index, which finds most of the nearest and is not asked about some keys.
        """
        owner, count = low >> OWNER_SHIFT, limit + _SPARE
        comparable = self.pgvector and norm_of(array("f", vector)) > 0.0
        if comparable and large and among is None and count <= MOST_COMPARED:
            self._pg.command(prefer_index(count))
            rows = self._pg.execute(nearest_query(owner, len(vector)), (PgVector(vector), count)).fetchall()
            self._pg.command(AS_BEFORE)
        else:
            rows = self._compared_by_server(owner, vector, count if comparable else None, among)
        pairs = [pair for pair in self.compared(sorted(self._read(rows)), vector) if pair[1] > 0.0]
        pairs.sort(key=itemgetter(1), reverse=True)
        return pairs[:limit]

    def _compared_by_server(self, owner: int, vector: Sequence[float], count: int | None, among: Keys | None) -> Any:
        """Returns the rows of the nearest; of all without a count."""
        within, nearest, values = "", "", list[Any]()
        if among is not None:
            within, values = "AND seq = ANY(?)", [list(among)]
        if count is not None:
            nearest = "ORDER BY embedding <=> ?, seq LIMIT ?"
            values += [PgVector(vector), count]
        return self._pg.execute(
            "SELECT seq, embedding, norm FROM vectors "
            f"WHERE owner = ? AND searchable AND dims = ? {within} {nearest}",
            (owner, len(vector), *values),
        )

    def _vectors_of(self, keys: Sequence[int]) -> list[Row]:
        if not keys:
            return []
        return self._read(
            self._pg.execute(
                "SELECT seq, embedding, norm FROM vectors WHERE owner = ? AND seq = ANY(?) ORDER BY seq",
                (keys[0] >> OWNER_SHIFT, list(keys)),
            )
        )

    def _read(self, rows: Any) -> list[Row]:
        if self.pgvector:
            return [(seq, vector_bytes(sent), norm) for seq, sent, norm in rows]
        return list(rows)

    # -- change -------------------------------------------------------------------------------------

    def put(self, seq: int, embedding: list[float] | None, *, searchable: bool) -> None:
        """Stores or removes the vector. Unchanged values are not rewritten."""
        owner = seq >> OWNER_SHIFT
        if embedding is None:
            self.remove(seq)
            return
        row = self._pg.execute(
            "SELECT embedding, searchable FROM vectors WHERE owner = ? AND seq = ?", (owner, seq)
        ).fetchone()
        blob = vector_blob(embedding)
        stored = None if row is None else vector_bytes(row[0]) if self.pgvector else row[0]
        if stored != blob:
            self.add(seq, embedding, searchable=searchable)
        elif row[1] != searchable:
            self._pg.send("UPDATE vectors SET searchable = ? WHERE owner = ? AND seq = ?", (searchable, owner, seq))

    def add(self, seq: int, embedding: list[float], *, searchable: bool) -> None:
        """Stores a vector, in place of another."""
        numbers = array("f", embedding)
        value = PgVector(numbers) if self.pgvector else numbers.tobytes()
        self._pg.send(
            "INSERT INTO vectors (owner, seq, embedding, dims, norm, searchable) VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (owner, seq) DO UPDATE SET embedding = excluded.embedding, dims = excluded.dims, "
            "norm = excluded.norm, searchable = excluded.searchable",
            (seq >> OWNER_SHIFT, seq, value, len(numbers), norm_of(numbers), searchable),
        )

    def remove(self, seq: int) -> None:
        self._pg.send("DELETE FROM vectors WHERE owner = ? AND seq = ?", (seq >> OWNER_SHIFT, seq))

    def blob(self, stored: bytes) -> bytes:
        return vector_bytes(stored) if self.pgvector else stored

    def remove_all(self) -> None:
        self._pg.execute("DELETE FROM vectors")

    def renew_centre(self) -> None:
        """There are no sign codes here, and so no centre."""

    # -- who has none -------------------------------------------------------------------------------

    def dimension(self) -> int | None:
        row = self._pg.execute("SELECT dims FROM vectors LIMIT 1").fetchone()
        return None if row is None else int(row[0])

    def missing(self, after: int, limit: int) -> list[tuple[int, str]]:
        while (last := end_of_step(self._pg, after, _KEYS_AT_ONCE)) is not None:
            rows: list[tuple[int, str]] = self._pg.execute(
                f"SELECT seq, content FROM {step(_KEYS_AT_ONCE)} JOIN texts USING (owner, seq) WHERE {_WITHOUT} "
                "ORDER BY seq LIMIT ?",
                (*place(after), limit),
            ).fetchall()
            if rows:
                return rows
            after = last
        return []

    def count_missing(self, after: int) -> int:
        count = 0
        while (last := end_of_step(self._pg, after, _KEYS_AT_ONCE)) is not None:
            query = f"SELECT count(*) FROM {step(_KEYS_AT_ONCE)} WHERE {_WITHOUT}"
            count += self._pg.execute(query, place(after)).fetchone()[0]
            after = last
        return count
