"""The embedded default: one SQLite file through the standard library."""

from celestial_engine.storage.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
