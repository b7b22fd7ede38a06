"""Work on a database that is not open: verify and restore backups, distribute a server's tables."""

from __future__ import annotations

import os
import time

from celestial_engine.bootstrap import distribute_database, open_store, restore_database, verify_database
from celestial_engine.config import Environment, StorageConfig
from celestial_engine.core.keeping.backup import BackupReport, RestoreReport
from celestial_engine.flow.departures import retain
from celestial_engine.ports import Clock, Progress


def verify_backup(path: str | os.PathLike[str]) -> BackupReport:
    """Verifies a whole backup and changes nothing; raises if it could not be restored."""
    return verify_database(os.path.expanduser(os.fspath(path)), Environment.read().words)


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
    config = StorageConfig(
        path=env.db_path if db_path is None else os.path.expanduser(os.fspath(db_path)),
        words=env.words,
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
