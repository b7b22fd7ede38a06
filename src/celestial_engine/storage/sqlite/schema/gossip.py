"""The tables of learning together."""

from __future__ import annotations

GOSSIP_TABLES = (
    """
    -- The node of an owner who learns together with others: what was sent, and what came from them.
    CREATE TABLE gossip (
        owner INTEGER PRIMARY KEY REFERENCES owners,
        packed BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE gossip_peers (
        owner INTEGER NOT NULL REFERENCES owners,
        key TEXT NOT NULL,           -- its public key
        packed BLOB NOT NULL,
        PRIMARY KEY (owner, key)
    )
    """,
    "ALTER TABLE turns ADD COLUMN shared TEXT",  # the action of what others learned; NULL: that took no part
)
