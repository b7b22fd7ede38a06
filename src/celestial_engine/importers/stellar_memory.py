"""stellar-memory, 2 and 3: its SQLite database, or the JSON that its `export_json` writes.

Both have the same ids, so the one may follow the other. The database has the zones from outer on: core and inner are
in the working memory of a running stellar-memory, and only its JSON has them.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.importers import values
from celestial_engine.importers.reading import Garbage, UnreadableError, document, parsed
from celestial_engine.importers.sqlite_source import MOST_TEXT, opened_database, tables

NAME = "stellar-memory"
ZONES = ("core", "inner", "outer", "belt", "cloud")
_TABLES = tuple(f"memories_zone_{zone}" for zone in range(len(ZONES)))
_COLUMNS = (
    "id", "created_at", "last_recalled_at", "recall_count", "arbitrary_importance", "zone",
)  # fmt: skip
_MOST_UNREAD = 10_000
_LOOKED_AT = 20
_NEEDED = {"content", "metadata", *_COLUMNS}


def is_database(found: dict[str, set[str]]) -> bool:
    return any(found.get(table, set()) >= _NEEDED for table in _TABLES)


def is_document(value: object) -> bool:
    told = values.mapping(value)
    items = told.get("items")
    if not isinstance(items, list) or "version" not in told:
        return False
    return not items or any("arbitrary_importance" in values.mapping(item) for item in items[:_LOOKED_AT])


def read_database(path: str) -> Iterator[ImportedRecord | Garbage]:
    with opened_database(path) as connection:
        found = tables(connection)
        ties = _ties(connection) if {"source_id", "target_id"} <= found.get("edges", set()) else {}
        for table in _TABLES:
            if found.get(table, set()) >= _NEEDED:
                yield from _rows(connection, table, ties)


def _rows(
    connection: sqlite3.Connection, table: str, ties: dict[str, list[str]]
) -> Iterator[ImportedRecord | Garbage]:
    columns = ", ".join(_COLUMNS)
    query = f"SELECT {columns}, substr(content, 1, {MOST_TEXT}), substr(metadata, 1, {MOST_TEXT}) FROM {table}"
    for *plain, content, metadata in connection.execute(query):
        where = f"{table}, {plain[0]}"
        told: dict[str, Any] = dict(zip(_COLUMNS, plain, strict=True)) | {"content": content}
        try:
            told["metadata"] = parsed(metadata) if metadata else {}
        except (UnreadableError, TypeError):
            told["metadata"] = {"unread": str(metadata)[:_MOST_UNREAD]}  # the memory is worth more than its notes
        yield _arrival(told, where, ties)


def _ties(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Who is tied to whom, in both directions."""
    ties: defaultdict[str, list[str]] = defaultdict(list)
    for source, target in connection.execute("SELECT source_id, target_id FROM edges"):
        if isinstance(source, str) and isinstance(target, str):
            ties[source].append(target)
            ties[target].append(source)
    return ties


def read_document(path: str) -> Iterator[ImportedRecord | Garbage]:
    for place, item in enumerate(values.mapping(document(path)).get("items") or (), 1):
        where = f"item {place}"
        yield _arrival(item, where, {}) if isinstance(item, dict) else Garbage(where, "not_an_object")


def _arrival(told: dict[str, Any], where: str, ties: dict[str, list[str]]) -> ImportedRecord | Garbage:
    identity, content = values.name(told.get("id")), values.text(told.get("content"))
    if identity is None or content is None:
        return Garbage(where, "no_text" if identity else "no_id")
    metadata = values.mapping(told.get("metadata"))
    zone = values.number(told.get("zone"))
    return ImportedRecord(
        NAME,
        identity,
        content,
        where,
        values.moment(told.get("created_at")),
        values.moment(told.get("last_recalled_at")),
        values.count(told.get("recall_count")),
        values.share(told.get("arbitrary_importance")),
        tags=values.names(metadata.get("tags")),
        protection=Protection.PINNED if metadata.get("pinned") is True else Protection.NONE,
        zone=ZONES[int(zone)] if zone is not None and 0 <= zone < len(ZONES) else None,
        time=values.session(NAME, metadata.get("session_id")),
        related=tuple(ties.get(identity, ())),
        user=values.name(told.get("user_id")),
        metadata={key: value for key, value in metadata.items() if key not in ("tags", "session_id", "pinned")},
    )
