"""Generic rows: JSONL, a JSON list of objects, or CSV, with a mapping of fields to meanings."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import IO, Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.errors import ImportSourceError, InvalidInputError, Reason
from celestial_engine.importers import values
from celestial_engine.importers.reading import (
    MOST_LINE_BYTES,
    UnusableEntry,
    elements,
    is_list,
    json_lines,
    open_table,
)

JSONL, CSV = "jsonl", "csv"
_METADATA = "metadata"
_UNIQUE_ID_LENGTH = 16  # an id of at least this many characters is taken as globally unique
# Meaning -> usual field names; the first name present in a row is used.
MEANINGS: dict[str, tuple[str, ...]] = {
    "content": ("content", "text", "memory", "body", "note", "내용"),
    "id": ("id", "uuid", "key"),
    "created_at": ("created_at", "created", "timestamp", "time", "date", "날짜"),
    "last_recalled_at": ("last_recalled_at", "last_accessed", "accessed_at", "last_used"),
    "recall_count": ("recall_count", "access_count", "use_count"),
    "importance": ("importance", "중요도"),
    "tags": ("tags", "labels", "태그"),
    "category": ("category",),
    "pinned": ("pinned",),
    "session": ("session_id", "session", "conversation_id", "thread_id"),
    "user": ("user_id", "user"),
}


def mapping_of(told: str) -> dict[str, str]:
    """Parse `content=text,created_at=time`; raises InvalidInputError with the valid meanings."""
    read: dict[str, str] = {}
    for pair in told.split(","):
        meaning, _, field = (part.strip() for part in pair.partition("="))
        if meaning not in MEANINGS or not field:
            raise InvalidInputError("map", Reason.BAD_MAPPING, got=pair.strip(), choices=tuple(MEANINGS))
        read[meaning] = field
    return read


def has_text(value: object) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(name), str) for name in MEANINGS["content"])


def read_json(path: str, chosen: Mapping[str, str]) -> Iterator[ImportedRecord | UnusableEntry]:
    return _records(path, JSONL, elements(path) if is_list(path) else json_lines(path), chosen)


def read_csv(path: str, chosen: Mapping[str, str]) -> Iterator[ImportedRecord | UnusableEntry]:
    return _records(path, CSV, _table(path), chosen)


def columns(path: str) -> list[str]:
    """The column names in the first line of a table."""
    with open_table(path) as text:
        return _column_names(next(_line_pieces(text), ""))


def _column_names(first: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([first], delimiter=_delimiter(first)), [])]
    except csv.Error:
        return []


def _table(path: str) -> Iterator[tuple[str, Any]]:
    with open_table(path) as text:
        pieces = _line_pieces(text)
        first = next(pieces, "")
        reader = csv.reader(chain([first], pieces), delimiter=_delimiter(first))
        names = _column_names(first)
        next(reader, None)
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error:  # an oversized cell or a stray quote: later rows can still be read
                yield f"line {reader.line_num}", UnusableEntry(f"line {reader.line_num}", "not_csv")
                continue
            if any(cell.strip() for cell in row):
                yield f"line {reader.line_num}", dict(zip(names, row, strict=False))


def _line_pieces(text: IO[str]) -> Iterator[str]:
    """Yield the lines of a table; an overlong line comes in several pieces."""
    while line := text.readline(MOST_LINE_BYTES):
        yield line.replace("\0", "\ufffd")


def _delimiter(line: str) -> str:
    return max((",", ";", "\t"), key=line.count)


def _records(
    path: str, origin: str, entries: Iterator[tuple[str, Any]], chosen: Mapping[str, str]
) -> Iterator[ImportedRecord | UnusableEntry]:
    names_by_meaning = {
        meaning: (chosen[meaning],) if meaning in chosen else names for meaning, names in MEANINGS.items()
    }
    missing, rows = set(chosen.values()), 0
    for where, row in entries:
        if isinstance(row, UnusableEntry):
            yield row
        elif not isinstance(row, dict):
            yield UnusableEntry(where, "not_an_object")
        else:
            fields = {
                meaning: next((name for name in names if name in row), None)
                for meaning, names in names_by_meaning.items()
            }
            missing -= row.keys()
            rows += 1
            yield _record(origin, where, row, fields)
    if missing and rows:
        raise ImportSourceError(path, Reason.MAPPED_NOWHERE, names=tuple(sorted(missing)))


def _record(
    origin: str, where: str, row: dict[str, Any], fields: Mapping[str, str | None]
) -> ImportedRecord | UnusableEntry:
    cells = {meaning: None if field is None else row[field] for meaning, field in fields.items()}
    content = values.text(cells["content"])
    if content is None:
        return UnusableEntry(where, "no_text")
    created_at, recalled_at = values.parse_time(cells["created_at"]), values.parse_time(cells["last_recalled_at"])
    importance, category = values.parse_fraction(cells["importance"]), values.category(cells["category"])
    parsed = {
        "created_at": created_at,
        "last_recalled_at": recalled_at,
        "importance": importance,
        "category": category,
    }
    # Values that do not parse stay in the metadata unchanged.
    used = {field for meaning, field in fields.items() if parsed.get(meaning, True) is not None}
    metadata = {key: value for key, value in row.items() if key not in used and value not in (None, "")}
    if isinstance(metadata.get(_METADATA), dict):  # as this engine exports it, and others do
        metadata = {**metadata.pop(_METADATA), **metadata}
    return ImportedRecord(
        origin,
        _identity(values.name(cells["id"]), content, cells["created_at"]),
        content,
        where,
        created_at,
        recalled_at,
        values.count(cells["recall_count"]),
        importance,
        category,
        tags=values.names(cells["tags"]),
        protection=Protection.PINNED if values.parse_bool(cells["pinned"]) else Protection.NONE,
        time=values.session(origin, cells["session"]),
        user=values.name(cells["user"]),
        metadata=metadata,
    )


def _identity(row_id: str | None, content: str, created_at: object) -> str:
    """The row's id, plus a hash of the text if the id is short: another file may number its rows from 1 too."""
    if row_id is not None and len(row_id) >= _UNIQUE_ID_LENGTH:
        return row_id
    digest = hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()
    return f"{row_id if row_id is not None else created_at}\n{digest}"
