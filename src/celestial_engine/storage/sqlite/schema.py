"""The tables, as an ordered list of migrations. Never edit one that was released: add the next.

A memory is one row of `items`: the small numbers that change all day. Its text lies beside it in `texts`,
so that a recall or a rebalance rewrites a hundred bytes and not the text; its vector lies in `vectors`.
All three share the key `seq`, whose upper bits are the owner: an owner's rows are neighbours in every
table, and the full-text search can be confined to them by a range.
"""

from __future__ import annotations

APPLICATION_ID = 0x43454C45  # "CELE": tells our files from other SQLite databases
OWNER_SHIFT = 40

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID
        """,
        """
        CREATE TABLE owners (
            owner INTEGER PRIMARY KEY,
            user_id TEXT NOT NULL,
            agent_id TEXT NOT NULL,
            settle_at REAL,              -- when the bounded zones next need new seats
            orbiting INTEGER NOT NULL DEFAULT 0,
            UNIQUE (user_id, agent_id)
        )
        """,
        "CREATE INDEX owners_settle ON owners (settle_at) WHERE settle_at IS NOT NULL",
        """
        CREATE TABLE items (
            seq INTEGER PRIMARY KEY,
            owner INTEGER NOT NULL REFERENCES owners,
            id TEXT NOT NULL,
            state TEXT NOT NULL,
            zone INTEGER NOT NULL,
            piece INTEGER NOT NULL,      -- the score is level + slope(piece) * t ...
            level REAL NOT NULL,
            next_moment REAL,            -- ... until then
            tier TEXT NOT NULL,
            protection TEXT NOT NULL,
            created_at REAL NOT NULL,
            last_recalled_at REAL NOT NULL,
            recall_count INTEGER NOT NULL,
            mention_count INTEGER NOT NULL,
            arbitrary_importance REAL NOT NULL,
            importance_source TEXT NOT NULL,
            context_score REAL NOT NULL,
            expires_at REAL,
            departed_for TEXT,
            departed_at REAL,
            purge_at REAL
        )
        """,
        *(
            f"""
            CREATE TRIGGER orbiting_{name} AFTER {change} ON items WHEN {row}.state IN ('active', 'faded')
            BEGIN UPDATE owners SET orbiting = orbiting {sign} 1 WHERE owner = {row}.owner; END
            """
            for name, change, row, sign in (
                ("added", "INSERT", "NEW", "+"),
                ("purged", "DELETE", "OLD", "-"),
                ("left", "UPDATE OF state", "OLD", "-"),
                ("returned", "UPDATE OF state", "NEW", "+"),
            )
        ),
        "CREATE UNIQUE INDEX items_id ON items (owner, id)",
        """
        CREATE INDEX items_orbit ON items (owner, zone, piece, level) WHERE state IN ('active', 'faded')
        """,
        "CREATE INDEX items_moment ON items (next_moment) WHERE next_moment IS NOT NULL",
        "CREATE INDEX items_newest ON items (owner, created_at)",
        """
        CREATE TABLE texts (
            seq INTEGER PRIMARY KEY REFERENCES items,
            content TEXT NOT NULL,
            metadata TEXT NOT NULL,
            facets TEXT NOT NULL         -- what no query filters by, as sparse JSON
        )
        """,
        "CREATE TABLE vectors (seq INTEGER PRIMARY KEY REFERENCES items, embedding BLOB NOT NULL)",
        """
        -- One bit a dimension: the sign. Scanned by Hamming distance, the best rescored from `vectors`.
        CREATE TABLE signs (seq INTEGER PRIMARY KEY REFERENCES items, bits BLOB NOT NULL)
        """,
        """
        -- The words are made in Python; contentless, because `texts` already has the text.
        CREATE VIRTUAL TABLE words USING fts5 (
            body, content = '', detail = none, tokenize = "unicode61 remove_diacritics 0"
        )
        """,
        """
        CREATE TABLE ledger (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            at REAL NOT NULL,
            type TEXT NOT NULL,
            owner INTEGER NOT NULL REFERENCES owners,
            item_id TEXT,
            detail TEXT NOT NULL
        )
        """,
        "CREATE INDEX ledger_item ON ledger (owner, item_id)",
        """
        CREATE TRIGGER ledger_is_kept BEFORE DELETE ON ledger
        BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END
        """,
        """
        CREATE TRIGGER ledger_is_true BEFORE UPDATE ON ledger
        BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END
        """,
        """
        CREATE TABLE jobs (
            name TEXT PRIMARY KEY,
            last_run REAL,
            holder TEXT,
            lease_until REAL
        )
        """,
    ),
)

SCHEMA_VERSION = len(MIGRATIONS)
