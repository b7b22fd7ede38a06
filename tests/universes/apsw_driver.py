"""The part of Python's `sqlite3` that the store uses, on apsw, because only apsw can be given a VFS."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

import apsw

_KINDS: tuple[tuple[type[Exception], type[sqlite3.Error]], ...] = (
    (apsw.ConstraintError, sqlite3.IntegrityError),
    (apsw.CorruptError, sqlite3.DatabaseError),
    (apsw.NotADBError, sqlite3.DatabaseError),
)


def translated(error: Exception) -> sqlite3.Error:
    kind = next((ours for theirs, ours in _KINDS if isinstance(error, theirs)), sqlite3.OperationalError)
    return kind(str(error))


class Rows:
    """All rows of a statement that has ended."""

    def __init__(self, rows: list[Any], rowcount: int, lastrowid: int) -> None:
        self._rows = iter(rows)
        self.rowcount, self.lastrowid = rowcount, lastrowid

    def fetchone(self) -> Any:
        return next(self._rows, None)

    def fetchall(self) -> list[Any]:
        return list(self._rows)

    def __iter__(self) -> Iterator[Any]:
        return self._rows


class Connection:
    text_factory: Any = str

    def __init__(self, address: str, vfs: str, timeout: float, *, uri: bool) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | (apsw.SQLITE_OPEN_URI if uri else 0)
        try:
            self.db = apsw.Connection(address, flags=flags, vfs=vfs)
        except (apsw.Error, OSError) as error:
            raise translated(error) from error
        self.db.set_busy_timeout(round(timeout * 1000))

    def execute(self, statement: str, values: Any = ()) -> Rows:
        try:
            cursor = self.db.execute(statement, values)
            rows = cursor.fetchall()
        except (apsw.Error, OSError) as error:
            raise translated(error) from error
        return Rows(rows, self.db.changes(), self.db.last_insert_rowid())

    def executemany(self, statement: str, values: Iterable[Any]) -> Rows:
        try:
            self.db.executemany(statement, values)
        except (apsw.Error, OSError) as error:
            raise translated(error) from error
        return Rows([], self.db.changes(), self.db.last_insert_rowid())

    def commit(self) -> None:
        if self.in_transaction:
            self.execute("COMMIT")

    def rollback(self) -> None:
        if self.in_transaction:
            self.execute("ROLLBACK")

    @property
    def in_transaction(self) -> bool:
        return bool(self.db.in_transaction)

    @property
    def total_changes(self) -> int:
        return int(self.db.total_changes())

    def backup(self, target: Connection, *, pages: int = -1, progress: Any = None, sleep: float = 0.0) -> None:
        try:
            with target.db.backup("main", self.db, "main") as copying:
                while not copying.done:
                    copying.step(pages)
                    if progress is not None:
                        progress(0, copying.remaining, copying.page_count)
        except (apsw.Error, OSError) as error:
            raise translated(error) from error

    def close(self) -> None:
        """Like `sqlite3`, whose close does not fail when the last checkpoint does."""
        with contextlib.suppress(apsw.Error, OSError):
            self.db.close(True)
