"""The tables, as an ordered list of migrations. Never edit one that was released: add the next.

A memory is one row of `items`: the small numbers that change often. Its text is in `texts`, so that a recall or a
rebalance rewrites a hundred bytes and not the text; its vector is in `vectors`. All three share the key `seq`, whose
upper bits are the owner number. So an owner's rows are neighbours in every table, and a range limits full-text search
to them.
"""

from __future__ import annotations

from celestial_engine.storage.sqlite.schema.checksums import CHECKSUM_COLUMN
from celestial_engine.storage.sqlite.schema.dashboard import DASHBOARD
from celestial_engine.storage.sqlite.schema.gossip import GOSSIP_TABLES
from celestial_engine.storage.sqlite.schema.grants import GRANT_TABLES
from celestial_engine.storage.sqlite.schema.imagination import IMAGINATION_TABLES
from celestial_engine.storage.sqlite.schema.ledger_references import LEDGER_REFERENCES
from celestial_engine.storage.sqlite.schema.owner_chains import OWNER_CHAINS
from celestial_engine.storage.sqlite.schema.presence import PRESENCE
from celestial_engine.storage.sqlite.schema.rate_limits import RATE_LIMITS
from celestial_engine.storage.sqlite.schema.reading import LASTING_INDEX, READING_COLUMNS
from celestial_engine.storage.sqlite.schema.relations import RELATIONS_ONCE
from celestial_engine.storage.sqlite.schema.request_keys import REQUEST_KEY_TABLES
from celestial_engine.storage.sqlite.schema.self_state import SELF_TABLES
from celestial_engine.storage.sqlite.schema.statement_keys import STATEMENT_KEY_TABLES
from celestial_engine.storage.sqlite.schema.sync import SYNC_TABLES
from celestial_engine.storage.sqlite.schema.traits import TRAIT_COLUMNS
from celestial_engine.storage.sqlite.schema.turn_reason import TURN_REASON

