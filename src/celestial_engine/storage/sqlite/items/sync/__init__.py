"""What is known about each memory on every device of its owner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from celestial_engine.core.record.owner import Owner
from celestial_engine.ports.sync import SyncRecord
from celestial_engine.storage.sqlite.items.transaction import Transaction

_COLUMNS = "item_id, marks, texts, changed, origin"
_LAST_CHARACTER = "\U0010ffff"
_AT_ONCE = 500  # values in one statement


class SqliteSync:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def note(self, owner: Owner, name: str) -> bytes | None:
        row = self._tx.db.execute(
            "SELECT packed FROM sync_notes WHERE owner = ? AND name = ?", (self._tx.number(owner), name)
        ).fetchone()
        return None if row is None else bytes(row[0])

    def notes(self, owner: Owner, prefix: str) -> dict[str, bytes]:
        rows = self._tx.db.execute(
            "SELECT name, packed FROM sync_notes WHERE owner = ? AND name >= ? AND name < ? ORDER BY name",
            (self._tx.number(owner), prefix, prefix + _LAST_CHARACTER),
        )
        return {name: bytes(packed) for name, packed in rows}

    def records(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, SyncRecord]:
        by_id: dict[str, SyncRecord] = {}
        for start in range(0, len(item_ids), _AT_ONCE):
            part = list(item_ids[start : start + _AT_ONCE])
            marks = ", ".join("?" * len(part))
            rows = self._tx.db.execute(
                f"SELECT {_COLUMNS} FROM sync_records WHERE owner = ? AND item_id IN ({marks})",
                (self._tx.number(owner), *part),
            )
            by_id.update((record.item_id, record) for record in _records(rows))
        return by_id

    def page(self, owner: Owner, after: str | None, limit: int) -> list[SyncRecord]:
        behind = "" if after is None else "AND item_id > ? "
        rows = self._tx.db.execute(
            f"SELECT {_COLUMNS} FROM sync_records WHERE owner = ? {behind}ORDER BY item_id LIMIT ?",
            (self._tx.number(owner), *([] if after is None else [after]), limit),
        )
        return _records(rows)

    def changed(self, owner: Owner, after: int, limit: int) -> list[SyncRecord]:
        rows = self._tx.db.execute(
            f"SELECT {_COLUMNS} FROM sync_records WHERE owner = ? AND changed > ? ORDER BY changed LIMIT ?",
            (self._tx.number(owner), after, limit),
        )
        return _records(rows)


class SqliteSyncWriter(SqliteSync):
    """Reads and writes records and notes."""

    __slots__ = ()

    def put_note(self, owner: Owner, name: str, packed: bytes) -> None:
        self._tx.db.execute(
            "INSERT INTO sync_notes (owner, name, packed) VALUES (?, ?, ?) "
            "ON CONFLICT (owner, name) DO UPDATE SET packed = excluded.packed",
            (self._tx.enrolled(owner), name, packed),
        )

    def drop_note(self, owner: Owner, name: str) -> None:
        self._tx.db.execute("DELETE FROM sync_notes WHERE owner = ? AND name = ?", (self._tx.writable(owner), name))

    def put_record(self, owner: Owner, record: SyncRecord) -> None:
        self._tx.db.execute(
            "INSERT INTO sync_records (owner, item_id, marks, texts, changed, origin) VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (owner, item_id) DO UPDATE SET marks = excluded.marks, texts = excluded.texts, "
            "changed = excluded.changed, origin = excluded.origin",
            (self._tx.enrolled(owner), *record),
        )


def _records(rows: Iterable[Any]) -> list[SyncRecord]:
    return [
        SyncRecord(item_id, bytes(marks), None if texts is None else bytes(texts), changed, origin)
        for item_id, marks, texts, changed, origin in rows
    ]
