"""The default store: one SQLite file, with the standard library."""

from __future__ import annotations

from typing import Any

from celestial_engine.storage.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]


def __getattr__(name: str) -> Any:
    if name != "SqliteStorage":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    # The class stands on the store, which must not import it when it is loaded itself.
    return import_module("celestial_engine").SqliteStorage
