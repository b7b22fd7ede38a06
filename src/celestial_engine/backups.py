"""Work on a database that is not open: verify and restore backups, distribute a server's tables."""

from __future__ import annotations

import os
import time
from glob import escape, glob

from celestial_engine.bootstrap import change_key as rekey_database
from celestial_engine.bootstrap import distribute_database, open_store, restore_database, verify_database
from celestial_engine.config import Environment, StorageConfig, database_key
from celestial_engine.core.keeping.backup import BackupReport, RestoreReport
from celestial_engine.flow.departures import retain
from celestial_engine.ports import Clock, Progress


def verify_backup(path: str | os.PathLike[str]) -> BackupReport:
    """Verifies a whole backup and changes nothing; raises if it could not be restored."""
    env, file = Environment.read(), os.path.expanduser(os.fspath(path))
    return verify_database(file, env.words, database_key(env.db_path, env))


def change_key(db_path: str | os.PathLike[str] | None = None, *, old: str | None, new: str | None) -> tuple[int, int]:
    """Encrypts a database that no process has open, changes its key, or decrypts it (`new` None).

    Its ledger files, archives, SOUL.md and backups go with it. An interrupted run is started again with the same
    arguments. Returns how many databases, with backups, and how many other files were changed.
    """
    env = Environment.read()
    path = env.db_path if db_path is None else os.path.expanduser(os.fspath(db_path))
    config = StorageConfig(path, words=env.words, ledger=env.ledger, archive=env.archive, files=env.files)
    return rekey_database(config, _backups_of(path, env.backup_path), env.soul, old=old, new=new)


def _backups_of(path: str, folder: str | None) -> tuple[str, ...]:
    """Returns the backups of a database, and what restores kept of it."""
    stem, suffix = os.path.splitext(os.path.basename(path))
    beside = os.path.dirname(os.path.abspath(path))
    moment = "????????T??????Z"
    found = glob(os.path.join(escape(folder or beside), f"{escape(stem)}-{moment}*{escape(suffix)}"))
    found += glob(f"{escape(os.path.abspath(path))}.before-restore-{moment}*")
    ends = ("-wal", "-shm", "-journal", ".archive", ".ledger")
    return tuple(sorted(name for name in found if os.path.isfile(name) and not name.endswith(ends)))


def distribute_server(db_path: str | None = None, *, dry_run: bool = False) -> list[str]:
    """Spreads the tables of a PostgreSQL database over a Citus cluster; returns the statements."""
    env = Environment.read()
    return distribute_database(StorageConfig(db_path or env.db_path, words=env.words), dry_run=dry_run)


def restore_backup(
    backup: str | os.PathLike[str],
    db_path: str | os.PathLike[str] | None = None,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
    archive_path: str | None = None,
    clock: Clock = time.time,
) -> RestoreReport:
    """Replaces a database that no process has open by a backup.

    The current database is kept beside it. What was purged since the backup stays purged.
    """
    env = Environment.read()
    target = env.db_path if db_path is None else os.path.expanduser(os.fspath(db_path))
    config = StorageConfig(
        path=target,
        words=env.words,
        key=database_key(target, env),
        ledger=env.ledger,
        archive=env.archive if archive_path is None else archive_path,
        files=env.files,
    )
    now = clock()
    source = os.path.expanduser(os.fspath(backup))
    report = restore_database(config, source, env.owner, now, dry_run=dry_run, progress=progress)
    if not dry_run:
        store = open_store(config)
        try:
            retain.tidy(store, now)  # also remove purged memories from the archives
        finally:
            store.close()
    return report
