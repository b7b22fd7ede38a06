"""Session group `sync`: what is known about each memory on every device of the owner, as bytes that `core` reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.record.owner import Owner


class SyncRecord(NamedTuple):
    """The merged state of one memory; of the self, if the id is empty.

    `marks` holds ids, numbers and times, `texts` everything else; a purge deletes `texts`. `changed` counts the
    changes of all records, and `origin` is the place that the last one came from.
    """

    item_id: str
    marks: bytes
    texts: bytes | None
    changed: int
    origin: str = ""


class SyncRecords(Protocol):
    """Records and notes of one owner at a time. Consistency: the state at the start of the session."""

    def note(self, owner: Owner, name: str) -> bytes | None:
        """One note of this device: its identity, what it has published, what it has read."""
        ...

    def notes(self, owner: Owner, prefix: str) -> dict[str, bytes]:
        """The notes whose names begin with `prefix`, in the order of their names."""
        ...

    def records(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, SyncRecord]:
        """These records by their ids; missing ones are left out."""
        ...

    def page(self, owner: Owner, after: str | None, limit: int) -> list[SyncRecord]:
        """The next records behind this id, in the order of ids; None starts at the beginning."""
        ...

    def changed(self, owner: Owner, after: int, limit: int) -> list[SyncRecord]:
        """The next records whose `changed` is higher, in that order."""
        ...


class SyncRecordWriter(SyncRecords, Protocol):
    """Reads and writes; reads see what this session wrote."""

    def put_note(self, owner: Owner, name: str, packed: bytes) -> None:
        """Inserts or replaces the note."""
        ...

    def drop_note(self, owner: Owner, name: str) -> None:
        """Deletes the note; nothing happens if there is none."""
        ...

    def put_record(self, owner: Owner, record: SyncRecord) -> None:
        """Inserts or replaces the record."""
        ...
