"""Backups: made during writes, fully verified before they get their name, readable by their owner only.

A backup is one SQLite file, with a folder of its archive files beside it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import TYPE_CHECKING

from celestial_engine.errors import (
    BackupExistsError,
    CorruptDatabaseError,
    ForeignDatabaseError,
    NewerSchemaError,
    ReadOnlyError,
    Reason,
    os_problem,
)
from celestial_engine.ports import Progress
from celestial_engine.storage.archive import (
    ArchiveFolder,
    InMemoryArchives,
    archive_folder_of,
    archive_problems,
    os_errors,
    sync_folder,
)
from celestial_engine.storage.sqlite import driver
from celestial_engine.storage.sqlite.connections import named_error
from celestial_engine.storage.sqlite.files.header import Header, has_log, read_header
from celestial_engine.storage.sqlite.files.integrity import file_problems, problems
from celestial_engine.storage.sqlite.rows import UnreadableRowError
from celestial_engine.storage.sqlite.schema.migrations import APPLICATION_ID, SCHEMA_VERSION
from celestial_engine.storage.sqlite.search.words import WordIndex
from celestial_engine.storage.vault import is_plain_database

if TYPE_CHECKING:
    from celestial_engine.core.keeping.backup import BackupReport
    from celestial_engine.storage.vault import Vault


PARTS_OF_A_DATABASE = ("", "-wal", "-shm", "-journal")
UNFINISHED_BACKUP = ".celestial-backup-"
_PAGES_A_STEP = 1_000
_ABANDONED_SECONDS = 86_400.0


def texts_of_backup(path: str, vault: Vault | None = None) -> Iterator[tuple[str, str]]:
    """Yields content and metadata (JSON) of every memory in a backup; nothing if the file is no database of ours."""
    with contextlib.closing(driver.connect(path, options="mode=ro", vault=vault)) as db:
        try:
            if db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
                yield from db.execute("SELECT content, metadata FROM texts")
        except sqlite3.DatabaseError:
            return


# -- making ---------------------------------------------------------------------------------------------


class Unfinished:
    """A file that becomes a backup or is removed."""

    def __init__(self, target: str) -> None:
        import tempfile  # slow to import, rarely needed

        folder = os.path.dirname(target)
        with os_errors(target):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            _sweep(folder)
            handle, self.path = tempfile.mkstemp(dir=folder, prefix=UNFINISHED_BACKUP)  # readable by its owner only
            os.close(handle)

    def copy(
        self, source: sqlite3.Connection, target: str, progress: Progress | None = None, vault: Vault | None = None
    ) -> None:
        """Copies everything that the source's transaction sees into one file without a log."""
        copy_database(source, self.path, target, progress, vault)

    def publish(self, target: str, *, replace: bool) -> None:
        """Gives the file its final name, durably."""
        with os_errors(target):
            handle = os.open(self.path, os.O_RDWR)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
            if replace:
                os.replace(self.path, target)
            else:
                try:
                    os.link(self.path, target)  # unlike a rename, this never overwrites
                except FileExistsError:
                    raise BackupExistsError(path=target) from None
                except OSError:  # a file system without hard links
                    if os.path.exists(target):
                        raise BackupExistsError(path=target) from None
                    os.rename(self.path, target)
            sync_folder(os.path.dirname(target))

    def remove(self) -> None:
        for part in PARTS_OF_A_DATABASE:
            with contextlib.suppress(OSError):
                os.unlink(self.path + part)


def refuse_target(target: str, source: str, *, replace: bool, vault: Vault | None = None) -> None:
    """Raises unless the target is free or, with `replace`, an older backup."""
    if os.path.realpath(target) in {os.path.realpath(source) + part for part in PARTS_OF_A_DATABASE}:
        raise BackupExistsError(path=target)
    if not os.path.lexists(target):
        return
    if not replace:
        raise BackupExistsError(path=target)
    header = header_of(target, vault=vault)
    if header is not None and header.application_id != APPLICATION_ID:
        raise ForeignDatabaseError(target, Reason.OTHER_PROGRAM)


def copy_database(
    source: sqlite3.Connection, path: str, target: str, progress: Progress | None, vault: Vault | None = None
) -> None:
    """Copies the source into the file at `path`; errors name `target`, which is the path the user knows."""
    with sqlite_errors(target):
        copy = driver.connect(path, vault=vault)
        try:
            copy.execute("PRAGMA journal_mode = OFF")  # a failed copy is thrown away

            def report_progress(_: int, remaining: int, total: int) -> None:
                if progress is not None:
                    progress(total - remaining, total)

            source.backup(copy, pages=_PAGES_A_STEP, progress=report_progress, sleep=0)
            copy.execute("PRAGMA journal_mode = DELETE")  # one plain file, wherever it is opened
        finally:
            copy.close()


