"""SqliteStore: the store port on one SQLite file."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator

from celestial_engine.core.owner import LOCAL_OWNER
from celestial_engine.errors import ForeignDatabaseError, NewerSchemaError, ReadOnlyError, StorageError
from celestial_engine.storage.sqlite.codes import CodeCache
from celestial_engine.storage.sqlite.connections import IN_MEMORY, Connections, Durability
from celestial_engine.storage.sqlite.header import has_log, read_header
from celestial_engine.storage.sqlite.jobs import SqliteJobs
from celestial_engine.storage.sqlite.rows import ITEM_COLUMNS, ITEM_TABLES, UnreadableRowError, item_from
from celestial_engine.storage.sqlite.schema import APPLICATION_ID, CENTRED_SINCE, MIGRATIONS, SCHEMA_VERSION
from celestial_engine.storage.sqlite.session import SqliteReader, SqliteWriter
from celestial_engine.storage.sqlite.vectors import VectorTable
from celestial_engine.storage.sqlite.words import WordIndex

_NEEDED_SQLITE = (3, 32, 0)


class SqliteStore:
    """Opens or creates the database; refuses files that are not ours or too new, without touching them."""

    def __init__(
        self,
        path: str = IN_MEMORY,
        *,
        durability: Durability = Durability.FULL,
        busy_timeout: float = 30.0,
        max_bytes: int | None = None,
        words: WordIndex | None = None,
    ) -> None:
        if sqlite3.sqlite_version_info < _NEEDED_SQLITE:
            raise StorageError(path=path, reason=f"SQLite {sqlite3.sqlite_version} is older than 3.32")
        self.path = path
        self._words = words or WordIndex()
        self._codes = CodeCache()
        self._connections = Connections(path, durability=durability, busy_timeout=busy_timeout, max_bytes=max_bytes)
        self.jobs = SqliteJobs(self._connections)
        try:
            self._open()
        except BaseException:
            self._connections.close()
            raise

    @contextlib.contextmanager
    def read(self) -> Iterator[SqliteReader]:
        with self._connections.reading() as connection:
            yield SqliteReader(connection, self._words, self._codes)

    @contextlib.contextmanager
    def write(self, *, durable: bool = True) -> Iterator[SqliteWriter]:
        with self._connections.writing(durable=durable) as connection:
            yield SqliteWriter(connection, self._words)

    def check(self) -> list[str]:
        with self._connections.reading() as connection:
            found = [f"SQLite: {row[0]}" for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
            found += [f"row {row[1]} of {row[0]} has lost its memory" for row in
                      connection.execute("PRAGMA foreign_key_check")]  # fmt: skip
            (bare,) = connection.execute(
                "SELECT count(*) FROM items LEFT JOIN texts USING (seq) WHERE content IS NULL"
            ).fetchone()
            if bare:
                found.append(f"{bare} memories have lost their text")
            (miscounted,) = connection.execute(
                "SELECT count(*) FROM owners WHERE orbiting != "
                "(SELECT count(*) FROM items WHERE items.owner = owners.owner AND state IN ('active', 'faded'))"
            ).fetchone()
            if miscounted:
                found.append(f"the memories of {miscounted} owners are miscounted")
            found += self._unreadable(connection)
            return found + self._words.problems(connection)

    def _unreadable(self, connection: sqlite3.Connection) -> list[str]:
        """Rows whose values SQLite finds sound and we do not."""
        found = []
        for row in connection.execute(f"SELECT {ITEM_COLUMNS} FROM {ITEM_TABLES}"):
            try:
                item_from(row, LOCAL_OWNER)
            except UnreadableRowError as error:  # noqa: PERF203 - one bad row must not hide the next
                found.append(str(error))
        return found

    def repair(self) -> None:
        """Makes the full-text index anew from the texts, and the sign codes from the vectors."""
        with self._connections.writing() as connection:
            self._words.rebuild(connection, self._words.analyser(connection))
            VectorTable(connection).renew_centre()

    def reindex_words(self, progress: Callable[[int, int], None] | None = None) -> int:
        """All words anew by the preferred analyser; until that is done, the old ones stand."""
        with self._connections.writing() as connection:
            return self._words.rebuild(connection, self._words.preferred, progress)

    def checkpoint(self) -> None:
        self._connections.checkpoint()

    def close(self) -> None:
        self._connections.close()
        self._codes.clear()

    def _open(self) -> None:
        if self.path != IN_MEMORY:
            self._refuse_what_is_not_ours()
        self._connections.enter_wal()
        self._connections.checkpoint_if_long()
        with self._connections.reading() as connection:
            current = _versions(connection)[1] == SCHEMA_VERSION and self._words.renewal(connection) is None
        if current:
            return
        with self._connections.writing() as connection:
            application, version = _versions(connection)  # another process may have been quicker
            self._judge(application, version, empty=version == 0)
            for migration in MIGRATIONS[version:]:
                for statement in migration:
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            if 0 < version < CENTRED_SINCE:
                VectorTable(connection).renew_centre()
            analyser = self._words.renewal(connection)
            if analyser is not None:
                self._words.rebuild(connection, analyser)

    def _refuse_what_is_not_ours(self) -> None:
        """Looks without leaving a trace: the file may belong to somebody else."""
        try:
            header = read_header(self.path)
        except ValueError as error:
            raise ForeignDatabaseError(path=self.path, reason=str(error)) from error
        except OSError as error:
            raise ReadOnlyError(path=self.path, reason=error.strerror or str(error)) from error
        if header is None:
            return
        if header.application_id == APPLICATION_ID or not has_log(self.path):
            self._judge(header.application_id, header.user_version, empty=header.schema_cookie == 0)
            return
        # What the file is may be written in its log alone: of a crash right after it was made, say.
        with self._connections.looking() as connection:
            application, version = _versions(connection)
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self._judge(application, version, empty=tables == 0)

    def _judge(self, application: int, version: int, *, empty: bool) -> None:
        if application != APPLICATION_ID and (application or version or not empty):
            raise ForeignDatabaseError(path=self.path, reason="it is an SQLite file of another program")
        if version > SCHEMA_VERSION:
            raise NewerSchemaError(path=self.path, found=version, known=SCHEMA_VERSION)


def _versions(connection: sqlite3.Connection) -> tuple[int, int]:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(application), int(version)
