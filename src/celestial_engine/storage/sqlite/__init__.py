"""The default store: one SQLite file, with the standard library."""

from celestial_engine.storage.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
