"""Which embedder made the vectors, and which memories have none."""

from __future__ import annotations

from collections.abc import Iterable

from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import ItemKey, MissingVector
from celestial_engine.storage.sqlite.items.vectors import SqliteVectors
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT


class PostgresVectors(SqliteVectors):
    """Reads within one transaction."""

    __slots__ = ()

    def dimension(self) -> int | None:
        self._tx.see_all_owners()
        return super().dimension()

    def missing(self, after: ItemKey | None, limit: int) -> list[MissingVector]:
        self._tx.see_all_owners()
        return super().missing(after, limit)

    def count_missing(self, after: ItemKey | None) -> int:
        self._tx.see_all_owners()
        return super().count_missing(after)


class PostgresVectorWriter(PostgresVectors):
    """Reads and writes vectors."""

    __slots__ = ()

    def adopt_embedder(self, name: str) -> None:
        self._tx.set_setting("embedder", name)
        self._tx.vectors.remove_all()

    def put_missing(self, owner: Owner, vectors: Iterable[tuple[int, str, list[float]]]) -> None:
        number = self._tx.writable(owner)
        for seq, text, vector in vectors:
            waiting = self._tx.db.execute(
                "SELECT 1 FROM items JOIN texts USING (owner, seq) LEFT JOIN vectors USING (owner, seq) "
                f"WHERE owner = ? AND seq = ? AND content = ? AND embedding IS NULL AND {IN_ORBIT}",
                (number, seq, text),
            ).fetchone()
            if waiting:
                self._tx.vectors.put(seq, vector, searchable=True)
