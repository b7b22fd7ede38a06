"""Restore a backup: prepare it beside the database, then copy it over in one transaction.

The ledger is not restored: entries since the backup are carried over, so that the chain stays complete. Memories that
were purged since stay purged.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import count
from typing import TYPE_CHECKING

from celestial_engine.core.keeping.backup import BackupReport, RestoreReport
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import (
    BusyError,
    CorruptDatabaseError,
    ForeignDatabaseError,
    NewerSchemaError,
    Reason,
    StorageError,
)
from celestial_engine.ports import Progress
from celestial_engine.storage.archive import ArchiveFolder, archive_folder_of, os_errors
from celestial_engine.storage.sqlite import driver
from celestial_engine.storage.sqlite.files.backup import (
    PARTS_OF_A_DATABASE,
    Unfinished,
    archives_in,
    copy_database,
    gather,
    header_of,
    open_without_trace,
    sqlite_errors,
    verify,
)
from celestial_engine.storage.sqlite.files.header import has_log
from celestial_engine.storage.sqlite.items.chains import SEALED
from celestial_engine.storage.sqlite.schema.migrations import APPLICATION_ID, SCHEMA_VERSION
from celestial_engine.storage.sqlite.search.words import WordIndex
from celestial_engine.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from celestial_engine.storage.vault import Vault

_PATIENCE_SECONDS = 2.0  # for a process that is just closing


@dataclass(frozen=True)
class RestoreTarget:
    """The database that a backup replaces."""

    path: str
    archive_path: str
    words: WordIndex
    owner: Owner
    vault: Vault | None = None


def restore(
    place: RestoreTarget, backup: str, now: float, *, dry_run: bool = False, progress: Progress | None = None
) -> RestoreReport:
    """Replaces the database by a backup of it. Nothing changes unless every step succeeds."""
    if os.path.realpath(backup) == os.path.realpath(place.path):
        raise StorageError(place.path, Reason.RESTORED_FROM_ITSELF)
    report = verify(backup, place.words, place.vault)
    with _locked(place) as present:
        purged = _purged_in(present)
        if dry_run:
            count = None if purged is None else len(purged & _memories_in(backup, place.vault))
            return RestoreReport(report, place.path, None, count, dry_run=True)
        staged = Unfinished(os.path.abspath(place.path))
        try:
            count = _prepare(staged, place, backup, present, purged, report, now, progress)
            kept_path = _keep(place, present, now)
            _put_in_place(staged, place, present, progress)
        finally:
            staged.remove()
            shutil.rmtree(archive_folder_of(staged.path), ignore_errors=True)
    return RestoreReport(report, place.path, kept_path, count)


# -- the present database -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Present:
    """The current database: none, one that no other process has open, or a damaged one."""

    exists: bool
    connection: sqlite3.Connection | None


@contextlib.contextmanager
def _locked(place: RestoreTarget) -> Iterator[_Present]:
    """Locks out other processes. Refuses a file that is in use or not ours, without touching it."""
    if not os.path.exists(place.path) or (
        header_of(place.path, vault=place.vault) is None and not has_log(place.path)
    ):
        yield _Present(exists=False, connection=None)
        return
    with _exclusive(place.path, place.vault) as connection:
        if connection is not None:
            _refuse_foreign(place.path, connection)
        yield _Present(exists=True, connection=connection)


@contextlib.contextmanager
def _exclusive(path: str, vault: Vault | None) -> Iterator[sqlite3.Connection | None]:
    """Yields the only connection; None if the file is too damaged to open."""
    connection: sqlite3.Connection | None = None
    try:
        with sqlite_errors(path, _PATIENCE_SECONDS):
            connection = driver.connect(path, timeout=_PATIENCE_SECONDS, vault=vault)
            # In WAL mode every open connection holds a lock that this needs.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            connection.execute("COMMIT")
    except (CorruptDatabaseError, ForeignDatabaseError):
        if connection is not None:
            connection.close()
        connection = None
    except BusyError:
        if connection is not None:
            connection.close()
        raise
    try:
        yield connection
    finally:
        if connection is not None:
            connection.close()


def _refuse_foreign(path: str, connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (application or version or tables):
        raise ForeignDatabaseError(path, Reason.OTHER_PROGRAM)
    if version > SCHEMA_VERSION:
        raise NewerSchemaError(path=path, found=version, known=SCHEMA_VERSION)


def _purged_in(present: _Present) -> set[tuple[str, str, str]] | None:
    """Returns the memories that were ever purged; None if that cannot be read any more."""
    if not present.exists:
        return set()
    if present.connection is None:
        return None
    try:
        return set(
            present.connection.execute(
                "SELECT user_id, agent_id, item_id FROM ledger JOIN owners USING (owner) WHERE type = 'purged'"
            )
        )
    except sqlite3.Error:
        return None if _has_tables(present.connection) else set()


def _has_tables(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def _memories_in(backup: str, vault: Vault | None) -> set[tuple[str, str, str]]:
    with open_without_trace(backup, backup, vault) as db:
        return set(db.execute("SELECT user_id, agent_id, id FROM items JOIN owners USING (owner)"))


# -- preparing ------------------------------------------------------------------------------------------


def _prepare(
    staged: Unfinished,
    place: RestoreTarget,
    backup: str,
    present: _Present,
    purged: set[tuple[str, str, str]] | None,
    report: BackupReport,
    now: float,
    progress: Progress | None,
) -> int | None:
    """Prepares the backup: migrated, with the current ledger, without what was purged since."""
    vault = place.vault
    with open_without_trace(backup, backup, vault) as db:
        copy_database(db, staged.path, place.path, progress, vault)
    gather(staged.path, staged.path, ArchiveFolder(archive_folder_of(backup), vault), vault)
    store = SqliteStore(staged.path, words=place.words, vault=vault)
    try:
        again = sorted((purged or set()) & _memories_in(backup, vault))
        with store.write_whole_store() as session:
            for user, agent, item_id in again:
                session.items.purge(Owner(user, agent), item_id)
        carried = present.connection is not None and _ledger_carried_over(present.connection, staged.path, vault)
        with store.write_whole_store() as session:
            for owner in session.night.owners():
                session.self.withdraw_proposals(owner)  # an old token must not become valid again
            for user, agent, item_id in [] if carried else again:
                session.ledger.record(Event(EventType.PURGED, Owner(user, agent), now, item_id, {}))
            detail = {"memories": report.memories - len(again), "purged": len(again)}
            session.ledger.record(Event(EventType.BACKUP_RESTORED, place.owner, now, None, detail))
        problems = [one for one in store.check() if one.reason is not Reason.IN_ARCHIVE]
        if problems:
            raise CorruptDatabaseError(backup, *problems[:3])
    finally:
        store.close()
    return None if purged is None else len(again)


def _ledger_carried_over(present: sqlite3.Connection, staged: str, vault: Vault | None) -> bool:
    """Keeps the events since the backup, if both share a history and the current ledger is readable."""
    copy = driver.connect(staged, vault=vault)
    try:
        last = copy.execute("SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
        if last is None or not _share_history(present, copy, last):
            return False
        since = "(owner, number) IN (SELECT owner, number FROM ledger WHERE seq > ?)"
        copy.execute("BEGIN IMMEDIATE")
        _copy_rows(present, copy, "owners", ["owner", "user_id", "agent_id"], "owner > ?", 0)
        _copy_rows(present, copy, "ledger", _columns(copy, "ledger"), "seq > ?", last[0])
        if _columns(present, "ledger_memories"):  # an older release wrote entries about one memory only
            _copy_rows(present, copy, "ledger_memories", _columns(copy, "ledger_memories"), "ref > ?", 0)
            _copy_rows(present, copy, "ledger_references", _columns(copy, "ledger_references"), since, last[0])
        _copy_rows(present, copy, "versions", _columns(copy, "versions"), since, last[0])
        # Drop the versions of memories that no longer exist.
        copy.execute(
            f"DELETE FROM versions WHERE {since} AND NOT EXISTS "
            "(SELECT 1 FROM items WHERE items.owner = versions.owner AND id = item_id)",
            (last[0],),
        )
        _carry_heads_over(present, copy)
        copy.execute("COMMIT")
    except sqlite3.DatabaseError:
        if copy.in_transaction:
            copy.execute("ROLLBACK")
        return False
    finally:
        copy.close()
    return True


def _share_history(present: sqlite3.Connection, copy: sqlite3.Connection, last: tuple[int, bytes]) -> bool:
    """Whether the current ledger continues every chain of the copy."""
    if present.execute("SELECT 1 FROM ledger WHERE seq = ? AND hash = ?", last).fetchone() is None:
        return False
    query = (
        "SELECT 1 FROM ledger JOIN owners USING (owner) "
        "WHERE user_id = ? AND agent_id = ? AND number = ? AND hash = ?"
    )
    heads = copy.execute(
        "SELECT user_id, agent_id, ledger_number, ledger_hash FROM owners WHERE ledger_number IS NOT NULL"
    )
    return all(present.execute(query, head).fetchone() is not None for head in heads)


def _carry_heads_over(present: sqlite3.Connection, copy: sqlite3.Connection) -> None:
    """Copies what the chains begin and end with, and their anchors."""
    _copy_rows(present, copy, "anchors", _columns(copy, "anchors"), "number > ?", 0)
    _copy_rows(present, copy, "anchor_heads", _columns(copy, "anchor_heads"), "anchor > ?", 0)
    copy.executemany(
        "UPDATE owners SET ledger_number = ?, ledger_hash = ?, anchored_number = ? WHERE owner = ?",
        present.execute("SELECT ledger_number, ledger_hash, anchored_number, owner FROM owners"),
    )
    sealed = present.execute("SELECT key, value FROM meta WHERE key = ?", (SEALED,)).fetchall()
    copy.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", sealed)


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]


def _copy_rows(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str, columns: list[str], where: str, value: int
) -> None:
    names = ", ".join(columns)
    rows = source.execute(f"SELECT {names} FROM {table} WHERE {where}", (value,))
    target.executemany(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})", rows)


# -- replacing ------------------------------------------------------------------------------------------


def _keep(place: RestoreTarget, present: _Present, now: float) -> str | None:
    """Saves the current database beside it, so that a restore can be undone."""
    if not present.exists:
        return None
    moment = f"{place.path}.before-restore-{datetime.fromtimestamp(now, timezone.utc):%Y%m%dT%H%M%SZ}"
    names = (moment if number == 1 else f"{moment}-{number}" for number in count(1))
    kept_path = next(name for name in names if not os.path.lexists(name))
    unfinished = Unfinished(os.path.abspath(kept_path))
    try:
        if present.connection is not None:
            unfinished.copy(present.connection, kept_path, vault=place.vault)
        else:
            with os_errors(kept_path):
                shutil.copyfile(place.path, unfinished.path)
                for part in PARTS_OF_A_DATABASE[1:]:
                    with contextlib.suppress(FileNotFoundError):
                        shutil.copyfile(place.path + part, kept_path + part)
                        os.chmod(kept_path + part, 0o600)
        archives, beside = ArchiveFolder(place.archive_path), ArchiveFolder(archive_folder_of(kept_path))
        for name in archives.names():
            beside.copy_from(archives, name)
        unfinished.publish(kept_path, replace=False)
    finally:
        unfinished.remove()
    return kept_path


def _put_in_place(staged: Unfinished, place: RestoreTarget, present: _Present, progress: Progress | None) -> None:
    archives, beside = ArchiveFolder(place.archive_path), ArchiveFolder(archive_folder_of(staged.path))
    for name in beside.names():
        archives.copy_from(beside, name)
    with open_without_trace(staged.path, place.path, place.vault) as db:
        needed = archives_in(db)
        if present.connection is not None:
            with sqlite_errors(place.path, _PATIENCE_SECONDS):
                db.backup(present.connection, pages=-1)  # one transaction: all or nothing
                present.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if present.connection is None:
        for part in PARTS_OF_A_DATABASE[1:]:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(place.path + part)
        staged.publish(os.path.abspath(place.path), replace=True)
    for name in set(archives.names()) - set(needed):
        archives.remove(name)  # kept beside, with the database that it belongs to
