"""Reports of moving owners to another database."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.core.record.owner import Owner


@dataclass(frozen=True)
class OwnerMove:
    """One owner: what there is, what of it had to be written now, and how long writes were refused."""

    owner: Owner
    memories: int
    entries: int
    written: int = 0  # rows of memories that were not there yet, or were different
    refused_seconds: float = 0.0


@dataclass(frozen=True)
class MoveReport:
    """A move that was verified; of a dry run, what it would move."""

    source: str
    target: str
    owners: tuple[OwnerMove, ...]
    archives: int = 0
    dry_run: bool = False