def gather(
    copy: str, target: str, archives: ArchiveFolder | InMemoryArchives, vault: Vault | None = None
) -> list[str]:
    """Copies the archives that a backup needs to their place beside it; returns the missing ones."""
    beside = ArchiveFolder(archive_folder_of(target), vault)
    with open_without_trace(copy, target, vault) as db:
        needed = archives_in(db)
    for file in needed:
        beside.copy_from(archives, file)
    return sorted(set(needed) - set(beside.names()))


def finish(
    unfinished: Unfinished, target: str, words: WordIndex, *, replace: bool, vault: Vault | None = None
) -> BackupReport:
    """Verifies a copy and gives it its final name."""
    report = inspect_backup(unfinished.path, target, words, vault)
    beside = ArchiveFolder(archive_folder_of(target), vault)
    with open_without_trace(unfinished.path, target, vault) as db:
        needed = archives_in(db)
    unfinished.publish(target, replace=replace)
    for name in set(beside.names()) - set(needed):
        beside.remove(name)  # left by the backup that this one replaces
    return replace_fields(report, problems=tuple(archive_problems(beside, needed)))


def _sweep(folder: str) -> None:
    """Removes unfinished files of killed backups that are at least a day old."""
    for file in Path(folder).glob(UNFINISHED_BACKUP + "*"):
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime > _ABANDONED_SECONDS:
                file.unlink()


# -- looking --------------------------------------------------------------------------------------------


def verify(path: str, words: WordIndex, vault: Vault | None = None) -> BackupReport:
    """Verifies a whole backup without leaving a trace. Raises if it could not be restored."""
    report = inspect_backup(path, path, words, vault)
    beside = ArchiveFolder(archive_folder_of(path), vault)
    with open_without_trace(path, path, vault) as db:
        problems = archive_problems(beside, archives_in(db))
    return replace_fields(report, problems=tuple(problems))


def inspect_backup(path: str, name: str, words: WordIndex, vault: Vault | None = None) -> BackupReport:
    """Returns what a backup holds if it is valid; errors use `name`."""
    from celestial_engine.core.keeping.backup import BackupReport

    header = header_of(path, name, vault)
    if header is None or header.application_id != APPLICATION_ID:
        raise ForeignDatabaseError(name, Reason.EMPTY if header is None else Reason.OTHER_PROGRAM)
    if header.user_version > SCHEMA_VERSION:
        raise NewerSchemaError(path=name, found=header.user_version, known=SCHEMA_VERSION)
    with open_without_trace(path, name, vault) as db:
        # The tables of an older version are checked after migration.
        current = header.user_version == SCHEMA_VERSION
        faults = problems(db, words) if current else file_problems(db)
        if faults:
            raise CorruptDatabaseError(name, *faults[:3])
        return BackupReport(
            path=name,
            size_bytes=os.path.getsize(path),
            schema=header.user_version,
            owners=_count(db, "owners"),
            memories=_count(db, "items"),
            events=_count(db, "ledger"),
            archives=len(archives_in(db)),
        )


def _count(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def archives_in(db: sqlite3.Connection) -> list[str]:
    """Returns the archive files of a database's memories."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'archived'").fetchone() is None:
        return []  # this version had no archives
    return [file for (file,) in db.execute("SELECT DISTINCT file FROM archived ORDER BY file")]


def header_of(path: str, name: str | None = None, vault: Vault | None = None) -> Header | None:
    """Returns the header of one of our files; None if it is empty."""
    name = name or path
    if vault is not None and os.path.isfile(path) and os.path.getsize(path) and not is_plain_database(path):
        with open_without_trace(path, name, vault) as db:
            cookie, version, application = (
                int(db.execute(f"PRAGMA {pragma}").fetchone()[0])
                for pragma in ("schema_version", "user_version", "application_id")
            )
        return Header(cookie, version, application)
    try:
        return read_header(path)
    except ValueError as error:
        raise ForeignDatabaseError(name, Reason.NOT_SQLITE) from error
    except OSError as error:
        raise ReadOnlyError(name, os_problem(error)) from error


@contextlib.contextmanager
def open_without_trace(path: str, name: str, vault: Vault | None = None) -> Iterator[sqlite3.Connection]:
    """Opens a connection that leaves no trace: not even a lock if there can be no writer."""
    still = "" if has_log(path) else "&immutable=1"
    with sqlite_errors(name):
        db = driver.connect(path, options=f"mode=ro{still}", vault=vault)
        try:
            yield db
        finally:
            db.close()


@contextlib.contextmanager
def sqlite_errors(path: str, busy_seconds: float = 5.0) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise named_error(error, path, busy_seconds) from error
    except UnreadableRowError as error:
        raise CorruptDatabaseError(path, error.problem) from error
    except UnicodeDecodeError as error:  # SQLite quotes damaged names in its messages
        raise CorruptDatabaseError(path, Reason.SYSTEM_ERROR, cause=str(error)) from error
