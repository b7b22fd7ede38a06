"""The table of statement keys."""

from __future__ import annotations

STATEMENT_KEY_TABLES = (
    """
    -- What the memories in orbit say, as marks: who shares one with another is compared with it at night.
    CREATE TABLE sayings (
        seq INTEGER PRIMARY KEY,
        rules INTEGER NOT NULL,      -- of another number: to be read again
        mark INTEGER NOT NULL,
        topics BLOB NOT NULL,
        changing INTEGER NOT NULL
    )
    """,
)
