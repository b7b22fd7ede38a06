"""long-term-memory: the `chroma.sqlite3` of its folder, read without Chroma."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.importers import values
from celestial_engine.importers.reading import Garbage
from celestial_engine.importers.sqlite_source import MOST_TEXT, opened_database, refuse_unless, tables

NAME = "long-term-memory"
FILE = "chroma.sqlite3"
_DOCUMENT = "chroma:document"
_TAKEN = frozenset(
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


def read(path: str) -> Iterator[ImportedRecord | Garbage]:
    if os.path.isdir(path):
        path = os.path.join(path, FILE)
    with opened_database(path) as connection:
        refuse_unless(is_database(tables(connection)), path)
        row: int | None = None
        told: dict[str, Any] = {}
        identity = collection = ""
        for this, embedding_id, name, key, string, whole, fraction in connection.execute(_QUERY):
            if this != row:
                if row is not None:
                    yield _arrival(identity, collection, told)
                row, told, identity, collection = this, {}, embedding_id, name
            if key is not None:
                told[key] = next((value for value in (string, whole, fraction) if value is not None), None)
        if row is not None:
            yield _arrival(identity, collection, told)


def _arrival(identity: object, collection: object, told: dict[str, Any]) -> ImportedRecord | Garbage:
    where = f"{collection}, {identity}"
    content, known = values.text(told.get(_DOCUMENT)), values.name(identity)
    if content is None or known is None:
        return Garbage(where, "no_text" if known else "no_id")
    triples = _triples(told.get("level2_text"))
    taken = _TAKEN if triples else _TAKEN - {"level2_text"}  # what cannot be read as triples is kept as it is
    immutable, pinned = values.truth(told.get("immutable")), values.truth(told.get("pinned"))
    return ImportedRecord(
        NAME,
        known,
        content,
        where,
        values.moment(told.get("created_at"), zone=None),  # it writes the machine's own time
        recall_count=values.count(told.get("access_count")),
        category=values.category(told.get("category")),
        keywords=values.names(told.get("keywords")),
        protection=Protection.IMMUTABLE if immutable else Protection.PINNED if pinned else Protection.NONE,
        active="active" not in told or values.truth(told["active"]),
        gist=values.text(told.get("level1_text")),
        triples=triples,
        time=values.session(NAME, told.get("conversation_id"), told.get("source_turn_id")),
        related=values.names(told.get("related_ids")),
        metadata={key: value for key, value in told.items() if key not in taken and value not in (None, "")},
    )


def _triples(told: object) -> tuple[tuple[str, str, str], ...]:
    """`subject, predicate, object`, one a line or between semicolons."""
    found = []
    for line in told.replace(";", "\n").splitlines() if isinstance(told, str) else ():
        parts = [part.strip(" ()") for part in line.split(",", 2)]
        if len(parts) == 3 and all(parts):
            found.append((parts[0], parts[1], parts[2]))
    return tuple(found)
