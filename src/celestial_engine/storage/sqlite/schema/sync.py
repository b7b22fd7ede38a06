"""The tables of synchronising several devices of one owner."""

from __future__ import annotations

SYNC_TABLES = (
    """
    -- What is known about each memory on every device; '' is the self.
    CREATE TABLE sync_records (
        owner INTEGER NOT NULL REFERENCES owners,
        item_id TEXT NOT NULL,
        changed INTEGER NOT NULL,    -- counts the changes of all records of the owner
        origin TEXT NOT NULL,        -- where the last change came from
        marks BLOB NOT NULL,         -- ids, numbers and times
        texts BLOB,                  -- NULL: the memory was purged
        PRIMARY KEY (owner, item_id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX sync_records_changed ON sync_records (owner, changed)",
    """
    CREATE TABLE sync_notes (
        owner INTEGER NOT NULL REFERENCES owners,
        name TEXT NOT NULL,
        packed BLOB NOT NULL,
        PRIMARY KEY (owner, name)
    ) WITHOUT ROWID
    """,
    """
    CREATE TRIGGER sync_records_forget AFTER DELETE ON items
    BEGIN UPDATE sync_records SET texts = NULL WHERE owner = OLD.owner AND item_id = OLD.id; END
    """,
)
