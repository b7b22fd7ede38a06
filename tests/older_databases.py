"""Turns a database of today into one of an earlier schema, as the code of then wrote it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from celestial_engine.core.ledger.chain import GENESIS, Entry, digest
from celestial_engine.storage.sqlite.checksums import checksum
from celestial_engine.storage.sqlite.rows import RANKING_COLUMNS, to_json
from celestial_engine.storage.sqlite.schema.migrations import (
    LEDGER_REFERENCES_SINCE,
    MIGRATIONS,
    OWNER_CHAINS_SINCE,
    RELATIONS_ONCE_SINCE,
    TRAITS_SINCE,
)

_ENTRIES = (
    "SELECT seq, at, type, user_id, agent_id, item_id, session_id, detail, host, version "
    "FROM ledger JOIN owners USING (owner) ORDER BY seq"
)


def before_relations_once(path: Path | str) -> None:
    """Each relation twice, once from either end, and every gist in full; turns without a reason, which came later."""
    table, index, gains, loses = MIGRATIONS[1][1:]
    db = sqlite3.connect(path)
    db.execute("ALTER TABLE turns DROP COLUMN reason")
    db.execute("ALTER TABLE relations RENAME TO once")
    db.execute(table)
    db.execute("INSERT INTO relations SELECT subject, seq, object, predicate, 1, negative FROM once")
    db.execute("INSERT INTO relations SELECT object, seq, subject, predicate, 0, negative FROM once")
    db.execute("DROP TABLE once")
    for statement in (index, gains, loses, "CREATE INDEX relations_other ON relations (other)"):
        db.execute(statement)
    rows = db.execute("SELECT seq, id, created_at, content, metadata, facets FROM items JOIN texts USING (seq)")
    for seq, item_id, created_at, content, metadata, stored in rows.fetchall():
        facets = json.loads(stored)
        gist = facets.get("resolution", {}).get("gist")
        if isinstance(gist, int):
            facets["resolution"]["gist"] = content[:gist]
            whole = to_json(facets)
            values = whole, checksum(item_id, created_at, content, metadata, whole), seq
            db.execute("UPDATE texts SET facets = ?, checksum = ? WHERE seq = ?", values)
    db.execute(f"PRAGMA user_version = {RELATIONS_ONCE_SINCE - 1}")
    db.commit()
    db.close()


def before_entries_of_questions(path: Path | str) -> None:
    """Without the references of ledger entries about several memories; there must be no such entry."""
    before_relations_once(path)
    db = sqlite3.connect(path)
    assert db.execute("SELECT count(*) FROM ledger_references").fetchone() == (0,)
    for table in ("ledger_references", "ledger_memories"):
        db.execute(f"DROP TABLE {table}")
    db.execute("DROP INDEX ledger_item")
    db.execute("CREATE INDEX ledger_item ON ledger (owner, item_id, number)")
    db.execute(f"PRAGMA user_version = {LEDGER_REFERENCES_SINCE - 1}")
    db.commit()
    db.close()


def before_traits(path: Path | str) -> None:
    """Without the columns of what ranking needs of a text, and without what several devices know of memories."""
    before_entries_of_questions(path)
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER sync_records_forget")
    for table in ("sync_records", "sync_notes"):
        db.execute(f"DROP TABLE {table}")
    for column in ("checksum", *RANKING_COLUMNS.split(", ")):
        db.execute(f"ALTER TABLE texts DROP COLUMN {column}")
    db.execute("DELETE FROM meta WHERE key = 'read_by'")
    db.execute(f"PRAGMA user_version = {TRAITS_SINCE - 1}")
    db.commit()
    db.close()


def before_owner_chains(path: Path | str) -> None:
    """One chain over all owners, numbered in the order of writing."""
    before_traits(path)
    db = sqlite3.connect(path)
    for trigger in ("ledger_is_true", "anchors_are_kept", "anchors_are_true"):
        db.execute(f"DROP TRIGGER {trigger}")
    numbers = db.execute("SELECT seq, owner, number FROM ledger ORDER BY seq DESC").fetchall()
    db.execute("CREATE TABLE older (number INTEGER PRIMARY KEY REFERENCES ledger, owner INTEGER NOT NULL REFERENCES "
               "owners, item_id TEXT NOT NULL, salt BLOB NOT NULL, memory TEXT NOT NULL)")  # fmt: skip
    for seq, owner, number in numbers:
        db.execute(
            "INSERT INTO older SELECT ?, owner, item_id, salt, memory FROM versions WHERE owner = ? AND number = ?",
            (seq, owner, number),
        )
    for table in ("versions", "anchor_heads", "anchors", "rate_limits", "gossip", "gossip_peers"):
        db.execute(f"DROP TABLE {table}")
    db.execute("ALTER TABLE turns DROP COLUMN shared")
    db.execute("ALTER TABLE older RENAME TO versions")
    db.execute("CREATE INDEX versions_item ON versions (owner, item_id)")
    for index in ("ledger_number", "ledger_item"):
        db.execute(f"DROP INDEX {index}")
    db.execute("CREATE INDEX ledger_item ON ledger (owner, item_id)")
    db.execute("ALTER TABLE ledger DROP COLUMN number")
    for column in ("ledger_number", "ledger_hash", "anchored_number"):
        db.execute(f"ALTER TABLE owners DROP COLUMN {column}")
    last = GENESIS
    for *values, version in db.execute(_ENTRIES).fetchall():
        last = digest(last, Entry(*values, None if version is None else version.hex()))
        db.execute("UPDATE ledger SET hash = ? WHERE seq = ?", (bytes.fromhex(last), values[0]))
    db.execute(
        "CREATE TRIGGER ledger_is_true BEFORE UPDATE ON ledger WHEN OLD.hash IS NOT NULL "
        "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
    )
    db.execute(f"PRAGMA user_version = {OWNER_CHAINS_SINCE - 1}")
    db.commit()
    db.close()
