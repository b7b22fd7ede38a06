"""mem0: the JSON that `get_all` or an export returns, or the folder of its local Qdrant store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.importers import values
from celestial_engine.importers.pickles import MOST_BYTES, PickledObject, as_json, plain_values
from celestial_engine.importers.reading import UnreadableError, UnusableEntry, elements, is_list, listed
from celestial_engine.importers.sqlite_source import open_database, require_tables, tables

NAME = "mem0"
FILE = "storage.sqlite"
_SNIFFED_ITEMS = 20
_LIST_KEYS = ("results", "memories")
_USED_FIELDS = frozenset(
    "id memory data text hash created_at updated_at user_id agent_id run_id metadata categories score "
    "text_lemmatized structured_attributes".split()
)


def is_document(value: object) -> bool:
    return any(values.mapping(item).keys() >= {"id", "memory"} for item in _items(value)[:_SNIFFED_ITEMS])


def is_store(found: dict[str, set[str]]) -> bool:
    return {"id", "point"} <= found.get("points", set())


def storages(folder: str) -> list[str]:
    """The storage files of a Qdrant folder or of one of its collections, without mem0's own migrations."""
    if os.path.isfile(os.path.join(folder, FILE)):
        return [os.path.join(folder, FILE)]
    collections = os.path.join(folder, "collection")
    if not os.path.isdir(collections):
        return []
    files = (
        os.path.join(collections, name, FILE) for name in sorted(os.listdir(collections)) if "migrations" not in name
    )
    return [file for file in files if os.path.isfile(file)]


def read_document(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    items = (item for _, item in elements(path)) if is_list(path) else (item for *_, item in listed(path, _LIST_KEYS))
    for position, item in enumerate(items, 1):
        where = f"memory {position}"
        if isinstance(item, UnusableEntry):
            yield UnusableEntry(where, item.reason)
        else:
            whole = isinstance(item, dict)
            yield _record(item.get("id"), item, where) if whole else UnusableEntry(where, "not_an_object")


def read_store(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    for file in storages(path) if os.path.isdir(path) else [path]:
        with open_database(file) as connection:
            require_tables(is_store(tables(connection)), file)
            # Newest first: a point may have been written under several keys, and its newest row wins.
            rows = connection.execute(
                "SELECT rowid, substr(point, 1, ?) FROM points ORDER BY rowid DESC", (MOST_BYTES + 1,)
            )
            for row, point in rows:
                yield _point(f"{os.path.basename(os.path.dirname(file))}, point {row}", point)


def _point(where: str, data: object) -> ImportedRecord | UnusableEntry:
    try:
        record = plain_values(data) if isinstance(data, bytes) else None
    except UnreadableError as error:
        return UnusableEntry(where, str(error))
    payload = record.fields.get("payload") if isinstance(record, PickledObject) else None
    if not isinstance(record, PickledObject) or not isinstance(payload, dict):
        return UnusableEntry(where, "no_text")
    try:
        return _record(record.fields.get("id"), as_json(payload), where)
    except RecursionError:
        return UnusableEntry(where, "too_deep")


def _items(value: object) -> list[Any]:
    if isinstance(value, dict):
        value = next((value[name] for name in _LIST_KEYS if isinstance(value.get(name), list)), None)
    return value if isinstance(value, list) else []


def _record(identity: object, fields: dict[str, Any], where: str) -> ImportedRecord | UnusableEntry:
    item_id = values.name(identity)
    content = next((text for key in ("memory", "data", "text") if (text := values.text(fields.get(key)))), None)
    if item_id is None or content is None:
        return UnusableEntry(where, "no_text" if item_id else "no_id")
    metadata = {
        **values.mapping(fields.get("metadata")),
        **{key: value for key, value in fields.items() if key not in _USED_FIELDS},
    }
    agent = values.name(fields.get("agent_id"))
    return ImportedRecord(
        NAME,
        item_id,
        content,
        where,
        values.parse_time(fields.get("created_at")),
        values.parse_time(fields.get("updated_at")),
        tags=values.names(fields.get("categories")),
        time=values.session(NAME, fields.get("run_id")),
        user=values.name(fields.get("user_id")),
        metadata=metadata | ({"agent": agent} if agent else {}),
    )
