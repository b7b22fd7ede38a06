"""Reports of backups and restores."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.errors import Problem


@dataclass(frozen=True)
class BackupReport:
    """A backup that was fully verified."""

    path: str
    size_bytes: int
    schema: int
    owners: int
    memories: int
    events: int
    archives: int  # files of archived sessions that belong to it
    problems: tuple[Problem, ...] = ()  # archives that cannot be read; everything else is intact


@dataclass(frozen=True)
class RestoreReport:
    """A restored backup. `purged` counts memories purged since the backup, which stay purged; None if unknown."""

    backup: BackupReport
    path: str
    kept_as: str | None
    purged: int | None
    dry_run: bool = False
