"""Status of an engine, for administrators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Status:
    """`without_vector` counts all owners, `states` one; `entries` counts the ledger entries of all owners."""

    at: float
    embedder: str | None
    dimensions: int | None
    without_vector: int
    words: str | None
    model: str | None
    model_uses: tuple[str, ...]
    path: str
    ledger_path: str | None
    archive_path: str
    states: Mapping[str, int]
    entries: int
