"""stellar-memory, 2 and 3: its SQLite database, or the JSON that its `export_json` writes.

Both use the same ids, so both can be imported. The database holds the zones from outer on. Core and inner live in the
process memory of a running stellar-memory; only its JSON export has them.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.importers import values
from celestial_engine.importers.reading import UnreadableError, UnusableEntry, listed, parse_json
from celestial_engine.importers.sqlite_source import MOST_TEXT, open_database, tables

NAME = "stellar-memory"
ZONES = ("core", "inner", "outer", "belt", "cloud")
_TABLES = tuple(f"memories_zone_{zone}" for zone in range(len(ZONES)))
_COLUMNS = (
    "id", "created_at", "last_recalled_at", "recall_count", "arbitrary_importance", "zone",
)  # fmt: skip
_MAX_UNREAD = 10_000
_SNIFFED_ITEMS = 20
_REQUIRED_COLUMNS = {"content", "metadata", *_COLUMNS}


def is_database(found: dict[str, set[str]]) -> bool:
    return any(found.get(table, set()) >= _REQUIRED_COLUMNS for table in _TABLES)


def is_document(value: object) -> bool:
    document = values.mapping(value)
    items = document.get("items")
    if not isinstance(items, list) or "version" not in document:
        return False
    return not items or any("arbitrary_importance" in values.mapping(item) for item in items[:_SNIFFED_ITEMS])


def read_database(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    with open_database(path) as connection:
        found = tables(connection)
        related = _related_ids(connection) if {"source_id", "target_id"} <= found.get("edges", set()) else {}
        for table in _TABLES:
            if found.get(table, set()) >= _REQUIRED_COLUMNS:
                yield from _rows(connection, table, related)


def _rows(
    connection: sqlite3.Connection, table: str, related: dict[str, list[str]]
) -> Iterator[ImportedRecord | UnusableEntry]:
    columns = ", ".join(_COLUMNS)
    query = f"SELECT {columns}, substr(content, 1, {MOST_TEXT}), substr(metadata, 1, {MOST_TEXT}) FROM {table}"
    for *cells, content, metadata in connection.execute(query):
        where = f"{table}, {cells[0]}"
        fields: dict[str, Any] = dict(zip(_COLUMNS, cells, strict=True)) | {"content": content}
        try:
            fields["metadata"] = parse_json(metadata) if metadata else {}
        except (UnreadableError, TypeError):
            fields["metadata"] = {"unread": str(metadata)[:_MAX_UNREAD]}  # the content is still worth importing
        yield _record(fields, where, related)


def _related_ids(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Related ids by memory id, in both directions."""
    related: defaultdict[str, list[str]] = defaultdict(list)
    for source, target in connection.execute("SELECT source_id, target_id FROM edges"):
        if isinstance(source, str) and isinstance(target, str):
            related[source].append(target)
            related[target].append(source)
    return related


def read_document(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    for _, position, item in listed(path, ("items",)):
        where = f"item {position}"
        if isinstance(item, UnusableEntry):
            yield item
        else:
            yield _record(item, where, {}) if isinstance(item, dict) else UnusableEntry(where, "not_an_object")


def _record(fields: dict[str, Any], where: str, related: dict[str, list[str]]) -> ImportedRecord | UnusableEntry:
    identity, content = values.name(fields.get("id")), values.text(fields.get("content"))
    if identity is None or content is None:
        return UnusableEntry(where, "no_text" if identity else "no_id")
    metadata = values.mapping(fields.get("metadata"))
    zone = values.number(fields.get("zone"))
    return ImportedRecord(
        NAME,
        identity,
        content,
        where,
        values.parse_time(fields.get("created_at")),
        values.parse_time(fields.get("last_recalled_at")),
        values.count(fields.get("recall_count")),
        values.parse_fraction(fields.get("arbitrary_importance")),
        tags=values.names(metadata.get("tags")),
        protection=Protection.PINNED if metadata.get("pinned") is True else Protection.NONE,
        zone=ZONES[int(zone)] if zone is not None and 0 <= zone < len(ZONES) else None,
        time=values.session(NAME, metadata.get("session_id")),
        related=tuple(related.get(identity, ())),
        user=values.name(fields.get("user_id")),
        metadata={key: value for key, value in metadata.items() if key not in ("tags", "session_id", "pinned")},
    )
