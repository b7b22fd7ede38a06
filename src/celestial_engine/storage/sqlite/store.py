"""SqliteStore: the store port on one SQLite file."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

from celestial_engine.errors import ForeignDatabaseError, NewerSchemaError, StorageError
from celestial_engine.storage.sqlite.connections import IN_MEMORY, Connections, Durability
from celestial_engine.storage.sqlite.jobs import SqliteJobs
from celestial_engine.storage.sqlite.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION
from celestial_engine.storage.sqlite.session import SqliteReader, SqliteWriter
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
    ) -> None:
        if sqlite3.sqlite_version_info < _NEEDED_SQLITE:
            raise StorageError(path=path, reason=f"SQLite {sqlite3.sqlite_version} is older than 3.32")
        self.path = path
        self._words = WordIndex()
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
            yield SqliteReader(connection, self._words)

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
            return found + self._words.problems(connection)

    def rebuild_words(self) -> None:
        """Makes the full-text index anew from the texts."""
        with self._connections.writing() as connection:
            self._words.rebuild(connection)

    def checkpoint(self) -> None:
        self._connections.checkpoint()

    def close(self) -> None:
        self._connections.close()

    def _open(self) -> None:
        # Look first, in a way that changes nothing: the file may belong to somebody else.
        with self._connections.raw() as connection:
            version = self._recognise(connection)
        self._connections.enter_wal()
        if version == SCHEMA_VERSION and self._has_current_words():
            return
        with self._connections.writing() as connection:
            version = self._recognise(connection)  # another process may have been quicker
            for migration in MIGRATIONS[version:]:
                for statement in migration:
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            known = connection.execute("SELECT value FROM meta WHERE key = 'analyser'").fetchone()
            if known is not None and known[0] != self._words.analyser:
                self._words.rebuild(connection)
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('analyser', ?)", (self._words.analyser,))

    def _recognise(self, connection: sqlite3.Connection) -> int:
        """The schema version of the file; 0 for one that is still empty."""
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != APPLICATION_ID and (application or version or tables):
            raise ForeignDatabaseError(path=self.path, reason="an SQLite file of another program")
        if version > SCHEMA_VERSION:
            raise NewerSchemaError(path=self.path, found=version, known=SCHEMA_VERSION)
        return int(version)

    def _has_current_words(self) -> bool:
        with self._connections.reading() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = 'analyser'").fetchone()
        return row is not None and row[0] == self._words.analyser
