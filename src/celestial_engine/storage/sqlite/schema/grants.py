"""The table of access tokens."""

from __future__ import annotations

GRANT_TABLES = (
    """
    -- Who may do what over a network. Of a token only its SHA-256 is kept.
    CREATE TABLE grants (
        id TEXT PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        user_id TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        scopes TEXT NOT NULL,
        created_at REAL NOT NULL,
        last_used_at REAL,
        revoked_at REAL
    ) WITHOUT ROWID
    """,
)
