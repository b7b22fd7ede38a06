"""Connections to one database file: opening, pooling, transactions, checkpoints and error mapping."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any

from celestial_engine.errors import (
    BusyError,
    ClosedError,
    ConfigError,
    CorruptDatabaseError,
    DiskFullError,
    ForeignDatabaseError,
    ReadOnlyError,
    Reason,
    StorageError,
    os_problem,
)
from celestial_engine.storage.sqlite import driver
from celestial_engine.storage.sqlite.files.header import FileId, file_id, has_log
from celestial_engine.storage.sqlite.read_only import is_read_only, open_read_only
from celestial_engine.storage.sqlite.rows import UnreadableRowError

if TYPE_CHECKING:
    from celestial_engine.storage.vault import Vault

logger = logging.getLogger(__name__)

IN_MEMORY = ":memory:"
_CHECKPOINT_ABOVE_BYTES = 4 << 20
_CUT_LOG_BYTES = 1 << 16
_CACHE_KIB = 16 << 10  # a question with vectors reads more than the 2 MB that SQLite keeps by itself
_LOG_KEPT_BYTES = 1 << 20  # the write-ahead log is truncated to this size when it restarts


class Durability(str, Enum):
    FULL = "full"  # a committed change survives a power cut
    NORMAL = "normal"  # a committed change survives a process crash, but a power cut may lose the newest


class Connections:
    """A pool of connections that any thread may borrow; one writer at a time within this process.

    Across processes SQLite's own lock decides, with a long busy timeout.
    """

    def __init__(
        self,
        path: str,
        *,
        durability: Durability = Durability.FULL,
        busy_timeout: float = 30.0,
        max_bytes: int | None = None,
        vault: Vault | None = None,
    ) -> None:
        if busy_timeout <= 0:
            raise ConfigError("busy_timeout", Reason.NOT_ABOVE, low=0, got=busy_timeout)
        self.path = path
        # Absolute: the program may change its working directory.
        self._location = path if path == IN_MEMORY else os.path.abspath(path)
        self._durability = durability
        self._busy_timeout = busy_timeout
        self._max_bytes = max_bytes
        self._vault = vault
        self._idle: list[sqlite3.Connection] = []
        self._closed = False
        self._opened = False
        self._log_tried = 0
        self._file: FileId | None = None
        self.read_only = False
        self._make_locks()
        weakref.finalize(self, _close_all, self._idle)  # in case the caller never closes it
        if path != IN_MEMORY:
            self._make_private_file()
            self._file = file_id(path)
            self.read_only = is_read_only(path)

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yields a connection inside a read transaction: every statement sees the same state."""
        with self._lend_lock, self._named_errors(), self._borrowed() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    @contextlib.contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Yields a connection inside a write transaction: commits at the end, rolls back on any exception."""
        if self.read_only:
            raise ReadOnlyError(self.path, Reason.READ_ONLY_FILE)
        with self._write_lock, self._lend_lock, self._named_errors(), self._borrowed() as connection:
            full = durable and self._durability is Durability.FULL
            connection.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.commit()
            except BaseException:
                connection.rollback()
                raise
        self.checkpoint_if_long()

    @contextlib.contextmanager
    def raw(self) -> Iterator[sqlite3.Connection]:
        """Yields a connection without a transaction, for pragmas and maintenance."""
        with self._lend_lock, self._named_errors(), self._borrowed() as connection:
            yield connection

    @contextlib.contextmanager
    def looking(self) -> Iterator[sqlite3.Connection]:
        """Yields a separate connection that cannot write, not even by cleaning up a write-ahead log."""
        with self._named_errors():
            connection = driver.connect(
                self._location, options="mode=ro", timeout=self._busy_timeout, vault=self._vault
            )
            try:
                connection.execute("BEGIN")  # one snapshot: another process may be creating the database now
                yield connection
            finally:
                connection.close()

    def close(self) -> None:
        """Closes idle connections now, and those in use when they are returned."""
        with self._write_lock, self._lend_lock:
            self._closed = True
            _close_all(self._idle)

    @property
    def is_closed(self) -> bool:
        return self._closed

    @property
    def location(self) -> str:
        """The absolute path."""
        return self._location

    def _make_locks(self) -> None:
        self._write_lock = threading.RLock()
        # An in-memory database lives in its one connection, so that one is never used twice at the same time.
        self._lend_lock: contextlib.AbstractContextManager[Any] = (
            threading.RLock() if self.path == IN_MEMORY else contextlib.nullcontext()
        )
        _EVERYBODY.add(self)

    def begin_in_child(self) -> None:
        """Drops locks that vanished threads held, and the parent's connections, after a fork.

        They are not even closed: that would release the parent's locks on the file.
        """
        _ABANDONED.extend(self._idle)
        self._idle.clear()
        self._make_locks()

    # -- opening ------------------------------------------------------------------------------------

    def _make_private_file(self) -> None:
        """Creates the file readable by its owner only: memories are private."""
        try:
            os.makedirs(os.path.dirname(self.path) or ".", mode=0o700, exist_ok=True)
            if not os.path.exists(self.path):
                if has_log(self.path):  # SQLite would delete it: it may hold the newest memories
                    raise StorageError(self.path, Reason.LOG_ALONE, log=f"{self.path}-wal")
                with contextlib.suppress(FileExistsError):  # another process may create it first
                    os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError as error:
            raise ReadOnlyError(self.path, os_problem(error)) from error
        if os.path.isdir(self.path):
            raise ForeignDatabaseError(self.path, Reason.IS_A_FOLDER)

    @contextlib.contextmanager
    def _borrowed(self) -> Iterator[sqlite3.Connection]:
        if self._closed:
            raise ClosedError(path=self.path)
        if self._file is not None and file_id(self._location) != self._file:
            raise StorageError(self.path, Reason.FILE_MOVED)
        try:
            connection = self._idle.pop()
        except IndexError:
            if self._path_is_taken():
                raise StorageError(self.path, Reason.ONE_SESSION) from None
            connection = self._open()
        try:
            yield connection
        finally:
            self._give_back(connection)

    def _path_is_taken(self) -> bool:
        """Returns whether the path is in use: a second connection to ":memory:" would be another, empty database."""
        first, self._opened = not self._opened, True
        return self.path == IN_MEMORY and not first

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if self._closed or self.read_only:  # a read-only connection does not see what others write
            connection.close()
        else:
            self._idle.append(connection)

    def _open(self) -> sqlite3.Connection:
        if self.read_only:
            return open_read_only(self._location, self._busy_timeout, self._vault)
        connection = driver.connect(self._location, timeout=self._busy_timeout, vault=self._vault)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")  # overwrite deleted content
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            connection.execute(f"PRAGMA journal_size_limit = {_LOG_KEPT_BYTES}")
            if self._max_bytes is not None:
                page = connection.execute("PRAGMA page_size").fetchone()[0]
                connection.execute(f"PRAGMA max_page_count = {max(1, self._max_bytes // page)}")
        except BaseException:
            connection.close()
            raise
        return connection

    def enter_wal(self) -> None:
        """Switches to write-ahead logging. SQLite's busy timeout does not cover this, so it waits itself."""
        if self.path == IN_MEMORY or self.read_only:
            return
        deadline = time.monotonic() + self._busy_timeout
        pause = 0.001
        with self.raw() as connection:
            while True:
                try:
                    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
                    break
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > deadline:
                        raise
                    time.sleep(pause)
                    pause = min(pause * 2, 0.1)
        if mode != "wal":
            raise StorageError(self.path, Reason.NO_WAL, mode=mode)

    # -- checkpoints --------------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """Moves the write-ahead log into the file while no writer can run.

        SQLite up to 3.51.2 can, very rarely, damage a file when a checkpoint races a writer. So automatic checkpoints
        are off, and this one holds the write lock with a second connection.
        """
        if self.path == IN_MEMORY or self.read_only:
            return
        with self._write_lock, self._named_errors(), self._borrowed() as guard, self._borrowed() as worker:
            guard.execute("BEGIN IMMEDIATE")
            try:
                worker.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            finally:
                guard.rollback()

    def cut_log(self) -> bool:
        """Removes past content from the write-ahead log; False if a reader still uses it.

        A checkpoint leaves old content in place; a small change that restarts the log truncates it.
        """
        if self.path == IN_MEMORY:
            return True
        self.checkpoint()
        with self._write_lock, self._named_errors(), self._borrowed() as connection:
            connection.execute("PRAGMA journal_size_limit = 0")
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("INSERT OR REPLACE INTO meta VALUES ('swept', hex(randomblob(8)))")
                connection.commit()
            finally:
                if connection.in_transaction:
                    connection.rollback()
                connection.execute(f"PRAGMA journal_size_limit = {_LOG_KEPT_BYTES}")
        return os.stat(self._location + "-wal").st_size <= _CUT_LOG_BYTES

    def checkpoint_if_long(self) -> None:
        """Runs after a commit. The change is safe, so a failure here must not look like a failed commit."""
        try:
            size = os.stat(self._location + "-wal").st_size
            # If a reader blocked the checkpoint, retry when the log has grown, not at every commit.
            if size > max(_CHECKPOINT_ABOVE_BYTES, self._log_tried + _LOG_KEPT_BYTES):
                self._log_tried = size
                self.checkpoint()
            elif size < self._log_tried:
                self._log_tried = 0
        except OSError:  # no log yet
            pass
        except StorageError as error:
            logger.warning(
                "the write-ahead log could not be moved into the database; it will be tried again: %s", error
            )

    # -- errors -------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._named(error) from error
        except UnreadableRowError as error:
            raise CorruptDatabaseError(self.path, error.problem) from error
        except UnicodeDecodeError as error:  # SQLite quotes damaged names in its messages
            raise CorruptDatabaseError(self.path, Reason.SYSTEM_ERROR, cause=str(error)) from error

    def _named(self, error: sqlite3.Error) -> StorageError:
        return named_error(error, self.path, self._busy_timeout)


def named_error(error: sqlite3.Error, path: str, busy_seconds: float) -> StorageError:
    """Maps an SQLite error to ours."""
    text = str(error)
    lower = text.lower()
    if "locked" in lower or "busy" in lower:
        return BusyError(path=path, seconds=busy_seconds)
    if "full" in lower:
        return DiskFullError(path=path)
    if "readonly" in lower or "read-only" in lower or "unable to open" in lower:
        return ReadOnlyError(path, Reason.SYSTEM_ERROR, cause=text)
    if "not a database" in lower:
        return ForeignDatabaseError(path, Reason.NOT_SQLITE)
    if "malformed" in lower or "corrupt" in lower:
        return CorruptDatabaseError(path, Reason.SYSTEM_ERROR, cause=text)
    return StorageError(path, Reason.SYSTEM_ERROR, cause=text)


def _close_all(connections: list[sqlite3.Connection]) -> None:
    while connections:
        connections.pop().close()


_ABANDONED: list[sqlite3.Connection] = []
_EVERYBODY: weakref.WeakSet[Connections] = weakref.WeakSet()


def is_open_here(path: str) -> bool:
    """Returns whether this process has a database open: its own locks do not keep another library out."""
    real = os.path.realpath(path)
    return any(not one.is_closed and os.path.realpath(one.location) == real for one in list(_EVERYBODY))


def _begin_in_child() -> None:
    for connections in list(_EVERYBODY):
        connections.begin_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_child)
