"""The table of rate limits."""

from __future__ import annotations

RATE_LIMITS = (
    """
    -- How many requests each caller has left, counted over all servers. Full buckets are deleted.
    CREATE TABLE rate_limits (
        caller TEXT PRIMARY KEY,
        left_over REAL NOT NULL,
        at REAL NOT NULL,
        full_at REAL NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX rate_limits_full ON rate_limits (full_at)",
)
