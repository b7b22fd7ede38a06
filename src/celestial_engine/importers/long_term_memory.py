"""long-term-memory: the `chroma.sqlite3` of its folder, read without Chroma."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.importers import values
from celestial_engine.importers.reading import UnusableEntry
from celestial_engine.importers.sqlite_source import MOST_TEXT, open_database, require_tables, tables

NAME = "long-term-memory"
FILE = "chroma.sqlite3"
_DOCUMENT = "chroma:document"
_USED_FIELDS = frozenset(
    (_DOCUMENT, "keywords", "category", "related_ids", "created_at", "immutable", "conversation_id", "access_count",
     "level1_text", "level2_text", "active", "pinned", "source_turn_id")
)  # fmt: skip
_QUERY = f"""
    SELECT e.id, e.embedding_id, c.name, m.key, substr(m.string_value, 1, {MOST_TEXT}), m.int_value, m.float_value
    FROM embeddings e
    JOIN segments s ON s.id = e.segment_id
    JOIN collections c ON c.id = s.collection
    LEFT JOIN embedding_metadata m ON m.id = e.id
    ORDER BY e.id
"""


def is_database(found: dict[str, set[str]]) -> bool:
    needed = {
        "embeddings": {"id", "segment_id", "embedding_id"},
        "segments": {"id", "collection"},
        "collections": {"id", "name"},
        "embedding_metadata": {"id", "key", "string_value", "int_value", "float_value"},
    }
    return all(columns <= found.get(table, set()) for table, columns in needed.items())


def read(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    if os.path.isdir(path):
        path = os.path.join(path, FILE)
    with open_database(path) as connection:
        require_tables(is_database(tables(connection)), path)
        current: int | None = None
        fields: dict[str, Any] = {}
        identity = collection = ""
        for row_id, embedding_id, name, key, string, integer, real in connection.execute(_QUERY):
            if row_id != current:
                if current is not None:
                    yield _record(identity, collection, fields)
                current, fields, identity, collection = row_id, {}, embedding_id, name
            if key is not None:
                fields[key] = next((value for value in (string, integer, real) if value is not None), None)
        if current is not None:
            yield _record(identity, collection, fields)


def _record(identity: object, collection: object, fields: dict[str, Any]) -> ImportedRecord | UnusableEntry:
    where = f"{collection}, {identity}"
    content, item_id = values.text(fields.get(_DOCUMENT)), values.name(identity)
    if content is None or item_id is None:
        return UnusableEntry(where, "no_text" if item_id else "no_id")
    triples = _triples(fields.get("level2_text"))
    used = _USED_FIELDS if triples else _USED_FIELDS - {"level2_text"}  # unreadable triples stay in the metadata
    immutable, pinned = values.parse_bool(fields.get("immutable")), values.parse_bool(fields.get("pinned"))
    return ImportedRecord(
        NAME,
        item_id,
        content,
        where,
        values.parse_time(fields.get("created_at"), zone=None),  # it writes local time without a zone
        recall_count=values.count(fields.get("access_count")),
        category=values.category(fields.get("category")),
        keywords=values.names(fields.get("keywords")),
        protection=Protection.IMMUTABLE if immutable else Protection.PINNED if pinned else Protection.NONE,
        active="active" not in fields or values.parse_bool(fields["active"]),
        gist=values.text(fields.get("level1_text")),
        triples=triples,
        time=values.session(NAME, fields.get("conversation_id"), fields.get("source_turn_id")),
        related=values.names(fields.get("related_ids")),
        metadata={key: value for key, value in fields.items() if key not in used and value not in (None, "")},
    )


def _triples(text: object) -> tuple[tuple[str, str, str], ...]:
    """Parse `subject, predicate, object`, separated by newlines or semicolons."""
    triples = []
    for line in text.replace(";", "\n").splitlines() if isinstance(text, str) else ():
        parts = [part.strip(" ()") for part in line.split(",", 2)]
        if len(parts) == 3 and all(parts):
            triples.append((parts[0], parts[1], parts[2]))
    return tuple(triples)
