"""PostgresStore: the store port on a PostgreSQL database, shared by any number of servers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidInputError, Problem, Reason, StorageError
from celestial_engine.ports import ArchiveFiles, LedgerMirror, Progress, Reader, SoulFile, Writer
from celestial_engine.storage.archive import ArchiveFolder, archive_problems
from celestial_engine.storage.home import FileHome
from celestial_engine.storage.postgres.archive_table import ArchiveTable
from celestial_engine.storage.postgres.connections import Connections
from celestial_engine.storage.postgres.dialect import ALL
from celestial_engine.storage.postgres.groups.jobs import (
    PostgresGrants,
    PostgresJobs,
    PostgresRateLimits,
    PostgresSpending,
    Transactions,
)
from celestial_engine.storage.postgres.schema.opening import check_version, open_database
from celestial_engine.storage.postgres.search.hnsw import LARGE_OWNER, update_indexes
from celestial_engine.storage.postgres.search.words import rebuild_words
from celestial_engine.storage.postgres.session import PostgresReader, PostgresWriter
from celestial_engine.storage.postgres.transaction import PostgresTransaction, SharedState
from celestial_engine.storage.sqlite.search.words import WordIndex

if TYPE_CHECKING:
    from celestial_engine.core.keeping.backup import BackupReport
    from celestial_engine.storage.sqlite.moving.owner_rows import SqlOwnerRows, SqlOwnerRowWriter

_READ_AT_ONCE = 1_000
_NOBODY = "-1"  # the scope of a transaction that has not named an owner yet


class PostgresStore:
    """Connects, and creates or migrates the tables. Refuses tables of another program or of a newer version."""

    def __init__(
        self,
        url: str,
        *,
        durable: bool = True,
        busy_timeout: float = 30.0,
        statement_timeout: float = 60.0,
        pool_size: int = 10,
        words: WordIndex | None = None,
        mirror: LedgerMirror | None = None,
        archive_path: str | None = None,
        files_path: str | None = None,
        clock: Callable[[float], float] | None = None,
        large_owner: int = LARGE_OWNER,
    ) -> None:
        """`clock` replaces the server's clock, for tests that simulate time: it gets the caller's.

        `large_owner`: from that many memories on, an owner's vectors get an HNSW index.
        """
        self._connections = Connections(
            url,
            busy_timeout=busy_timeout,
            statement_timeout=statement_timeout,
            pool_size=pool_size,
            synchronous=durable,
        )
        self.path, self.address = self._connections.path, url
        self.mirror = mirror
        self._mirror_is_behind = False
        self._home = None if files_path is None else FileHome(self.path, files_path)
        transactions = Transactions(self._connections)
        self.jobs = PostgresJobs(transactions, clock)
        self.grants = PostgresGrants(transactions)
        self.spending = PostgresSpending(transactions)
        self.rate_limits = PostgresRateLimits(transactions, self.jobs)
        folder = archive_path or (None if self._home is None else self._home.archive)
        self.archive_files: ArchiveFiles = ArchiveTable(transactions) if folder is None else ArchiveFolder(folder)
        self._shared = SharedState(words or WordIndex(), large_owner=large_owner)
        opened = open_database(self._connections)
        self._shared.pgvector = opened.vector_oid is not None
        self._connections.open(opened.schema, opened.vector_oid)
        try:
            if not opened.standby:
                self._renew_words()
        except BaseException:
            self._connections.close()
            raise

    def soul_file(self, owner: Owner) -> SoulFile:
        if self._home is None:
            raise InvalidInputError("path", Reason.SOUL_NEEDS_PATH)
        from celestial_engine.storage.soul_file import DiskSoulFile  # rarely needed

        return DiskSoulFile(self._home.soul(owner))

    def size_bytes(self) -> int | None:
        with self._connections.reading() as connection:
            row = connection.execute(
                "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class "
                "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
            ).fetchone()
        return None if row is None else int(row[0])

    @contextlib.contextmanager
    def read(self) -> Iterator[PostgresReader]:
        with self._connections.reading(_NOBODY) as connection:
            yield PostgresReader(PostgresTransaction(connection, self._shared, _NOBODY, reads_only=True))

    def write(self, owner: Owner, *, durable: bool = True) -> AbstractContextManager[PostgresWriter]:
        return self._writing(owner, durable=durable)

    def write_whole_store(self, *, durable: bool = True) -> AbstractContextManager[PostgresWriter]:
        return self._writing(None, durable=durable)

    @contextlib.contextmanager
    def _writing(self, owner: Owner | None, *, durable: bool) -> Iterator[PostgresWriter]:
        with self._transaction(owner, durable=durable) as tx:
            session = PostgresWriter(tx)
            yield session
            session.ledger.write_heads()
        if session.ledger.fresh:
            self._mirror_is_behind = True
            if durable:  # a change that may still be lost must not be in the mirror
                self._follow()

    @contextlib.contextmanager
    def _transaction(self, owner: Owner | None, *, durable: bool) -> Iterator[PostgresTransaction]:
        number = None if owner is None else self._shared.numbers.get(owner)
        scope = ALL if owner is None else _NOBODY if number is None else str(number)
        with self._connections.writing(owner, durable=durable, scope=scope, whole_store=owner is None) as connection:
            tx = PostgresTransaction(
                connection, self._shared, scope, writes_for=owner, whole_store=owner is None
            )  # fmt: skip
            yield tx
            tx.db.flush()
        tx.committed()

    @contextlib.contextmanager
    def _unlimited(self) -> Iterator[PostgresTransaction]:
        """A transaction that rebuilds an index of all owners: its statements may take as long as they need."""
        with self._transaction(None, durable=True) as tx:
            tx.db.set_local("statement_timeout", "0")
            yield tx

    # -- moving owners ------------------------------------------------------------------------------

    def owners(self) -> list[Owner]:
        with self._connections.reading() as connection:
            return [Owner(*row) for row in connection.execute("SELECT user_id, agent_id FROM owners ORDER BY owner")]

    def rows(self, session: Reader) -> SqlOwnerRows:
        from celestial_engine.storage.sqlite.moving.owner_rows import SqlOwnerRows  # rarely needed

        assert isinstance(session, PostgresReader)  # noqa: S101 - a session of this store
        return SqlOwnerRows(session.transaction)

    def row_writer(self, session: Writer) -> SqlOwnerRowWriter:
        from celestial_engine.storage.sqlite.moving.owner_rows import SqlOwnerRowWriter  # rarely needed

        assert isinstance(session, PostgresWriter)  # noqa: S101 - a session of this store
        return SqlOwnerRowWriter(session.transaction, session.items, session.ledger)

    @contextlib.contextmanager
    def refuse_writes(self, owner: Owner) -> Iterator[Callable[[], None]]:
        with self._connections.refusing(owner) as connection:

            def stay() -> None:  # the lock ends with the connection: a lost one must not go unnoticed
                connection.execute("SELECT 1")

            yield stay
            stay()

    def check_ready(self) -> None:
        with self._connections.reading() as connection:
            settings = dict(connection.execute("SELECT key, value FROM meta").fetchall())
        check_version(settings, self.path)

    def check(self) -> list[Problem]:
        from celestial_engine.storage.postgres import integrity  # rarely needed

        with self._connections.reading() as connection:
            tx = PostgresTransaction(connection, self._shared, ALL, reads_only=True)
            problems = integrity.problems(tx)
            files = [file for (file,) in tx.db.execute("SELECT DISTINCT file FROM archived ORDER BY file")]
        return problems + archive_problems(self.archive_files, files)

    def repair(self) -> None:
        """Rebuilds what derives from the records: word index, filters, statement keys and counts."""
        with self._unlimited() as tx:
            rebuild_words(tx.db, tx.analyser())
            tx.facets.rebuild()
            tx.statement_keys.forget_all()
            tx.db.execute(
                "UPDATE owner_state SET orbiting = (SELECT count(*) FROM items "
                "WHERE items.owner = owner_state.owner AND state IN ('active', 'faded'))"
            )
        self._read_pending_texts()

    def sweep(self) -> bool:
        """Reads unread texts. PostgreSQL's own vacuum removes the rows of purged memories."""
        self._read_pending_texts()
        return True

    def index_large_owners(self) -> None:
        if self._shared.pgvector:
            update_indexes(self._connections, self._shared.large_owner)

    def _read_pending_texts(self) -> None:
        """Reads unread texts in steps that hold the lock briefly."""
        last: int | None = 0
        while last is not None:
            with self._transaction(None, durable=False) as tx:
                table = tx.statement_keys
                last = None if table.complete() else table.read_after(last, _READ_AT_ONCE)
                if last is None:
                    table.completed()

    def reindex_words(self, progress: Progress | None = None) -> int:
        """Rebuilds all words with the preferred analyser; until then the old ones stay."""
        with self._unlimited() as tx:
            return rebuild_words(tx.db, self._shared.words.preferred, progress)

    def _renew_words(self) -> None:
        with self._connections.reading() as connection:
            tx = PostgresTransaction(connection, self._shared, ALL, reads_only=True)
            current = self._shared.words.renewal_of(tx.setting("analyser") or "") is None
        if current:
            return
        with self._unlimited() as tx:
            analyser = self._shared.words.renewal_of(tx.setting("analyser") or "")
            if analyser is not None:  # otherwise another server was first
                rebuild_words(tx.db, analyser)

    def distribute(self, *, dry_run: bool = False) -> list[str]:
        """Spreads the tables over a Citus cluster, or returns the statements that would."""
        from celestial_engine.storage.postgres.schema.distribution import distribute, distribution_plan

        return distribution_plan() if dry_run else distribute(self._connections)

    def back_up(self, target: str, *, replace: bool = False, progress: Progress | None = None) -> BackupReport:
        """PostgreSQL has its own tools, which copy the whole database at one moment."""
        raise StorageError(self.path, Reason.NOT_ON_SERVER, command="pg_dump or pgbackrest")

    def close(self) -> None:
        if self._mirror_is_behind:
            with contextlib.suppress(StorageError):  # the next writer updates the mirror
                self._follow()
        self._mirror_is_behind = False
        self._connections.close()

    def _follow(self) -> None:
        """Updates the mirror after a commit: a failure here must not look like a failed commit.

        It reads the entries itself: only a reader knows which can no longer be preceded by others.
        """
        if self.mirror is not None:
            self._mirror_is_behind = not self.mirror.follow(self.read)
