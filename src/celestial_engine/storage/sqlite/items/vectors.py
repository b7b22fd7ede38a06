"""Which embedder made the vectors, and which memories have none."""

from __future__ import annotations

from collections.abc import Iterable

from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import ItemKey, MissingVector
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT, OWNER_SHIFT


class SqliteVectors:
    """Reads within one transaction. A key holds its owner's number, so keys rise owner by owner."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def embedder_name(self) -> str | None:
        return self._tx.setting("embedder")

    def dimension(self) -> int | None:
        return self._tx.vectors.dimension()

    def missing(self, after: ItemKey | None, limit: int) -> list[MissingVector]:
        rows = self._tx.vectors.missing(-1 if after is None else after.key, limit)
        owners = {number: self._tx.owner(number) for number in {seq >> OWNER_SHIFT for seq, _ in rows}}
        return [MissingVector(ItemKey(owners[seq >> OWNER_SHIFT], seq), text) for seq, text in rows]

    def count_missing(self, after: ItemKey | None) -> int:
        return self._tx.vectors.count_missing(-1 if after is None else after.key)


class SqliteVectorWriter(SqliteVectors):
    """Reads and writes vectors."""

    __slots__ = ()

    def adopt_embedder(self, name: str) -> None:
        self._tx.set_setting("embedder", name)
        self._tx.vectors.remove_all()

    def put_missing(self, owner: Owner, vectors: Iterable[tuple[int, str, list[float]]]) -> None:
        number = self._tx.writable(owner)
        for seq, text, vector in vectors:
            waiting = self._tx.db.execute(
                f"SELECT 1 FROM {self._tx.dialect.records} "
                f"WHERE items.owner = ? AND items.seq = ? AND content = ? AND embedding IS NULL AND {IN_ORBIT}",
                (number, seq, text),
            ).fetchone()
            if waiting:
                self._tx.vectors.put(seq, vector, searchable=True)
