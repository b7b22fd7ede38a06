"""The rows of an owner, as every store has them: keys count within the owner, vectors are bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from celestial_engine.core.ledger.chain import CarriedSeal, Entry, Head
from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports.moving import MemoryRow, Row, VersionRow
from celestial_engine.storage.sqlite.items.ledger import SqliteLedgerWriter
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.moving.owner_lists import lists, replace_lists
from celestial_engine.storage.sqlite.rows import ITEM_COLUMNS, facets_written_out, item_from
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT

_KEYS = (1 << OWNER_SHIFT) - 1
_COURSE = 3  # the last values of a row: piece, level and next moment


class _ItemWriter(Protocol):
    def add_at(self, seq: int, item: CelestialItem, course: Course) -> None: ...
    def rewrite(self, item: CelestialItem, course: Course) -> None: ...
    def purge(self, owner: Owner, item_id: str) -> None: ...


class SqlOwnerRows:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def memories(self, owner: Owner, after: int, limit: int) -> list[MemoryRow]:
        dialect, (low, high) = self._tx.dialect, self._tx.key_range(owner)
        condition, values = self._tx.of_owner(owner)
        rows = self._tx.db.execute(
            f"SELECT {ITEM_COLUMNS}, piece, level, next_moment "
            f"FROM {dialect.records} WHERE {condition} AND items.seq BETWEEN ? AND ? ORDER BY items.seq LIMIT ?",
            (*values, low + after + 1, high, limit),
        ).fetchall()
        return [MemoryRow(row[0] & _KEYS, self._plain(row[1:])) for row in rows]

    def _plain(self, values: Row) -> Row:
        *before, content, metadata, facets, stored = values[:-_COURSE]
        vector = None if stored is None else self._tx.vectors.blob(stored)
        return (*before, content, metadata, facets_written_out(content, facets), vector, *values[-_COURSE:])

    def versions(self, owner: Owner, after: int, limit: int) -> list[VersionRow]:
        rows = self._tx.db.execute(
            "SELECT number, item_id, salt, memory FROM versions WHERE owner = ? AND number > ? "
            "ORDER BY number LIMIT ?",
            (self._tx.number(owner), after, limit),
        )
        return [VersionRow(*row) for row in rows]

    def lists(self, owner: Owner) -> dict[str, list[Row]]:
        return lists(self._tx, owner)

    def last_memory(self, owner: Owner) -> int:
        condition, values = self._tx.of_owner(owner)
        row = self._tx.db.execute(f"SELECT max(items.seq) FROM items WHERE {condition}", values).fetchone()
        return 0 if row[0] is None else int(row[0]) & _KEYS

    def last_entry(self, owner: Owner) -> Head | None:
        row = self._tx.db.execute(
            "SELECT number, hash FROM ledger WHERE owner = ? ORDER BY number DESC LIMIT 1",
            (self._tx.number(owner),),
        ).fetchone()
        return None if row is None else Head(row[0], row[1].hex())

    def counts(self, owner: Owner) -> dict[str, int]:
        number, (condition, values) = self._tx.number(owner), self._tx.of_owner(owner)
        queries = {
            "memories": (f"items WHERE {condition}", values),
            "vectors": (f"items JOIN vectors {self._tx.dialect.same_item} WHERE {condition}", values),
            "entries": ("ledger WHERE owner = ?", (number,)),
            "versions": ("versions WHERE owner = ?", (number,)),
        }
        return {
            name: int(self._tx.db.execute(f"SELECT count(*) FROM {rows}", values).fetchone()[0])
            for name, (rows, values) in queries.items()
        }


class SqlOwnerRowWriter(SqlOwnerRows):
    """Reads and writes within one transaction."""

    __slots__ = ("_items", "_ledger")

    def __init__(self, transaction: Transaction, items: _ItemWriter, ledger: SqliteLedgerWriter) -> None:
        super().__init__(transaction)
        self._items = items
        self._ledger = ledger

    def put_memories(self, owner: Owner, rows: Iterable[MemoryRow]) -> None:
        rows, number = list(rows), self._tx.enrolled(owner)
        existing_ids = self._ids(number, [row.key for row in rows])
        for row in rows:
            seq, course = number << OWNER_SHIFT | row.key, Course(*row.values[-_COURSE:])
            item = item_from((seq, *row.values[:-_COURSE]), owner)
            if existing_ids.get(seq) == item.id:
                self._items.rewrite(item, course)
                continue
            if seq in existing_ids:  # purged since, and the key was given to another memory
                self._items.purge(owner, existing_ids[seq])
            self._items.add_at(seq, item, course)

    def remove_memories(self, owner: Owner, keys: Iterable[int]) -> None:
        for item_id in self._ids(self._tx.number(owner), list(keys)).values():
            self._items.purge(owner, item_id)

    def _ids(self, number: int, keys: Sequence[int]) -> dict[int, str]:
        if not keys:
            return {}
        condition, values = self._tx.with_keys(number, [number << OWNER_SHIFT | key for key in keys])
        return dict(self._tx.db.execute(f"SELECT seq, id FROM items WHERE {condition}", values).fetchall())

    def put_versions(self, owner: Owner, rows: Iterable[VersionRow]) -> None:
        number = self._tx.enrolled(owner)
        self._tx.db.executemany(
            "INSERT INTO versions (owner, number, item_id, salt, memory) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (owner, number) DO UPDATE SET item_id = excluded.item_id, salt = excluded.salt, "
            "memory = excluded.memory",
            [(number, *row) for row in rows],
        )

    def remove_versions(self, owner: Owner, numbers: Iterable[int]) -> None:
        number = self._tx.writable(owner)
        self._tx.db.executemany(
            "DELETE FROM versions WHERE owner = ? AND number = ?", [(number, one) for one in numbers]
        )

    def replace_lists(self, owner: Owner, lists: Mapping[str, Sequence[Row]]) -> None:
        replace_lists(self._tx, owner, lists)

    def append_entries(self, owner: Owner, entries: Iterable[Entry]) -> None:
        self._ledger.append_entries(owner, entries)

    def carry_seal(self, owner: Owner, seal: CarriedSeal, at: float) -> None:
        self._ledger.carry_seal(owner, seal, at)
