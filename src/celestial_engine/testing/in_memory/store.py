"""Dictionaries behind the store port, for tests and throw-away sessions.

Nothing is persistent. It proves the port with a second store that shares no code with the first.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager

from celestial_engine.core.keeping.backup import BackupReport
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import ClosedError, InvalidInputError, Problem, Reason, StorageError
from celestial_engine.ports import Progress, SoulFile
from celestial_engine.storage.archive import InMemoryArchives
from celestial_engine.testing.in_memory.grants import DictGrants, DictRateLimits
from celestial_engine.testing.in_memory.jobs import DictJobs
from celestial_engine.testing.in_memory.session import DictSession
from celestial_engine.testing.in_memory.spending import DictSpending
from celestial_engine.testing.in_memory.transaction import Data, Transaction


class DictStore:
    """The store port on dictionaries."""

    path = address = "(dictionaries)"
    mirror = None

    def __init__(self) -> None:
        self._data = Data()
        self._lock = threading.RLock()
        self._closed = False
        self.jobs = DictJobs()
        self.grants = DictGrants()
        self.spending = DictSpending()
        self.rate_limits = DictRateLimits()
        self.archive_files = InMemoryArchives()

    def soul_file(self, owner: Owner) -> SoulFile:
        raise InvalidInputError("path", Reason.SOUL_NEEDS_PATH)

    @contextlib.contextmanager
    def read(self) -> Iterator[DictSession]:
        with self._lock:
            self._refuse_if_closed()
            yield DictSession(Transaction(self._data, read_only=True))

    def write(self, owner: Owner, *, durable: bool = True) -> AbstractContextManager[DictSession]:
        return self._writing(owner)

    def write_whole_store(self, *, durable: bool = True) -> AbstractContextManager[DictSession]:
        return self._writing(None)

    @contextlib.contextmanager
    def _writing(self, owner: Owner | None) -> Iterator[DictSession]:
        with self._lock:
            self._refuse_if_closed()
            before = self._data.snapshot()
            try:
                yield DictSession(Transaction(self._data, owner))
            except BaseException:
                self._data = before
                raise

    def size_bytes(self) -> int | None:
        return None

    def check_ready(self) -> None:
        self._refuse_if_closed()

    def check(self) -> list[Problem]:
        return []

    def repair(self) -> None:
        """Nothing to do: no derived data."""

    def sweep(self) -> bool:
        """Nothing to do: no files."""
        return True

    def index_large_owners(self) -> None:
        """Nothing to do: there is no index."""

    def reindex_words(self, progress: Progress | None = None) -> int:
        """Return the number of memories in orbit; there is no index, words are computed per query."""
        return sum(row.item.state.in_orbit for row in self._data.rows.values())

    def back_up(self, target: str, *, replace: bool = False, progress: Progress | None = None) -> BackupReport:
        raise StorageError(self.path, Reason.NOTHING_TO_BACK_UP)

    def close(self) -> None:
        self._closed = True

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise ClosedError(path=self.path)
