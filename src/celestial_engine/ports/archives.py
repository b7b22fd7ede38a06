"""Session group `archives`: the rows for retention, and which memory is in which archive file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.keeping.archive import ArchiveNote, PackedVersion
    from celestial_engine.core.keeping.retention import RetentionRow
    from celestial_engine.core.record.owner import Owner


class Archives(Protocol):
    """The rows about archive files; the files themselves are `store.archive_files`.

    Consistency: the state at the start of the session. A file is announced here before it is written, so every
    file that exists has a note.
    """

    def retention_rows(self, owner: Owner) -> list[RetentionRow]:
        """One row for each active, faded, inactive or archived memory, in the order of storing."""
        ...

    def notes(self, owner: Owner | None = None) -> list[ArchiveNote]:
        """The archive files of an owner, or of all owners, by the time of archiving, then by name."""
        ...

    def members(self, owner: Owner, file: str) -> list[str]:
        """The ids of the memories in this file, in the order of storing; empty for an unknown file."""
        ...

    def file_of(self, owner: Owner, item_id: str) -> str | None:
        """The file that this memory is in; None if it is in none."""
        ...


class ArchiveWriter(Archives, Protocol):
    """Reads and writes; reads see what this session wrote.

    Rewriting an archived memory to another state, or purging it, takes it out of its file and marks the note
    of that file as changed.
    """

    def begin(self, owner: Owner, file: str, session_id: str | None, now: float) -> None:
        """Adds the note of a file that is about to be written; it is marked as changed until it has members."""
        ...

    def add_members(self, owner: Owner, file: str, item_ids: Sequence[str]) -> None:
        """Moves these memories into that file and out of any other; the file is no longer marked as changed."""
        ...

    def remove(self, owner: Owner, file: str) -> None:
        """Deletes the note of a file that no longer has members."""
        ...

    def take_versions(self, owner: Owner, item_id: str) -> list[PackedVersion]:
        """Removes the earlier versions of a memory from the store and returns them, oldest first."""
        ...

    def put_versions(self, owner: Owner, item_id: str, versions: Sequence[PackedVersion]) -> None:
        """Writes versions back that were taken before; existing ones stay as they are."""
        ...
