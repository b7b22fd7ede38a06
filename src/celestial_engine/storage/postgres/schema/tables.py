"""The first migration: the tables of SQLite, with the owner as the first column of every key and join.

So an owner's rows can live on one shard, and a query names the shard. Texts are `text COLLATE "C"`: compared by
bytes, as SQLite does. `{vector}` is pgvector's type where it is installed, else bytes.
"""

from __future__ import annotations

_TEXT = 'text COLLATE "C"'
_NUMBER = "bigint GENERATED ALWAYS AS IDENTITY"

# Tables of the whole store. They have no owner, and are copied to every node or stay on one.
SHARED_TABLES = (
    f"CREATE TABLE owners (owner {_NUMBER} PRIMARY KEY, user_id {_TEXT} NOT NULL, agent_id {_TEXT} NOT NULL, "
    "UNIQUE (user_id, agent_id))",
    "CREATE TABLE anchors (number bigint PRIMARY KEY, at double precision NOT NULL, hash bytea NOT NULL)",
    f"CREATE TABLE jobs (name {_TEXT} PRIMARY KEY, last_run double precision, holder {_TEXT}, "
    "lease_until double precision)",
    f"""
    CREATE TABLE grants (
        id {_TEXT} PRIMARY KEY, digest {_TEXT} NOT NULL UNIQUE, name {_TEXT} NOT NULL, user_id {_TEXT} NOT NULL,
        agent_id {_TEXT} NOT NULL, scopes {_TEXT} NOT NULL, created_at double precision NOT NULL,
        last_used_at double precision, revoked_at double precision, expires_at double precision
    )
    """,
    f"CREATE TABLE login_keys (digest {_TEXT} PRIMARY KEY, user_id {_TEXT} NOT NULL, agent_id {_TEXT} NOT NULL, "
    "expires_at double precision NOT NULL)",
    f"CREATE TABLE rate_limits (caller {_TEXT} PRIMARY KEY, left_over double precision NOT NULL, "
    "at double precision NOT NULL, full_at double precision NOT NULL)",
    "CREATE INDEX rate_limits_full ON rate_limits (full_at)",
    "CREATE TABLE model_days (day bigint PRIMARY KEY, calls bigint NOT NULL, tokens bigint NOT NULL)",
    f"CREATE TABLE archive_files (name {_TEXT} PRIMARY KEY, packed bytea NOT NULL)",
)

