"""Retention and archives on dictionaries: what `storage/sqlite/shelves.py` does with tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from celestial_engine.core.codec import encode
from celestial_engine.core.keeping.archive import ArchiveNote, PackedVersion
from celestial_engine.core.keeping.backup import BackupReport
from celestial_engine.core.keeping.retention import RetentionRow
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import StorageError

_HELD = (State.ACTIVE, State.FADED, State.INACTIVE, State.ARCHIVED)


@dataclass
class ShelfNotes:
    notes: dict[str, ArchiveNote] = field(default_factory=dict)
    files: dict[int, str] = field(default_factory=dict)  # key of a memory -> where it lies

    def snapshot(self) -> ShelfNotes:
        return ShelfNotes(dict(self.notes), dict(self.files))

    def take_out(self, key: int) -> None:
        """Back or purged: its file holds what it should no longer hold."""
        file = self.files.pop(key, None)
        if file is not None:
            self.notes[file] = self.notes[file]._replace(changed=True)


class _Row(Protocol):
    @property
    def key(self) -> int: ...
    @property
    def item(self) -> CelestialItem: ...


class DictShelves:
    """The shelves of a session on dictionaries, which says who is who."""

    _shelves: ShelfNotes

    def _of(self, owner: Owner) -> Sequence[_Row]:
        raise NotImplementedError

    def key_of(self, owner: Owner, item_id: str) -> int:
        raise NotImplementedError

    def id_of(self, key: int) -> str:
        raise NotImplementedError

    def holdings(self, owner: Owner) -> list[RetentionRow]:
        return [_holding(row.item) for row in self._of(owner) if row.item.state in _HELD]

    def archive_notes(self, owner: Owner | None = None) -> list[ArchiveNote]:
        members = list(self._shelves.files.values())
        notes = [note._replace(memories=members.count(note.file)) for note in self._shelves.notes.values()]
        chosen = [note for note in notes if owner in (None, note.owner)]
        return sorted(chosen, key=lambda note: (note.archived_at, note.file))

    def shelved_in(self, file: str) -> list[str]:
        return [self.id_of(key) for key, where in sorted(self._shelves.files.items()) if where == file]

    def archive_of(self, owner: Owner, item_id: str) -> str | None:
        keys = [row.key for row in self._of(owner) if row.item.id == item_id]
        return self._shelves.files.get(keys[0]) if keys else None

    def begin_archive(self, file: str, owner: Owner, session_id: str | None, now: float) -> None:
        self._shelves.notes[file] = ArchiveNote(file, owner, session_id, now, 0, changed=True)

    def shelve(self, owner: Owner, item_ids: Sequence[str], file: str) -> None:
        for item_id in item_ids:
            key = self.key_of(owner, item_id)
            self._shelves.take_out(key)
            self._shelves.files[key] = file
        self._shelves.notes[file] = self._shelves.notes[file]._replace(changed=False)

    def drop_archive(self, file: str) -> None:
        del self._shelves.notes[file]

    def take_versions(self, owner: Owner, item_id: str) -> list[PackedVersion]:
        return []

    def put_versions(self, owner: Owner, item_id: str, versions: Sequence[PackedVersion]) -> None:
        """What was not taken need not come back."""


def no_backup(path: str) -> BackupReport:
    raise StorageError(path=path, reason="a memory that keeps nothing has nothing to back up")


def _holding(item: CelestialItem) -> RetentionRow:
    facets = replace(item, id="", content="", embedding=None, created_at=0.0, last_recalled_at=0.0)
    size = len(item.content.encode()) + len(str(encode(facets, sparse=True)).encode()) + 4 * len(item.embedding or ())
    return RetentionRow(
        item.id,
        item.time.session_id,
        max(item.created_at, item.last_recalled_at),
        item.arbitrary_importance,
        size,
        item.protection is not Protection.NONE,
        item.state is State.ARCHIVED,
    )
