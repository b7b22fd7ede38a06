"""Which embedder made the vectors, and which memories have none."""

from __future__ import annotations

from celestial_engine.ports import ItemKey, MissingVector
from celestial_engine.storage.sqlite.items.vectors import SqliteVectors, SqliteVectorWriter


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


class PostgresVectorWriter(PostgresVectors, SqliteVectorWriter):
    """Reads and writes vectors."""

    __slots__ = ()