_ITEM_TABLES = (
    """
    CREATE TABLE owner_state (
        owner bigint PRIMARY KEY, settle_at double precision, orbiting bigint NOT NULL DEFAULT 0,
        ledger_number bigint, ledger_hash bytea, anchored_number bigint
    ) WITH (fillfactor = 50)
    """,
    "CREATE INDEX owner_state_settle ON owner_state (settle_at) WHERE settle_at IS NOT NULL",
    f"""
    CREATE TABLE items (
        owner bigint NOT NULL, seq bigint NOT NULL, id {_TEXT} NOT NULL, state {_TEXT} NOT NULL,
        zone integer NOT NULL, piece integer NOT NULL, level double precision NOT NULL, next_moment double precision,
        tier {_TEXT} NOT NULL, protection {_TEXT} NOT NULL, created_at double precision NOT NULL,
        last_recalled_at double precision NOT NULL, idle_since double precision, recall_count bigint NOT NULL,
        mention_count bigint NOT NULL, arbitrary_importance double precision NOT NULL,
        importance_source {_TEXT} NOT NULL, context_score double precision NOT NULL,
        expires_at double precision, state_since double precision, departed_for {_TEXT},
        departed_at double precision, purge_at double precision, lifetime integer,
        subject integer, attribute integer, value {_TEXT}, PRIMARY KEY (owner, seq)
    ) WITH (fillfactor = 90)
    """,
    "CREATE UNIQUE INDEX items_id ON items (owner, id)",
    "CREATE INDEX items_orbit ON items (owner, zone, piece, level, seq) WHERE state IN ('active', 'faded')",
    "CREATE INDEX items_moment ON items (next_moment) WHERE next_moment IS NOT NULL",
    "CREATE INDEX items_newest ON items (owner, created_at, seq)",
    "CREATE INDEX items_address ON items (owner, subject, attribute, seq) WHERE subject IS NOT NULL",
    "CREATE INDEX items_lasting ON items (owner, subject, attribute, created_at) "
    "WHERE lifetime = 2 AND state IN ('active', 'faded')",
    f"""
    CREATE TABLE texts (
        owner bigint NOT NULL, seq bigint NOT NULL, content {_TEXT} NOT NULL, metadata {_TEXT} NOT NULL,
        facets {_TEXT} NOT NULL, PRIMARY KEY (owner, seq), FOREIGN KEY (owner, seq) REFERENCES items
    )
    """,
    # Never beside zone or score: an indexed vector would be written again whenever one of them changes.
    """
    CREATE TABLE vectors (
        owner bigint NOT NULL, seq bigint NOT NULL, embedding {vector} NOT NULL, dims integer NOT NULL,
        norm double precision NOT NULL, searchable boolean NOT NULL,
        PRIMARY KEY (owner, seq), FOREIGN KEY (owner, seq) REFERENCES items
    )
    """,
    f"CREATE TABLE words (owner bigint NOT NULL, word {_TEXT} NOT NULL, seq bigint NOT NULL, "
    "PRIMARY KEY (owner, word, seq))",
    "CREATE TABLE sayings (owner bigint NOT NULL, seq bigint NOT NULL, rules integer NOT NULL, mark bigint NOT NULL, "
    "topics bytea NOT NULL, changing boolean NOT NULL, PRIMARY KEY (owner, seq))",
    f"CREATE TABLE entities (owner bigint NOT NULL, name {_TEXT} NOT NULL, degree bigint NOT NULL, "
    "PRIMARY KEY (owner, name))",
    f"""
    CREATE TABLE relations (
        owner bigint NOT NULL, entity {_TEXT} NOT NULL, seq bigint NOT NULL, other {_TEXT} NOT NULL,
        predicate {_TEXT} NOT NULL, forward boolean NOT NULL, negative boolean NOT NULL,
        PRIMARY KEY (owner, entity, seq, other, predicate, forward)
    )
    """,
    "CREATE INDEX relations_seq ON relations (owner, seq)",
    f"CREATE TABLE facet_bits (owner bigint NOT NULL, kind {_TEXT} NOT NULL, value {_TEXT} NOT NULL, "
    "chunk bigint NOT NULL, bits bytea NOT NULL, PRIMARY KEY (owner, kind, value, chunk)) WITH (fillfactor = 80)",
    "CREATE INDEX facet_bits_chunk ON facet_bits (owner, chunk)",
    "CREATE TABLE spans (owner bigint NOT NULL, chunk bigint NOT NULL, oldest double precision NOT NULL, "
    "newest double precision NOT NULL, PRIMARY KEY (owner, chunk)) WITH (fillfactor = 80)",
    f"CREATE TABLE archives (owner bigint NOT NULL, file {_TEXT} NOT NULL, session_id {_TEXT}, "
    "archived_at double precision NOT NULL, changed integer NOT NULL DEFAULT 1, PRIMARY KEY (owner, file))",
    f"CREATE TABLE archived (owner bigint NOT NULL, seq bigint NOT NULL, file {_TEXT} NOT NULL, "
    "PRIMARY KEY (owner, seq), FOREIGN KEY (owner, seq) REFERENCES items, "
    "FOREIGN KEY (owner, file) REFERENCES archives)",
    "CREATE INDEX archived_file ON archived (owner, file)",
    "CREATE TABLE presence (owner bigint PRIMARY KEY, last_active double precision NOT NULL, "
    "waiting integer NOT NULL DEFAULT 0)",
)

