"""The tables of the imagination."""

from __future__ import annotations

IMAGINATION_TABLES = (
    """
    -- How welcome each kind of idea has been; waiting: the imagination that nobody has answered yet.
    CREATE TABLE imagined_patterns (
        owner INTEGER NOT NULL REFERENCES owners,
        pattern TEXT NOT NULL,
        strength REAL NOT NULL,
        liked INTEGER NOT NULL,
        rejected INTEGER NOT NULL,
        ignored INTEGER NOT NULL,
        last_at REAL,
        waiting TEXT,
        PRIMARY KEY (owner, pattern)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX imagined_waiting ON imagined_patterns (owner, waiting) WHERE waiting IS NOT NULL",
    """
    CREATE TRIGGER imagined_forget AFTER DELETE ON items
    BEGIN UPDATE imagined_patterns SET waiting = NULL WHERE owner = OLD.owner AND waiting = OLD.id; END
    """,
)
