"""Rate limits in a table, for all processes on the file."""

from __future__ import annotations

from celestial_engine.core.rate_limits import Allowance, Bucket
from celestial_engine.storage.sqlite.dialect import Transactions


class SqliteRateLimits:
    def __init__(self, connections: Transactions) -> None:
        self._connections = connections

    def take(self, caller: str, now: float, rate: float, burst: int) -> Allowance:
        with self._connections.writing(durable=False) as db:
            row = db.execute("SELECT left_over, at FROM rate_limits WHERE caller = ?", (caller,)).fetchone()
            if row is None:  # a full bucket is the same as none: callers that stay away leave no rows
                db.execute("DELETE FROM rate_limits WHERE full_at <= ?", (now,))
            bucket, allowance = (Bucket(burst, now) if row is None else Bucket(*row)).taken(now, rate, burst)
            db.execute(
                "INSERT INTO rate_limits (caller, left_over, at, full_at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (caller) DO UPDATE SET left_over = excluded.left_over, at = excluded.at, "
                "full_at = excluded.full_at",
                (caller, bucket.left, bucket.at, bucket.full_at(rate, burst)),
            )
        return allowance