_LEDGER_TABLES = (
    # seq: the position in the order of writing, see `groups/ledger.py`.
    f"""
    CREATE TABLE ledger (
        owner bigint NOT NULL, number bigint NOT NULL, seq bigint NOT NULL, at double precision NOT NULL,
        type {_TEXT} NOT NULL, item_id {_TEXT}, session_id {_TEXT}, detail {_TEXT} NOT NULL, host {_TEXT},
        version bytea, hash bytea NOT NULL, PRIMARY KEY (owner, number)
    )
    """,
    "CREATE INDEX ledger_position ON ledger (seq)",
    "CREATE INDEX ledger_item ON ledger (owner, item_id, number)",
    "CREATE INDEX ledger_session ON ledger (owner, session_id) WHERE session_id IS NOT NULL",
    f"CREATE TABLE versions (owner bigint NOT NULL, number bigint NOT NULL, item_id {_TEXT} NOT NULL, "
    f"salt bytea NOT NULL, memory {_TEXT} NOT NULL, PRIMARY KEY (owner, number))",
    "CREATE INDEX versions_item ON versions (owner, item_id)",
    "CREATE TABLE anchor_heads (owner bigint NOT NULL, anchor bigint NOT NULL, number bigint NOT NULL, "
    "hash bytea NOT NULL, PRIMARY KEY (owner, anchor))",
    "CREATE INDEX anchor_heads_anchor ON anchor_heads (anchor)",
    """
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$
    """,
    *(
        f"CREATE TRIGGER {table}_is_kept BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION refuse_change()"
        for table in ("ledger", "anchors", "anchor_heads")
    ),
)

_LEARNING_TABLES = (
    f"""
    CREATE TABLE turns (
        owner bigint NOT NULL, number {_NUMBER}, turn_id {_TEXT} NOT NULL, session_id {_TEXT},
        at double precision NOT NULL, action {_TEXT} NOT NULL, phase integer NOT NULL, state bytea NOT NULL,
        usual {_TEXT} NOT NULL, learned {_TEXT} NOT NULL, exam boolean NOT NULL, saved_id {_TEXT},
        reward double precision, rewarded_as {_TEXT}, shared {_TEXT}, PRIMARY KEY (owner, number),
        UNIQUE (owner, turn_id)
    )
    """,
    "CREATE INDEX turns_session ON turns (owner, session_id, number)",
    "CREATE INDEX turns_rewarded ON turns (owner, number) WHERE reward IS NOT NULL",
    "CREATE INDEX turns_saved ON turns (owner, saved_id) WHERE saved_id IS NOT NULL",
    f"""
    CREATE TABLE turn_hits (
        owner bigint NOT NULL, number bigint NOT NULL, place integer NOT NULL, item_id {_TEXT} NOT NULL,
        features bytea NOT NULL, PRIMARY KEY (owner, number, place),
        FOREIGN KEY (owner, number) REFERENCES turns ON DELETE CASCADE
    )
    """,
    "CREATE INDEX turn_hits_item ON turn_hits (owner, item_id)",
    f"CREATE TABLE checkpoints (owner bigint NOT NULL, version bigint NOT NULL, at double precision NOT NULL, "
    f"began bigint NOT NULL, digest {_TEXT} NOT NULL, metrics {_TEXT} NOT NULL, packed bytea NOT NULL, "
    "PRIMARY KEY (owner, version))",
    "CREATE TABLE gossip (owner bigint PRIMARY KEY, packed bytea NOT NULL)",
    f"CREATE TABLE gossip_peers (owner bigint NOT NULL, key {_TEXT} NOT NULL, packed bytea NOT NULL, "
    "PRIMARY KEY (owner, key))",
    f"CREATE TABLE request_keys (owner bigint NOT NULL, key {_TEXT} NOT NULL, digest {_TEXT} NOT NULL, "
    f"item_id {_TEXT} NOT NULL, at double precision NOT NULL, PRIMARY KEY (owner, key))",
    "CREATE INDEX request_keys_at ON request_keys (owner, at)",
    "CREATE INDEX request_keys_item ON request_keys (owner, item_id)",
    f"""
    CREATE TABLE imagined_patterns (
        owner bigint NOT NULL, pattern {_TEXT} NOT NULL, strength double precision NOT NULL, liked bigint NOT NULL,
        rejected bigint NOT NULL, ignored bigint NOT NULL, last_at double precision, waiting {_TEXT},
        PRIMARY KEY (owner, pattern)
    )
    """,
)

