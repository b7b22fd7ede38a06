"""The table of idempotency keys."""

from __future__ import annotations

REQUEST_KEY_TABLES = (
    """
    -- What a request with a key asked for, so that it is carried out once however often it is sent.
    CREATE TABLE request_keys (
        owner INTEGER NOT NULL REFERENCES owners,
        key TEXT NOT NULL,
        digest TEXT NOT NULL,
        item_id TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (owner, key)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX request_keys_at ON request_keys (at)",
    "CREATE INDEX request_keys_item ON request_keys (owner, item_id)",
    """
    CREATE TRIGGER request_keys_forget AFTER DELETE ON items
    BEGIN DELETE FROM request_keys WHERE owner = OLD.owner AND item_id = OLD.id; END
    """,
)
