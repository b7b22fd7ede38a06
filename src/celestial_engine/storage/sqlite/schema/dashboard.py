"""The tables of the dashboard's sessions."""

from __future__ import annotations

DASHBOARD = (
    "ALTER TABLE grants ADD COLUMN expires_at REAL",  # end of a browser session; NULL: until it is revoked
    """
    -- Keys that open one session each, for some minutes. Of a key only its SHA-256 is kept.
    CREATE TABLE login_keys (
        digest TEXT PRIMARY KEY,
        user_id TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        expires_at REAL NOT NULL
    ) WITHOUT ROWID
    """,
)