_SELF_TABLES = (
    f"CREATE TABLE proposals (owner bigint NOT NULL, number {_NUMBER}, id {_TEXT} NOT NULL, status {_TEXT} NOT NULL, "
    f"about {_TEXT} NOT NULL, body {_TEXT} NOT NULL, PRIMARY KEY (owner, number), UNIQUE (owner, id))",
    "CREATE INDEX proposals_status ON proposals (owner, status, number)",
    *(
        f"CREATE TABLE {name} (owner bigint NOT NULL, number {_NUMBER}, id {_TEXT} NOT NULL, body {_TEXT} NOT NULL, "
        "PRIMARY KEY (owner, number), UNIQUE (owner, id))"
        for name in ("islands", "beliefs")
    ),
    f"CREATE TABLE self_versions (owner bigint NOT NULL, version bigint NOT NULL, body {_TEXT} NOT NULL, "
    "PRIMARY KEY (owner, version))",
    f"CREATE TABLE souls (owner bigint NOT NULL, path {_TEXT} NOT NULL, digest {_TEXT} NOT NULL, "
    "PRIMARY KEY (owner, path))",
)

# Added by the second migration.
SYNC_TABLES = (
    f"CREATE TABLE sync_records (owner bigint NOT NULL, item_id {_TEXT} NOT NULL, changed bigint NOT NULL, "
    f"origin {_TEXT} NOT NULL, marks bytea NOT NULL, texts bytea, PRIMARY KEY (owner, item_id))",
    "CREATE INDEX sync_records_changed ON sync_records (owner, changed)",
    f"CREATE TABLE sync_notes (owner bigint NOT NULL, name {_TEXT} NOT NULL, packed bytea NOT NULL, "
    "PRIMARY KEY (owner, name))",
)
# Added by the fifth migration: which memories an entry about several of them names.
LEDGER_REFERENCE_TABLES = (
    f"CREATE TABLE ledger_memories (owner bigint NOT NULL, ref bigint NOT NULL, item_id {_TEXT} NOT NULL, "
    "PRIMARY KEY (owner, ref))",
    "CREATE UNIQUE INDEX ledger_memories_item ON ledger_memories (owner, item_id)",
    "CREATE TABLE ledger_references (owner bigint NOT NULL, ref bigint NOT NULL, number bigint NOT NULL, "
    "PRIMARY KEY (owner, ref, number))",
    "CREATE TRIGGER ledger_memories_is_kept BEFORE UPDATE OR DELETE ON ledger_memories "
    "FOR EACH ROW EXECUTE FUNCTION refuse_change()",
)
SYNC_OWNER_TABLES = ("sync_records", "sync_notes")
REFERENCE_OWNER_TABLES = ("ledger_memories", "ledger_references")
ADDED_OWNER_TABLES = (*SYNC_OWNER_TABLES, *REFERENCE_OWNER_TABLES)

# Added by the fourth migration. A vector of more than some 500 numbers would be stored apart from its row, and each
# comparison would look it up by an index. Two rows fit into a page of 8 KB: up to about 1,000 numbers.
INLINE_VECTORS = ("ALTER TABLE vectors SET (toast_tuple_target = 4080)",)
# Added by the sixth migration: why a turn was saved, skipped or answered from memory.
TURN_REASON = (f"ALTER TABLE turns ADD COLUMN reason {_TEXT}",)

TABLES = (*SHARED_TABLES, *_ITEM_TABLES, *_LEDGER_TABLES, *_LEARNING_TABLES, *_SELF_TABLES)
# Every table with an owner: distributed by it, and guarded by row-level security.
OWNER_TABLES = (
    "owner_state", "items", "texts", "vectors", "words", "sayings", "entities", "relations", "facet_bits", "spans",
    "archives", "archived", "presence", "ledger", "versions", "anchor_heads", "turns", "turn_hits", "checkpoints",
    "gossip", "gossip_peers",
    "request_keys", "imagined_patterns", "proposals", "islands", "beliefs", "self_versions", "souls",
    "sync_records", "sync_notes", "ledger_memories", "ledger_references",
)  # fmt: skip
