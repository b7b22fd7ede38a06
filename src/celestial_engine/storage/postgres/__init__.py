"""The store on PostgreSQL, for more than one machine. Needs the extra `postgres`."""

from __future__ import annotations

from celestial_engine.storage.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
