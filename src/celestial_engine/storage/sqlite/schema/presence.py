"""When each owner was last active, and the clocks of memories that wait for them."""

from __future__ import annotations

# What an owner does on purpose, as far as memories do not show it themselves.
_ACTIVE = "'updated', 'pinned', 'unpinned', 'rated', 'mentioned', 'rewarded', 'approved', 'rejected', 'undone'"

PRESENCE = (
    """
    CREATE TABLE presence (
        owner INTEGER PRIMARY KEY REFERENCES owners,
        last_active REAL NOT NULL,
        waiting INTEGER NOT NULL DEFAULT 0  -- whether memories have no next moment until the owner returns
    )
    """,
    f"""
    INSERT INTO presence (owner, last_active)
    SELECT owner, max(at) FROM (
        SELECT owner, max(created_at, last_recalled_at) AS at FROM items
        UNION ALL SELECT owner, at FROM ledger WHERE type IN ({_ACTIVE})
    ) GROUP BY owner
    """,
    "ALTER TABLE items ADD COLUMN idle_since REAL",  # on the owner's clock; NULL: since the last recall
    "ALTER TABLE items ADD COLUMN state_since REAL",  # when it faded or went inactive; earlier a facet
)
