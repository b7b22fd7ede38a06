"""The embedder's name and missing vectors, on dictionaries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import ItemKey, MissingVector
from celestial_engine.testing.in_memory.transaction import Transaction


class DictVectors:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def embedder_name(self) -> str | None:
        return self._tx.data.embedder

    def dimension(self) -> int | None:
        vectors = (row.item.embedding for row in self._tx.data.rows.values())
        return next((len(vector) for vector in vectors if vector is not None), None)

    def missing(self, after: ItemKey | None, limit: int) -> list[MissingVector]:
        without_vector = [
            MissingVector(ItemKey(row.item.owner, row.key), row.item.content)
            for row in self._tx.data.rows.values()
            if row.item.state.in_orbit and row.item.embedding is None
        ]
        return [entry for entry in sorted(without_vector) if after is None or entry.key > after][:limit]

    def count_missing(self, after: ItemKey | None) -> int:
        return len(self.missing(after, len(self._tx.data.rows)))

    def adopt_embedder(self, name: str) -> None:
        self._tx.check_writes(None)
        self._tx.data.embedder = name
        for key, row in list(self._tx.data.rows.items()):
            self._tx.data.rows[key] = replace(row, item=replace(row.item, embedding=None))

    def put_missing(self, owner: Owner, vectors: Iterable[tuple[int, str, list[float]]]) -> None:
        self._tx.check_writes(owner)
        for key, text, vector in vectors:
            row = self._tx.row(owner, key)
            if row is not None and (row.item.content, row.item.embedding) == (text, None) and row.item.state.in_orbit:
                self._tx.data.rows[key] = replace(row, item=replace(row.item, embedding=vector))
