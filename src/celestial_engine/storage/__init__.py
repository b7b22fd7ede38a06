"""Storage: SQLite by default, plain dictionaries for tests."""

from celestial_engine.storage.base import ZoneStorage

__all__ = ["ZoneStorage"]
