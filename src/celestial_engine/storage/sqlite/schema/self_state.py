"""The tables of the self."""

from __future__ import annotations

SELF_TABLES = (
    """
    -- What waits for the user's word, or did; what it is about lies in `body`, as JSON.
    CREATE TABLE proposals (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        owner INTEGER NOT NULL REFERENCES owners,
        id TEXT NOT NULL,
        status TEXT NOT NULL,
        about TEXT NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (owner, id)
    )
    """,
    "CREATE INDEX proposals_status ON proposals (owner, status, number)",
    "CREATE INDEX proposals_about ON proposals (owner, about, number)",
    *(
        f"""
        CREATE TABLE {name} (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            owner INTEGER NOT NULL REFERENCES owners,
            id TEXT NOT NULL,
            body TEXT NOT NULL,
            UNIQUE (owner, id)
        )
        """
        for name in ("islands", "beliefs")
    ),
    """
    CREATE TABLE self_versions (
        owner INTEGER NOT NULL REFERENCES owners,
        version INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (owner, version)
    ) WITHOUT ROWID
    """,
    """
    -- SOUL.md as it was when its edits were last read: a SHA-256.
    CREATE TABLE souls (
        owner INTEGER NOT NULL REFERENCES owners,
        path TEXT NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (owner, path)
    ) WITHOUT ROWID
    """,
)
