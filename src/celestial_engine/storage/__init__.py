"""Storage: SQLite by default, plain dictionaries for tests."""

from __future__ import annotations

from typing import Any

__all__ = ["ZoneStorage"]


def __getattr__(name: str) -> Any:
    if name != "ZoneStorage":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from celestial_engine.storage.base import ZoneStorage  # only the original design's names need it

    return ZoneStorage
