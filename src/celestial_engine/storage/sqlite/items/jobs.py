"""Leases on work that one of many processes does for all."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from celestial_engine.core.night.leases import may_claim
from celestial_engine.ports import JobState
from celestial_engine.storage.sqlite.dialect import Transactions


class SqliteJobs:
    def __init__(self, connections: Transactions) -> None:
        self._connections = connections

    def now(self, clock: float) -> float:
        """All processes on the file are on one machine, so the caller's clock is the database's."""
        return clock

    def claim(self, name: str, holder: str, now: float, every: float, lease: float) -> bool:
        # Called often, rarely due: check without the write lock first.
        with self._connections.reading() as db:
            row = db.execute("SELECT last_run, lease_until FROM jobs WHERE name = ?", (name,)).fetchone()
        if row is not None and not may_claim(row[0], row[1], now, every, lease):
            return False
        with self._connections.writing(durable=False) as db:
            row = db.execute("SELECT last_run, lease_until FROM jobs WHERE name = ?", (name,)).fetchone()
            if row is not None and not may_claim(row[0], row[1], now, every, lease):
                return False
            db.execute(
                "INSERT INTO jobs (name, holder, lease_until) VALUES (?, ?, ?) "
                "ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until",
                (name, holder, now + lease),
            )
            return True

    def finish(self, name: str, holder: str, done_at: float | None) -> None:
        with self._connections.writing(durable=False) as db:
            db.execute(
                "UPDATE jobs SET last_run = coalesce(?, last_run), holder = NULL, lease_until = NULL "
                "WHERE name = ? AND holder = ?",
                (done_at, name, holder),
            )

    def extend(self, name: str, holder: str, now: float, lease: float) -> bool:
        with self._connections.writing(durable=False) as db:
            changed = db.execute(
                "UPDATE jobs SET lease_until = ? WHERE name = ? AND holder = ?", (now + lease, name, holder)
            )
            return changed.rowcount == 1

    def note(self, runs: Mapping[str, float]) -> None:
        with self._connections.writing(durable=False) as db:
            db.executemany(
                "INSERT INTO jobs (name, last_run) VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET last_run = excluded.last_run",
                list(runs.items()),
            )

    def states(self, prefix: str) -> dict[str, JobState]:
        with self._connections.reading() as db:
            rows = db.execute(
                "SELECT name, last_run, holder, lease_until FROM jobs WHERE name BETWEEN ? AND ? ORDER BY name",
                (prefix, prefix + chr(sys.maxunicode)),
            ).fetchall()
        return {name: JobState(*state) for name, *state in rows}
