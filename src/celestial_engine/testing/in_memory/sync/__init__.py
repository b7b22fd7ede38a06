"""What is known about each memory on every device, on dictionaries."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.core.record.owner import Owner
from celestial_engine.ports.sync import SyncRecord
from celestial_engine.testing.in_memory.transaction import Transaction


class DictSync:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def note(self, owner: Owner, name: str) -> bytes | None:
        return self._tx.data.sync_notes.get((owner, name))

    def notes(self, owner: Owner, prefix: str) -> dict[str, bytes]:
        rows = sorted(self._tx.data.sync_notes.items(), key=lambda row: row[0][1])
        return {name: packed for (whose, name), packed in rows if whose == owner and name.startswith(prefix)}

    def records(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, SyncRecord]:
        stored = self._tx.data.sync_records
        return {item_id: stored[owner, item_id] for item_id in item_ids if (owner, item_id) in stored}

    def page(self, owner: Owner, after: str | None, limit: int) -> list[SyncRecord]:
        return [
            record
            for record in sorted(self._of(owner), key=lambda record: record.item_id.encode())
            if after is None or record.item_id.encode() > after.encode()
        ][:limit]

    def changed(self, owner: Owner, after: int, limit: int) -> list[SyncRecord]:
        newer = (record for record in self._of(owner) if record.changed > after)
        return sorted(newer, key=lambda record: record.changed)[:limit]

    def put_note(self, owner: Owner, name: str, packed: bytes) -> None:
        self._tx.check_writes(owner)
        self._tx.data.sync_notes[owner, name] = packed

    def drop_note(self, owner: Owner, name: str) -> None:
        self._tx.check_writes(owner)
        self._tx.data.sync_notes.pop((owner, name), None)

    def put_record(self, owner: Owner, record: SyncRecord) -> None:
        self._tx.check_writes(owner)
        self._tx.data.sync_records[owner, record.item_id] = record

    def forget_item(self, owner: Owner, item_id: str) -> None:
        record = self._tx.data.sync_records.get((owner, item_id))
        if record is not None:
            self._tx.data.sync_records[owner, item_id] = record._replace(texts=None)

    def _of(self, owner: Owner) -> list[SyncRecord]:
        return [record for (whose, _), record in self._tx.data.sync_records.items() if whose == owner]