APPLICATION_ID = 0x43454C45  # "CELE": distinguishes our files from other SQLite databases
OWNER_SHIFT = 40
IN_ORBIT = "state IN ('active', 'faded')"
CENTRED_SINCE = 3  # since this version, signs are relative to a centre
FACETED_SINCE = 4  # since this version there are facets, and tags are words
ZONED_SINCE = 8  # since this version, zones are facets and importances hundredths
CATEGORISED_SINCE = 11  # since this version, categories are facets
STATE_SINCE_COLUMN_SINCE = 19  # since this version, state_since is a column
OWNER_CHAINS_SINCE = 20  # since this version, each owner has a hash chain
TRAITS_SINCE = 23  # since this version, what ranking needs of a text is in columns
LEDGER_REFERENCES_SINCE = 26  # since this version, an entry may be about several memories
RELATIONS_ONCE_SINCE = 27  # since this version, a relation is one row, and a gist may be a length
SIGN_CHANGES_KEPT = 8_192  # a reader further behind reloads all signs, which takes about as long

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
    (
        """
        -- What memories tell of, by normalised name; here as long as a relation needs it.
        CREATE TABLE entities (
            entity INTEGER PRIMARY KEY,
            owner INTEGER NOT NULL REFERENCES owners,
            name TEXT NOT NULL,
            degree INTEGER NOT NULL DEFAULT 0,
            UNIQUE (owner, name)
        )
        """,
        """
        -- Each relation twice, seen from either end, so that one index walks both ways.
        CREATE TABLE relations (
            entity INTEGER NOT NULL REFERENCES entities,
            seq INTEGER NOT NULL REFERENCES items,
            other INTEGER NOT NULL REFERENCES entities,
            predicate TEXT NOT NULL,
            forward INTEGER NOT NULL,
            negative INTEGER NOT NULL,
            PRIMARY KEY (entity, seq, other, predicate, forward)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX relations_seq ON relations (seq)",
        """
        CREATE TRIGGER entity_gains AFTER INSERT ON relations
        BEGIN UPDATE entities SET degree = degree + 1 WHERE entity = NEW.entity; END
        """,
        """
        CREATE TRIGGER entity_loses AFTER DELETE ON relations
        BEGIN
            UPDATE entities SET degree = degree - 1 WHERE entity = OLD.entity;
            DELETE FROM entities WHERE entity = OLD.entity AND degree = 0;
        END
        """,
    ),
    (
        "ALTER TABLE vectors ADD COLUMN norm REAL",  # NULL (unknown) for rows of the first version
        """
        -- What is taken off a vector's direction before its signs are: one row, or none while vectors are few.
        CREATE TABLE centre (made_of INTEGER NOT NULL, direction BLOB NOT NULL)
        """,
        """
        -- Which signs changed, so that a copy in RAM can follow. The mark tells a number from the same one
        -- of another past, should an older state of the database be put back. Never empty.
        CREATE TABLE sign_changes (number INTEGER PRIMARY KEY, seq INTEGER NOT NULL, mark INTEGER NOT NULL)
        """,
        "INSERT INTO sign_changes (number, seq, mark) VALUES (0, 0, random())",
        *(
            f"""
            CREATE TRIGGER sign_{name} AFTER {change} ON signs
            BEGIN INSERT INTO sign_changes (seq, mark) VALUES ({row}.seq, random()); END
            """
            for name, change, row in (
                ("added", "INSERT", "NEW"),
                ("changed", "UPDATE", "NEW"),
                ("gone", "DELETE", "OLD"),
            )
        ),
        f"""
        CREATE TRIGGER sign_changes_trimmed AFTER INSERT ON sign_changes WHEN NEW.number % 64 = 0
        BEGIN DELETE FROM sign_changes WHERE number <= NEW.number - {SIGN_CHANGES_KEPT}; END
        """,
    ),
    (
        """
        -- What memories are filtered by: a session, a tag, a persona ...; here as long as a memory has it.
        CREATE TABLE facets (
            facet INTEGER PRIMARY KEY,
            owner INTEGER NOT NULL REFERENCES owners,
            kind TEXT NOT NULL,
            value TEXT NOT NULL,
            UNIQUE (owner, kind, value)
        )
        """,
        """
        -- Who has it: a bit a memory, 1,024 memories (by seq) to a chunk, the lowest bit first.
        CREATE TABLE facet_bits (
            facet INTEGER NOT NULL REFERENCES facets,
            chunk INTEGER NOT NULL,
            bits BLOB NOT NULL,
            PRIMARY KEY (facet, chunk)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX facet_bits_chunk ON facet_bits (chunk)",
        """
        CREATE TRIGGER facet_unused AFTER DELETE ON facet_bits
        WHEN NOT EXISTS (SELECT 1 FROM facet_bits WHERE facet = OLD.facet)
        BEGIN DELETE FROM facets WHERE facet = OLD.facet; END
        """,
        """
        -- No memory of a chunk was made before or after this; some may since be gone.
        CREATE TABLE spans (chunk INTEGER PRIMARY KEY, oldest REAL NOT NULL, newest REAL NOT NULL)
        """,
    ),
    (
        """
        -- The files of archived sessions. Known here before they are written, and until they are removed:
        -- what a crash leaves behind is found again.
        CREATE TABLE archives (
            file TEXT PRIMARY KEY,
            owner INTEGER NOT NULL REFERENCES owners,
            session_id TEXT,
            archived_at REAL NOT NULL,
            changed INTEGER NOT NULL DEFAULT 1  -- unfinished, or it holds what it should no longer hold
        ) WITHOUT ROWID
        """,
        "CREATE TABLE archived (seq INTEGER PRIMARY KEY REFERENCES items, file TEXT NOT NULL REFERENCES archives)",
        "CREATE INDEX archived_file ON archived (file)",
        """
        CREATE TRIGGER archived_came_back AFTER UPDATE OF state ON items
        WHEN OLD.state = 'archived' AND NEW.state != 'archived'
        BEGIN DELETE FROM archived WHERE seq = OLD.seq; END
        """,
        """
        CREATE TRIGGER archived_was_purged BEFORE DELETE ON items WHEN OLD.state = 'archived'
        BEGIN DELETE FROM archived WHERE seq = OLD.seq; END
        """,
        """
        CREATE TRIGGER archive_lost_one AFTER DELETE ON archived
        BEGIN UPDATE archives SET changed = 1 WHERE file = OLD.file; END
        """,
        """
        CREATE TRIGGER archive_lent_one AFTER UPDATE ON archived
        BEGIN UPDATE archives SET changed = 1 WHERE file = OLD.file; END
        """,
    ),
    (
        "ALTER TABLE ledger ADD COLUMN session_id TEXT",
        "ALTER TABLE ledger ADD COLUMN host TEXT",  # a host program's event, as JSON
        "ALTER TABLE ledger ADD COLUMN version BLOB",  # the salted hash of this entry's row in `versions`
        "ALTER TABLE ledger ADD COLUMN hash BLOB",  # over this entry and the previous hash
        "DROP TRIGGER ledger_is_true",
        """
        -- Only entries from before there was a chain have no hash, and get one when this is made.
        CREATE TRIGGER ledger_is_true BEFORE UPDATE ON ledger WHEN OLD.hash IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END
        """,
        "CREATE INDEX ledger_session ON ledger (owner, session_id) WHERE session_id IS NOT NULL",
        """
        -- A memory as it was before the event of that number; gone when the memory is purged.
        CREATE TABLE versions (
            number INTEGER PRIMARY KEY REFERENCES ledger,
            owner INTEGER NOT NULL REFERENCES owners,
            item_id TEXT NOT NULL,
            salt BLOB NOT NULL,
            memory TEXT NOT NULL
        )
        """,
        "CREATE INDEX versions_item ON versions (owner, item_id)",
    ),
    (
        """
        -- What was asked of language models, by UTC day since 1970: a restart is no new budget.
        CREATE TABLE model_days (day INTEGER PRIMARY KEY, calls INTEGER NOT NULL, tokens INTEGER NOT NULL)
        """,
    ),
    (
        # Zones become facets and importances hundredths: the store rebuilds the index.
        "DELETE FROM spans",
    ),
    GRANT_TABLES,
    (
        """
        -- Turns of conversations that wait for a reward, as numbers and ids: no word of what was said.
        CREATE TABLE turns (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            owner INTEGER NOT NULL REFERENCES owners,
            turn_id TEXT NOT NULL,
            session_id TEXT,
            at REAL NOT NULL,
            action TEXT NOT NULL,
            phase INTEGER NOT NULL,
            state BLOB NOT NULL,
            usual TEXT NOT NULL,         -- what the rules would have done ...
            learned TEXT NOT NULL,       -- ... and what the learned part would have
            exam INTEGER NOT NULL,
            saved_id TEXT,
            reward REAL,
            rewarded_as TEXT,
            UNIQUE (owner, turn_id)
        )
        """,
        "CREATE INDEX turns_session ON turns (owner, session_id)",
        "CREATE INDEX turns_rewarded ON turns (owner, number) WHERE reward IS NOT NULL",
        "CREATE INDEX turns_saved ON turns (owner, saved_id) WHERE saved_id IS NOT NULL",
        """
        CREATE TABLE turn_hits (
            number INTEGER NOT NULL REFERENCES turns,
            place INTEGER NOT NULL,
            owner INTEGER NOT NULL REFERENCES owners,
            item_id TEXT NOT NULL,
            features BLOB NOT NULL,
            PRIMARY KEY (number, place)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX turn_hits_item ON turn_hits (owner, item_id)",
        """
        CREATE TRIGGER turn_gone BEFORE DELETE ON turns
        BEGIN DELETE FROM turn_hits WHERE number = OLD.number; END
        """,
        """
        CREATE TRIGGER turns_forget AFTER DELETE ON items
        BEGIN
            DELETE FROM turn_hits WHERE owner = OLD.owner AND item_id = OLD.id;
            DELETE FROM turns WHERE owner = OLD.owner AND saved_id = OLD.id;
        END
        """,
        """
        -- What was learned, version by version; only what its SHA-256 confirms is believed.
        CREATE TABLE checkpoints (
            owner INTEGER NOT NULL REFERENCES owners,
            version INTEGER NOT NULL,
            at REAL NOT NULL,
            began INTEGER NOT NULL,      -- rewards there had been when this version began
            digest TEXT NOT NULL,
            metrics TEXT NOT NULL,
            packed BLOB NOT NULL,
            PRIMARY KEY (owner, version)
        )
        """,
    ),
    REQUEST_KEY_TABLES,
    (
        # Delete an entity that no relation uses; SQLite first checks whether it is the other end of one.
        "CREATE INDEX IF NOT EXISTS relations_other ON relations (other)",
    ),
    IMAGINATION_TABLES,
    SELF_TABLES,
    DASHBOARD,
    STATEMENT_KEY_TABLES,
    READING_COLUMNS,
    LASTING_INDEX,
    PRESENCE,
    OWNER_CHAINS,
    RATE_LIMITS,
    GOSSIP_TABLES,
    TRAIT_COLUMNS,
    SYNC_TABLES,
    CHECKSUM_COLUMN,
    LEDGER_REFERENCES,
    RELATIONS_ONCE,
    TURN_REASON,
)

SCHEMA_VERSION = len(MIGRATIONS)
