"""The small tables of an owner, which are moved as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction

Row = tuple[Any, ...]

# Table -> its columns without the owner, and the order that must be kept. Numbers that the database assigns are left
# out: only their order means something, and it is the order of inserting.
_TABLES = {
    "presence": ("last_active, waiting", "owner"),
    "turns": (
        "turn_id, session_id, at, action, phase, state, usual, learned, exam, saved_id, reward, rewarded_as, shared, "
        "reason",
        "number",
    ),
    "checkpoints": ("version, at, began, digest, metrics, packed", "version"),
    "gossip": ("packed", "owner"),
    "gossip_peers": ("key, packed", "key"),
    "request_keys": ("key, digest, item_id, at", "key"),
    "imagined_patterns": ("pattern, strength, liked, rejected, ignored, last_at, waiting", "pattern"),
    "proposals": ("id, status, about, body", "number"),
    "islands": ("id, body", "number"),
    "beliefs": ("id, body", "number"),
    "self_versions": ("version, body", "version"),
    "souls": ("path, digest", "path"),
    "sync_records": ("item_id, marks, texts, changed, origin", "item_id"),
    "sync_notes": ("name, packed", "name"),
}
_BOOLEANS = {("turns", 8)}
_GRANTS = "id, digest, name, scopes, created_at, last_used_at, revoked_at, expires_at"
# Deleting the rows of the first deletes those of the second.
GROUPS = (("turns", "turn_hits"), ("archives", "archived"))


def lists(tx: Transaction, owner: Owner) -> dict[str, list[Row]]:
    number, rows_by_table = tx.number(owner), dict[str, list[Row]]()
    for table, (columns, order) in _TABLES.items():
        rows_by_table[table] = _rows(tx, f"SELECT {columns} FROM {table} WHERE owner = ? ORDER BY {order}", (number,))
    rows_by_table["turn_hits"] = _rows(
        tx,
        "SELECT turn_id, place, turn_hits.item_id, features FROM turns JOIN turn_hits "
        "ON turn_hits.owner = turns.owner AND turn_hits.number = turns.number "
        "WHERE turns.owner = ? ORDER BY turns.number, place",
        (number,),
    )
    rows_by_table["archives"] = _rows(
        tx, "SELECT file, session_id, archived_at, changed FROM archives WHERE owner = ? ORDER BY file", (number,)
    )
    rows_by_table["archived"] = _rows(
        tx,
        f"SELECT file, id FROM archived JOIN items {tx.dialect.same_item} WHERE items.owner = ? ORDER BY file, id",
        (number,),
    )
    rows_by_table["settle_at"] = _rows(
        tx, f"SELECT settle_at FROM {tx.dialect.owner_state} WHERE owner = ?", (number,)
    )
    rows_by_table["grants"] = _rows(
        tx,
        f"SELECT {_GRANTS} FROM grants WHERE user_id = ? AND agent_id = ? ORDER BY id",
        (owner.user_id, owner.agent_id),
    )
    return rows_by_table


def replace_lists(tx: Transaction, owner: Owner, rows_by_table: Mapping[str, Sequence[Row]]) -> None:
    number = tx.enrolled(owner)
    for table, rows in rows_by_table.items():
        if table in _TABLES:
            columns = f"owner, {_TABLES[table][0]}"
            tx.db.execute(f"DELETE FROM {table} WHERE owner = ?", (number,))
            tx.db.executemany(
                f"INSERT INTO {table} ({columns}) VALUES ({_marks(columns)})",
                [(number, *_typed(table, row)) for row in rows],
            )
    if "turns" in rows_by_table:
        _put_hits(tx, number, rows_by_table["turn_hits"])
    if "archives" in rows_by_table:
        _put_archives(tx, owner, number, rows_by_table["archives"], rows_by_table["archived"])
    for (settle_at,) in rows_by_table.get("settle_at", ()):
        tx.db.execute(f"UPDATE {tx.dialect.owner_state} SET settle_at = ? WHERE owner = ?", (settle_at, number))
    if "grants" in rows_by_table:
        _put_grants(tx, owner, rows_by_table["grants"])


def _put_hits(tx: Transaction, number: int, rows: Sequence[Row]) -> None:
    turns = dict(tx.db.execute("SELECT turn_id, number FROM turns WHERE owner = ?", (number,)).fetchall())
    tx.db.executemany(
        "INSERT INTO turn_hits (owner, number, place, item_id, features) VALUES (?, ?, ?, ?, ?)",
        [(number, turns[turn_id], *rest) for turn_id, *rest in rows],
    )


def _put_archives(
    tx: Transaction, owner: Owner, number: int, archives: Sequence[Row], archived: Sequence[Row]
) -> None:
    keys = {item_id: key for key, item_id in tx.ids_by_key(owner, [item_id for _, item_id in archived]).items()}
    tx.remove_archived(number)
    tx.db.execute("DELETE FROM archives WHERE owner = ?", (number,))
    tx.db.executemany(
        "INSERT INTO archives (owner, file, session_id, archived_at, changed) VALUES (?, ?, ?, ?, ?)",
        [(number, *row) for row in archives],
    )
    tx.add_archived(number, [(keys[item_id], file) for file, item_id in archived])


def _put_grants(tx: Transaction, owner: Owner, rows: Sequence[Row]) -> None:
    columns = f"user_id, agent_id, {_GRANTS}"
    tx.db.execute("DELETE FROM grants WHERE user_id = ? AND agent_id = ?", (owner.user_id, owner.agent_id))
    tx.db.executemany(
        f"INSERT INTO grants ({columns}) VALUES ({_marks(columns)})",
        [(owner.user_id, owner.agent_id, *row) for row in rows],
    )


def _rows(tx: Transaction, statement: str, values: Row) -> list[Row]:
    return [tuple(row) for row in tx.db.execute(statement, values).fetchall()]


def _typed(table: str, row: Row) -> Row:
    """Returns the row with truth values as such: SQLite has only numbers."""
    return tuple(bool(value) if (table, place) in _BOOLEANS else value for place, value in enumerate(row))


def _marks(columns: str) -> str:
    return ", ".join("?" * len(columns.split(", ")))
