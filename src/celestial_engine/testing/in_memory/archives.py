"""Retention and archives on dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from celestial_engine.core.codec import encode
from celestial_engine.core.keeping.archive import ArchiveNote, PackedVersion
from celestial_engine.core.keeping.retention import RetentionRow
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.testing.in_memory.transaction import Transaction

_RETAINED_STATES = (State.ACTIVE, State.FADED, State.INACTIVE, State.ARCHIVED)


class DictArchives:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def retention_rows(self, owner: Owner) -> list[RetentionRow]:
        return [_retention_row(row.item) for row in self._tx.rows_of(owner) if row.item.state in _RETAINED_STATES]

    def notes(self, owner: Owner | None = None) -> list[ArchiveNote]:
        members = list(self._tx.data.archive_files.values())
        notes = [note._replace(memories=members.count(note.file)) for note in self._tx.data.archive_notes.values()]
        chosen = [note for note in notes if owner in (None, note.owner)]
        return sorted(chosen, key=lambda note: (note.archived_at, note.file))

    def members(self, owner: Owner, file: str) -> list[str]:
        return [row.item.id for row in self._tx.rows_of(owner) if self._tx.data.archive_files.get(row.key) == file]

    def file_of(self, owner: Owner, item_id: str) -> str | None:
        key = self._tx.data.keys.get((owner, item_id))
        return None if key is None else self._tx.data.archive_files.get(key)

    def begin(self, owner: Owner, file: str, session_id: str | None, now: float) -> None:
        self._tx.check_writes(owner)
        self._tx.data.archive_notes[file] = ArchiveNote(file, owner, session_id, now, 0, changed=True)

    def add_members(self, owner: Owner, file: str, item_ids: Sequence[str]) -> None:
        self._tx.check_writes(owner)
        for item_id in item_ids:
            key = self._tx.data.keys[(owner, item_id)]
            self.take_out(key)
            self._tx.data.archive_files[key] = file
        self._tx.data.archive_notes[file] = self._tx.data.archive_notes[file]._replace(changed=False)

    def remove(self, owner: Owner, file: str) -> None:
        self._tx.check_writes(owner)
        del self._tx.data.archive_notes[file]

    def take_versions(self, owner: Owner, item_id: str) -> list[PackedVersion]:
        self._tx.check_writes(owner)
        return []

    def put_versions(self, owner: Owner, item_id: str, versions: Sequence[PackedVersion]) -> None:
        """Nothing to do: `take_versions` returns none."""
        self._tx.check_writes(owner)

    def take_out(self, key: int) -> None:
        """Mark the file of a memory as outdated, because the memory was restored or purged."""
        file = self._tx.data.archive_files.pop(key, None)
        if file is not None:
            self._tx.data.archive_notes[file] = self._tx.data.archive_notes[file]._replace(changed=True)


def _retention_row(item: CelestialItem) -> RetentionRow:
    facets = replace(item, id="", content="", embedding=None, created_at=0.0, last_recalled_at=0.0)
    size = len(item.content.encode()) + len(str(encode(facets, sparse=True)).encode()) + 4 * len(item.embedding or ())
    return RetentionRow(
        item.id,
        item.time.session_id,
        max(item.created_at, item.idle_from),
        item.arbitrary_importance,
        size,
        item.protection is not Protection.NONE,
        item.state is State.ARCHIVED,
    )
