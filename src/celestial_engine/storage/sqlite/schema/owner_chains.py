"""One hash chain per owner, with its head in the owner's row, and anchors over all heads."""

from __future__ import annotations

OWNER_CHAINS = (
    "DROP TRIGGER IF EXISTS ledger_is_true",
    "ALTER TABLE ledger ADD COLUMN number INTEGER",  # along the owner's chain; `seq` is the order of writing
    "UPDATE ledger SET number = seq",
    """
    CREATE TRIGGER ledger_is_true BEFORE UPDATE ON ledger WHEN OLD.hash IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END
    """,
    "CREATE UNIQUE INDEX ledger_number ON ledger (owner, number)",
    "DROP INDEX IF EXISTS ledger_item",
    "CREATE INDEX ledger_item ON ledger (owner, item_id, number)",
    "ALTER TABLE owners ADD COLUMN ledger_number INTEGER",  # the head of the owner's chain; NULL: no entry yet
    "ALTER TABLE owners ADD COLUMN ledger_hash BLOB",
    "ALTER TABLE owners ADD COLUMN anchored_number INTEGER",  # the head that the newest anchor holds
    "ALTER TABLE versions RENAME TO versions_before",
    "DROP INDEX IF EXISTS versions_item",
    """
    -- A memory as it was before the event of that number; gone when the memory is purged.
    CREATE TABLE versions (
        owner INTEGER NOT NULL REFERENCES owners,
        number INTEGER NOT NULL,
        item_id TEXT NOT NULL,
        salt BLOB NOT NULL,
        memory TEXT NOT NULL,
        PRIMARY KEY (owner, number)
    )
    """,
    """
    INSERT INTO versions (owner, number, item_id, salt, memory)
    SELECT owner, number, item_id, salt, memory FROM versions_before ORDER BY owner, number
    """,
    "DROP TABLE versions_before",
    "CREATE INDEX versions_item ON versions (owner, item_id)",
    """
    CREATE TABLE anchors (number INTEGER PRIMARY KEY, at REAL NOT NULL, hash BLOB NOT NULL)
    """,
    """
    -- The heads that an anchor covers: those that changed since the anchor before it.
    CREATE TABLE anchor_heads (
        owner INTEGER NOT NULL REFERENCES owners,
        anchor INTEGER NOT NULL REFERENCES anchors,
        number INTEGER NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (owner, anchor)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX anchor_heads_anchor ON anchor_heads (anchor)",
    *(
        f"""
        CREATE TRIGGER {table}_{name} BEFORE {change} ON {table}
        BEGIN SELECT RAISE(ABORT, 'the anchors are append-only'); END
        """
        for table in ("anchors", "anchor_heads")
        for name, change in (("are_kept", "DELETE"), ("are_true", "UPDATE"))
    ),
)
