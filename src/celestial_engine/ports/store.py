"""Where memories live: sessions, and what lies beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, Protocol

from celestial_engine.errors import Problem
from celestial_engine.ports.grants import Grants
from celestial_engine.ports.language import Spending
from celestial_engine.ports.ledger import LedgerMirror
from celestial_engine.ports.sessions import Reader, Writer

if TYPE_CHECKING:
    from celestial_engine.core.keeping.archive import ArchiveContents
    from celestial_engine.core.keeping.backup import BackupReport
    from celestial_engine.core.record.owner import Owner


Progress = Callable[[int, int], None]  # how many are done, of how many


class JobState(NamedTuple):
    """When a job was last done, and who is at it until when."""

    last_run: float | None = None
    holder: str | None = None
    lease_until: float | None = None


class Jobs(Protocol):
    """Work that one process does for all: a lease, and when it was last done."""

    def claim(self, name: str, holder: str, now: float, every: float, lease: float) -> bool:
        """True if the job is due and nobody else holds it; then it is ours until the lease ends."""
        ...

    def finish(self, name: str, holder: str, done_at: float | None) -> None:
        """Gives the lease back; with None it was not done, and is still due."""
        ...

    def extend(self, name: str, holder: str, now: float, lease: float) -> bool:
        """Holds on to a claim; False if it is no longer ours."""
        ...

    def note(self, runs: Mapping[str, float]) -> None:
        """These jobs were done then, by whoever holds the lease on all of them."""
        ...

    def states(self, prefix: str) -> dict[str, JobState]:
        """The jobs whose names begin like this, by name."""
        ...


class ArchiveFiles(Protocol):
    """The files of archived sessions: written once, never changed. `session.archives` knows what is in them."""

    @property
    def path(self) -> str: ...
    def write(self, name: str, lines: bytes) -> None:
        """On the disk when it returns."""
        ...

    def read(self, name: str) -> ArchiveContents:
        """What can be read; what cannot is told, not raised."""
        ...

    def remove(self, name: str) -> None: ...
    def names(self) -> list[str]: ...
    def size(self, name: str) -> int: ...


class ItemStore(Protocol):
    """Where memories live."""

    @property
    def path(self) -> str: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def grants(self) -> Grants: ...
    @property
    def spending(self) -> Spending: ...
    @property
    def mirror(self) -> LedgerMirror | None: ...
    @property
    def archive_files(self) -> ArchiveFiles: ...
    def read(self) -> AbstractContextManager[Reader]:
        """A session that sees one committed state; several may be open at once."""
        ...

    def write(self, owner: Owner | None, *, durable: bool = True) -> AbstractContextManager[Writer]:
        """A transaction that writes for this owner alone; None: for all owners (rebalancing, law changes, repairs).

        Two sessions of one owner never write at the same time, nor does any beside a session of all owners.
        `durable=False`: may be lost in a power cut (never in a crash), for what can be computed again.
        """
        ...

    def check(self) -> list[Problem]:
        """What is wrong with the stored data; empty when all is well."""
        ...

    def repair(self) -> None:
        """Makes anew what can be derived from the records."""
        ...

    def sweep(self) -> bool:
        """Texts are read that were not yet, and what was purged leaves the store's own files to the last byte.

        False if a reader held that up.
        """
        ...

    def reindex_words(self, progress: Progress | None = None) -> int:
        """The words of every memory anew, all at once or not at all; gives of how many."""
        ...

    def back_up(self, target: str, *, replace: bool = False, progress: Progress | None = None) -> BackupReport:
        """A checked copy of everything at `target`, while others go on; there completely or not at all."""
        ...

    def close(self) -> None: ...
