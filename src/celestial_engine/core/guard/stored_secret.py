"""A secret that an older version stored: where it is, and of which kinds; never the secret itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class SecretPlace(str, Enum):
    MEMORY = "memory"
    ARCHIVE = "archive"
    VERSION = "version"  # an older text of a memory, kept by the ledger
    LEDGER = "ledger"  # an entry itself: it is part of the hash chain and cannot be rewritten
    BACKUP = "backup"


@dataclass(frozen=True)
class StoredSecret:
    """`where` is the id of a memory, the number of an entry or the path of a backup."""

    place: SecretPlace
    where: str
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class SecretScan:
    """What was found; `redacted` maps ids of memories to those of their redacted copies.

    `left` are places that were found and could not be redacted: backups, entries of the ledger, core memories.
    """

    found: tuple[StoredSecret, ...]
    redacted: dict[str, str]
    left: tuple[StoredSecret, ...]
    dry_run: bool
