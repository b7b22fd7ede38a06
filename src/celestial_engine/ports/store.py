"""The store: sessions, jobs, archive files and maintenance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, Protocol

from celestial_engine.errors import Problem
from celestial_engine.ports.grants import Grants, RateLimits
from celestial_engine.ports.language import Spending
from celestial_engine.ports.ledger import LedgerMirror
from celestial_engine.ports.sessions import Reader, Writer

if TYPE_CHECKING:
    from celestial_engine.core.keeping.archive import ArchiveContents
    from celestial_engine.core.keeping.backup import BackupReport
    from celestial_engine.core.record.owner import Owner


Progress = Callable[[int, int], None]  # called with the done and total counts


class JobState(NamedTuple):
    """When a job was last done, and who holds it until when."""

    last_run: float | None = None
    holder: str | None = None
    lease_until: float | None = None


class Jobs(Protocol):
    """Work that one process does for all: a lease, and when it was last done.

    Leases and due times go by the database's clock, which all processes share. `clock` and `now` are what the clock
    of the caller says: a store on one machine takes them, a store on a server uses its own clock instead. Times that
    are ahead by less than `CLOCK_TOLERANCE_SECONDS` count, times further ahead are ignored.
    """

    def now(self, clock: float) -> float:
        """The database's now, for deciding what is due and for `done_at`."""
        ...

    def claim(self, name: str, holder: str, now: float, every: float, lease: float) -> bool:
        """Claims the job until the lease ends; True if it is due and no other process holds it.

        `holder` must be unique over all hosts.
        """
        ...

    def finish(self, name: str, holder: str, done_at: float | None) -> None:
        """Releases the lease; with None the job was not done and stays due."""
        ...

    def extend(self, name: str, holder: str, now: float, lease: float) -> bool:
        """Extends a claim; False if another process holds it now."""
        ...

    def note(self, runs: Mapping[str, float]) -> None:
        """Stores when these jobs were done, by the holder of the lease on all of them."""
        ...

    def states(self, prefix: str) -> dict[str, JobState]:
        """Returns the jobs whose names start with the prefix, by name."""
        ...


class ArchiveFiles(Protocol):
    """The files of archived sessions: written once, never changed. `session.archives` lists their contents."""

    @property
    def path(self) -> str: ...
    def write(self, name: str, lines: bytes) -> None:
        """Writes the file; it is on disk when this returns."""
        ...

    def read(self, name: str) -> ArchiveContents:
        """Returns what is readable; damage is reported in `problems`, not raised."""
        ...

    def raw(self, name: str) -> bytes | None:
        """Returns the file as it is, compressed; None if it does not exist."""
        ...

    def put(self, name: str, packed: bytes) -> None:
        """Writes a file as `raw` returned it."""
        ...

    def remove(self, name: str) -> None: ...
    def names(self) -> list[str]: ...
    def size(self, name: str) -> int: ...


class SoulFile(Protocol):
    """SOUL.md, which shows the self to its owner. Any failure to read or write it raises SoulError."""

    @property
    def path(self) -> str: ...
    def read(self) -> str | None:
        """Returns the text; None if there is no file."""
        ...

    def write(self, text: str) -> None:
        """Replaces the file atomically."""
        ...


class ItemStore(Protocol):
    """Where memories are stored."""

    @property
    def path(self) -> str:
        """What may be shown: a file, or the address of a server without the password."""
        ...

    @property
    def address(self) -> str:
        """What another process opens the same store with. It may hold a password: never show it."""
        ...

    def size_bytes(self) -> int | None:
        """How much room all owners take; None if the store is in RAM."""
        ...

    @property
    def jobs(self) -> Jobs: ...
    @property
    def grants(self) -> Grants: ...
    @property
    def spending(self) -> Spending: ...
    @property
    def rate_limits(self) -> RateLimits: ...
    @property
    def mirror(self) -> LedgerMirror | None: ...
    @property
    def archive_files(self) -> ArchiveFiles: ...
    def soul_file(self, owner: Owner) -> SoulFile:
        """The owner's SOUL.md in the store's home; raises InvalidInputError if the store has none."""
        ...

    def read(self) -> AbstractContextManager[Reader]:
        """A session that sees one committed state; several may be open at once."""
        ...

    def write(self, owner: Owner, *, durable: bool = True) -> AbstractContextManager[Writer]:
        """A transaction that writes for this owner alone.

        Two sessions of one owner never write at the same time. `durable=False`: may be lost in a power cut (never in
        a crash), for what can be computed again.
        """
        ...

    def write_whole_store(self, *, durable: bool = True) -> AbstractContextManager[Writer]:
        """A transaction that may write for every owner: the law, the embedder, anchors, repairs.

        No other session writes at the same time, so it is for maintenance that is rare and short. Work for one owner
        after the other takes a transaction for each.
        """
        ...

    def check_ready(self) -> None:
        """Raises a StorageError if the store cannot be read, or no longer has the schema of this version."""
        ...

    def check(self) -> list[Problem]:
        """Returns the problems of the stored data; empty if there are none."""
        ...

    def repair(self) -> None:
        """Rebuilds what can be derived from the records."""
        ...

    def sweep(self) -> bool:
        """Reads texts that were not read yet, and wipes purged content from the store's own files.

        False if a reader blocked it.
        """
        ...

    def index_large_owners(self) -> None:
        """Builds indexes for owners with very many vectors, if the store has such, and drops those not needed."""
        ...

    def reindex_words(self, progress: Progress | None = None) -> int:
        """Rebuilds the words of every memory, all at once or not at all; returns how many."""
        ...

    def back_up(self, target: str, *, replace: bool = False, progress: Progress | None = None) -> BackupReport:
        """Writes a verified copy of everything to `target` while the store is in use; complete or not at all."""
        ...

    def close(self) -> None: ...
