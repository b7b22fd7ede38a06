"""One ledger entry for a whole question: which memories it names, by small numbers."""

from __future__ import annotations

LEDGER_REFERENCES = (
    """
    -- The memories that entries about several of them name. A purged memory keeps its number: its entries stay.
    CREATE TABLE ledger_memories (
        owner INTEGER NOT NULL REFERENCES owners,
        ref INTEGER NOT NULL,
        item_id TEXT NOT NULL,
        PRIMARY KEY (owner, ref)
    ) WITHOUT ROWID
    """,
    "CREATE UNIQUE INDEX ledger_memories_item ON ledger_memories (owner, item_id)",
    """
    -- Which entries name a memory.
    CREATE TABLE ledger_references (
        owner INTEGER NOT NULL,
        ref INTEGER NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (owner, ref, number)
    ) WITHOUT ROWID
    """,
    *(
        f"""
        CREATE TRIGGER ledger_memories_{name} BEFORE {change} ON ledger_memories
        BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END
        """
        for name, change in (("are_kept", "DELETE"), ("are_true", "UPDATE"))
    ),
    # Entries without a memory need no place in this index.
    "DROP INDEX IF EXISTS ledger_item",
    "CREATE INDEX ledger_item ON ledger (owner, item_id, number) WHERE item_id IS NOT NULL",
)
