"""SqliteStore: the store port on one SQLite file."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from celestial_engine.core.ledger.chain import Head, Written
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import (
    CorruptDatabaseError,
    ForeignDatabaseError,
    NewerSchemaError,
    OwnerMovingError,
    Problem,
    ReadOnlyError,
    Reason,
    StorageError,
    os_problem,
)
from celestial_engine.ports import LedgerMirror, Progress, Reader, SoulFile, Writer
from celestial_engine.storage.archive import ArchiveFolder, InMemoryArchives, archive_problems, sync_folder
from celestial_engine.storage.home import FileHome
from celestial_engine.storage.sqlite.checksums import ChecksumColumn
from celestial_engine.storage.sqlite.connections import IN_MEMORY, Connections, Durability
from celestial_engine.storage.sqlite.files.header import has_log, read_header
from celestial_engine.storage.sqlite.items.chains import chain_existing, seal_existing
from celestial_engine.storage.sqlite.items.grants import SqliteGrants, SqliteRateLimits
from celestial_engine.storage.sqlite.items.jobs import SqliteJobs
from celestial_engine.storage.sqlite.items.session import SqliteReader, SqliteWriter
from celestial_engine.storage.sqlite.items.spending import SqliteSpending
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.refusal import is_refused, refuse_writes
from celestial_engine.storage.sqlite.rows import fill_state_since
from celestial_engine.storage.sqlite.schema.migrations import (
    APPLICATION_ID,
    CATEGORISED_SINCE,
    CENTRED_SINCE,
    FACETED_SINCE,
    MIGRATIONS,
    OWNER_CHAINS_SINCE,
    SCHEMA_VERSION,
    STATE_SINCE_COLUMN_SINCE,
    TRAITS_SINCE,
)
from celestial_engine.storage.sqlite.search.codes import CodeCache
from celestial_engine.storage.sqlite.search.facets import FacetTables
from celestial_engine.storage.sqlite.search.statement_keys import StatementKeyTable
from celestial_engine.storage.sqlite.search.vectors import VectorTable
from celestial_engine.storage.sqlite.search.words import WordIndex
from celestial_engine.storage.vault import is_plain_database, salt_of

if TYPE_CHECKING:
    from celestial_engine.core.keeping.backup import BackupReport
    from celestial_engine.storage.sqlite.moving.owner_rows import SqlOwnerRows, SqlOwnerRowWriter
    from celestial_engine.storage.vault import Vault

_NEEDED_SQLITE = (3, 32, 0)
_BACKUP_ATTEMPTS = 3
_READ_AT_ONCE = 200
_READ_AT_OPENING = 20_000  # texts of an older file: a second or two; the night reads the others


class SqliteStore:
    """Opens or creates the database; refuses files that are foreign or too new, without touching them."""

    def __init__(
        self,
        path: str = IN_MEMORY,
        *,
        durability: Durability = Durability.FULL,
        busy_timeout: float = 30.0,
        max_bytes: int | None = None,
        words: WordIndex | None = None,
        mirror: LedgerMirror | None = None,
        archive_path: str | None = None,
        home: FileHome | None = None,
        vault: Vault | None = None,
    ) -> None:
        if sqlite3.sqlite_version_info < _NEEDED_SQLITE:
            raise StorageError(path, Reason.OLD_SQLITE, got=sqlite3.sqlite_version, least="3.32")
        self.path = path
        self.mirror = mirror
        self._vault = None if path == IN_MEMORY else vault
        self._mirror_is_behind = False
        self._kept_at_once = durability is Durability.FULL
        self._words = words or WordIndex()
        self._codes = CodeCache()
        self._connections = Connections(
            path, durability=durability, busy_timeout=busy_timeout, max_bytes=max_bytes, vault=self._vault
        )
        self.jobs = SqliteJobs(self._connections)
        self.grants = SqliteGrants(self._connections)
        self.spending = SqliteSpending(self._connections)
        self.rate_limits = SqliteRateLimits(self._connections)
        self._home = home or FileHome(path)
        self.archive_files: ArchiveFolder | InMemoryArchives = (
            InMemoryArchives() if path == IN_MEMORY else ArchiveFolder(archive_path or self._home.archive, vault)
        )
        try:
            self._open()
        except BaseException:
            self._connections.close()
            raise

    def soul_file(self, owner: Owner) -> SoulFile:
        from celestial_engine.storage.soul_file import DiskSoulFile  # rarely needed

        return DiskSoulFile(self._home.soul(owner), self._vault)

    @property
    def address(self) -> str:
        return self.path

    def size_bytes(self) -> int | None:
        sizes = [os.path.getsize(name) for name in (self.path, f"{self.path}-wal") if os.path.isfile(name)]
        return sum(sizes) if sizes else None

    @contextlib.contextmanager
    def read(self) -> Iterator[SqliteReader]:
        with self._connections.reading() as connection:
            yield SqliteReader(Transaction(connection, self._words, self._codes))

    def write(self, owner: Owner, *, durable: bool = True) -> AbstractContextManager[SqliteWriter]:
        return self._writing(owner, durable=durable)

    def write_whole_store(self, *, durable: bool = True) -> AbstractContextManager[SqliteWriter]:
        return self._writing(None, durable=durable)

    @contextlib.contextmanager
    def _writing(self, owner: Owner | None, *, durable: bool) -> Iterator[SqliteWriter]:
        with self._connections.writing(durable=durable) as connection:
            if owner is not None and is_refused(connection, owner):
                raise OwnerMovingError(path=self.path)
            session = SqliteWriter(Transaction(connection, self._words, writes_for=owner))
            yield session
            session.ledger.write_heads()
        if fresh := session.ledger.fresh:
            self._mirror_is_behind = True
            # A change that a power cut may lose must not be in the mirror: it waits for the next durable one.
            if durable or not self._kept_at_once:
                self._follow(fresh, session.ledger.before_fresh)

    # -- moving owners ------------------------------------------------------------------------------

    def owners(self) -> list[Owner]:
        with self._connections.reading() as connection:
            return [Owner(*row) for row in connection.execute("SELECT user_id, agent_id FROM owners ORDER BY owner")]

    def rows(self, session: Reader) -> SqlOwnerRows:
        from celestial_engine.storage.sqlite.moving.owner_rows import SqlOwnerRows  # rarely needed

        assert isinstance(session, SqliteReader)  # noqa: S101 - a session of this store
        return SqlOwnerRows(session.transaction)

    def row_writer(self, session: Writer) -> SqlOwnerRowWriter:
        from celestial_engine.storage.sqlite.moving.owner_rows import SqlOwnerRowWriter  # rarely needed

        assert isinstance(session, SqliteWriter)  # noqa: S101 - a session of this store
        return SqlOwnerRowWriter(session.transaction, session.items, session.ledger)

    def refuse_writes(self, owner: Owner) -> AbstractContextManager[Callable[[], None]]:
        return refuse_writes(self._connections, owner, self.path)

    def check_ready(self) -> None:
        """Another process, of another version, may have changed the schema since this one opened the file."""
        with self._connections.reading() as connection:
            application, version = _versions(connection)
        if (application, version) != (APPLICATION_ID, SCHEMA_VERSION):
            raise NewerSchemaError(path=self.path, found=version, known=SCHEMA_VERSION)

    def check(self) -> list[Problem]:
        from celestial_engine.storage.sqlite.files import backup, integrity  # slow to import, rarely needed

        with self._connections.reading() as connection:
            problems = integrity.problems(connection, self._words)
            files = backup.archives_in(connection)
        return problems + archive_problems(self.archive_files, files)

    def repair(self) -> None:
        """Rebuilds what derives from the records: indexes, words, filters, statement keys, graph and sign codes.

        Raises before it writes if the file itself is damaged, and undoes what it did if that made anything worse.
        """
        from celestial_engine.storage.sqlite.files import integrity  # slow to import, rarely needed

        with self._connections.writing() as connection:
            before = integrity.problems(connection, self._words)
            if not integrity.mendable(before):
                raise CorruptDatabaseError(self.path, Reason.DAMAGED_BEYOND_INDEXES)
            integrity.rebuild_indexes(connection)
            integrity.rebuild_graph(connection)
            VectorTable(connection).remove_odd()
            self._words.rebuild(connection, self._words.analyser(connection))
            FacetTables(connection).rebuild()
            StatementKeyTable(connection).forget_all()
            VectorTable(connection).renew_centre()
            if any(one not in before for one in integrity.problems(connection, self._words)):
                raise CorruptDatabaseError(self.path, Reason.DAMAGED_BEYOND_INDEXES)
        self._read_pending_texts()

    def index_large_owners(self) -> None:
        """Nothing to do: sign codes serve owners of any size."""

    def sweep(self) -> bool:
        """Merges the word index in steps, which removes deleted words; then truncates the write-ahead log."""
        self._read_pending_texts()
        self._fill_checksums()
        first = True
        while True:
            with self._connections.writing(durable=False) as connection:
                more = self._words.merge(connection, first=first)
            if not more:
                break
            first = False
        return self._connections.cut_log()

    def _read_pending_texts(self) -> None:
        """Reads unread texts in steps that hold the lock briefly.

        Texts are unread in older files, and after the reading rules changed.
        """
        last: int | None = 0
        while last is not None:
            with self._connections.writing(durable=False) as connection:
                table = StatementKeyTable(connection)
                last = None if table.complete() else table.read_after(last, _READ_AT_ONCE)
                if last is None:
                    table.completed()

    def _fill_checksums(self) -> None:
        """Adds the checksums of memories that older versions wrote, in steps that hold the lock briefly."""
        last: int | None = 0
        while last is not None:
            with self._connections.writing(durable=False) as connection:
                column = ChecksumColumn(connection)
                last = None if column.complete() else column.fill_after(last, _READ_AT_ONCE)

    def reindex_words(self, progress: Progress | None = None) -> int:
        """Rebuilds all words with the preferred analyser; until then the old ones stay."""
        with self._connections.writing() as connection:
            return self._words.rebuild(connection, self._words.preferred, progress)

    def back_up(self, target: str, *, replace: bool = False, progress: Progress | None = None) -> BackupReport:
        """Makes an online backup of one moment, without blocking anyone."""
        from celestial_engine.storage.sqlite.files import backup  # slow to import, rarely needed

        backup.refuse_target(target, self.path, replace=replace, vault=self._vault)
        for _ in range(_BACKUP_ATTEMPTS):
            unfinished = backup.Unfinished(target)
            try:
                with self._connections.reading() as connection:
                    connection.execute("SELECT count(*) FROM meta").fetchone()  # the snapshot starts here
                    unfinished.copy(connection, target, progress, self._vault)
                lost = backup.gather(unfinished.path, target, self.archive_files, self._vault)
                with self._connections.reading() as connection:
                    moved = set(lost) - set(backup.archives_in(connection))
                if not moved:  # otherwise a session was taken out of its archive meanwhile
                    return backup.finish(unfinished, target, self._words, replace=replace, vault=self._vault)
            finally:
                unfinished.remove()
        raise StorageError(self.path, Reason.ARCHIVES_BUSY)

    def checkpoint(self) -> None:
        self._connections.checkpoint()

    def close(self) -> None:
        if self._mirror_is_behind and self.mirror is not None:
            with contextlib.suppress(StorageError):  # the next writer updates the mirror
                self._connections.checkpoint()
                self._follow()
        self._mirror_is_behind = False
        self._connections.close()
        self._codes.clear()

    def _follow(self, fresh: Sequence[Written] = (), before: Head | None = None) -> None:
        """Updates the mirror after a commit: a failure here must not look like a failed commit."""
        if self.mirror is not None:
            self._mirror_is_behind = not self.mirror.follow(self.read, fresh, before)

    def _open(self) -> None:
        if self.path != IN_MEMORY:
            self._refuse_what_is_not_ours()
        is_new = self.path != IN_MEMORY and _is_empty(self._connections.location)
        self._connections.enter_wal()
        if is_new:
            # SQLite removes the journal of the file's creation without syncing the folder. If a power cut brought
            # it back, SQLite would undo the creation, and all that was acknowledged since.
            with contextlib.suppress(OSError):
                sync_folder(os.path.dirname(self._connections.location))
        self._connections.checkpoint_if_long()
        with self._connections.reading() as connection:
            current = _versions(connection)[1] == SCHEMA_VERSION and self._words.renewal(connection) is None
        if current:
            return
        with self._connections.writing() as connection:
            application, version = _versions(connection)  # another process may have created it first
            self._judge(application, version, empty=version == 0)
            for migration in MIGRATIONS[version:]:
                for statement in migration:
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            if 0 < version < CENTRED_SINCE:
                VectorTable(connection).renew_centre()
            if 0 < version < STATE_SINCE_COLUMN_SINCE:
                fill_state_since(connection)
            if version > 0:
                chain_existing(connection)
            if 0 < version < OWNER_CHAINS_SINCE:
                seal_existing(connection)
            if 0 < version < TRAITS_SINCE:
                StatementKeyTable(connection).read_traits(_READ_AT_OPENING)
            analyser = self._words.renewal(connection)
            if 0 < version < CATEGORISED_SINCE:
                FacetTables(connection).rebuild()
            if 0 < version < FACETED_SINCE:
                analyser = analyser or self._words.analyser(connection)
            if analyser is not None:
                self._words.rebuild(connection, analyser)

    def _refuse_what_is_not_ours(self) -> None:
        """Checks without leaving a trace: the file may belong to another program."""
        if self._vault is not None:
            self._refuse_what_the_key_does_not_open()
            return
        try:
            header = read_header(self.path)
        except ValueError as error:
            raise ForeignDatabaseError(self.path, Reason.NOT_SQLITE) from error
        except OSError as error:
            raise ReadOnlyError(self.path, os_problem(error)) from error
        if header is None:
            return
        if header.application_id == APPLICATION_ID or not has_log(self.path):
            self._judge(header.application_id, header.user_version, empty=header.schema_cookie == 0)
            return
        # The file's identity may be only in its log, such as after a crash right after creation.
        with self._connections.looking() as connection:
            application, version = _versions(connection)
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self._judge(application, version, empty=tables == 0)

    def _refuse_what_the_key_does_not_open(self) -> None:
        if is_plain_database(self.path):
            raise StorageError(self.path, Reason.NOT_ENCRYPTED)
        if salt_of(self.path) is None:  # a new file
            return
        try:
            with self._connections.looking() as connection:
                application, version = _versions(connection)
        except ForeignDatabaseError as error:
            raise ForeignDatabaseError(self.path, Reason.WRONG_KEY) from error
        self._judge(application, version, empty=False)

    def _judge(self, application: int, version: int, *, empty: bool) -> None:
        if application != APPLICATION_ID and (application or version or not empty):
            raise ForeignDatabaseError(self.path, Reason.OTHER_PROGRAM)
        if version > SCHEMA_VERSION:
            raise NewerSchemaError(path=self.path, found=version, known=SCHEMA_VERSION)


def _versions(connection: sqlite3.Connection) -> tuple[int, int]:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(application), int(version)


def _is_empty(path: str) -> bool:
    try:
        return os.path.getsize(path) == 0
    except OSError:
        return True
