"""What a backup holds, and what restoring one did."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.errors import Problem


@dataclass(frozen=True)
class BackupReport:
    """A backup that was checked from end to end."""

    path: str
    size_bytes: int
    schema: int
    owners: int
    memories: int
    events: int
    archives: int  # files of archived sessions that belong to it
    problems: tuple[Problem, ...] = ()  # archives that cannot be read; everything else is sound


@dataclass(frozen=True)
class RestoreReport:
    """A backup put back. `purged` were purged after it was made, and stay gone; None where nobody could tell."""

    backup: BackupReport
    path: str
    kept_as: str | None
    purged: int | None
    dry_run: bool = False
