"""Any list of texts: JSONL, a JSON list of objects, or CSV, with a say in which field means what."""

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
from celestial_engine.importers.reading import MOST_LINE_BYTES, Garbage, elements, json_lines, opened, opened_text

JSONL, CSV = "jsonl", "csv"
_UNIQUE = 16  # characters of an id that nobody gives twice
# What a field may mean, and the names it usually has; the first that is there counts.
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
    """`content=text,created_at=time` as a mapping; InvalidInputError says what may be mapped."""
    read: dict[str, str] = {}
    for pair in told.split(","):
        meaning, _, field = (part.strip() for part in pair.partition("="))
        if meaning not in MEANINGS or not field:
            raise InvalidInputError("map", Reason.BAD_MAPPING, got=pair.strip(), choices=tuple(MEANINGS))
        read[meaning] = field
    return read


def has_text(value: object) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(name), str) for name in MEANINGS["content"])


def read_json(path: str, chosen: Mapping[str, str]) -> Iterator[ImportedRecord | Garbage]:
    return _arrivals(path, JSONL, elements(path) if _is_list(path) else json_lines(path), chosen)


def read_csv(path: str, chosen: Mapping[str, str]) -> Iterator[ImportedRecord | Garbage]:
    return _arrivals(path, CSV, _table(path), chosen)


def columns(path: str) -> list[str]:
    """The names in the first line of a table."""
    with opened_text(path) as text:
        return _names(next(_pieces(text), ""))


def _names(first: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([first], delimiter=_delimiter(first)), [])]
    except csv.Error:
        return []


def _table(path: str) -> Iterator[tuple[str, Any]]:
    with opened_text(path) as text:
        texts = _pieces(text)
        first = next(texts, "")
        reader = csv.reader(chain([first], texts), delimiter=_delimiter(first))
        names = _names(first)
        next(reader, None)
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error:  # a cell that is too long, or a quote too many: the rows after it can be read
                yield f"line {reader.line_num}", Garbage(f"line {reader.line_num}", "not_csv")
                continue
            if any(cell.strip() for cell in row):
                yield f"line {reader.line_num}", dict(zip(names, row, strict=False))


def _pieces(text: IO[str]) -> Iterator[str]:
    """The lines of a table, those too long to be any in pieces."""
    while line := text.readline(MOST_LINE_BYTES):
        yield line.replace("\0", "\ufffd")


def _delimiter(line: str) -> str:
    return max((",", ";", "\t"), key=line.count)


def _is_list(path: str) -> bool:
    with opened(path) as stream:
        return stream.read(64).decode("utf-8-sig", "replace").lstrip().startswith("[")


def _arrivals(
    path: str, origin: str, told: Iterator[tuple[str, Any]], chosen: Mapping[str, str]
) -> Iterator[ImportedRecord | Garbage]:
    usual = {meaning: (chosen[meaning],) if meaning in chosen else names for meaning, names in MEANINGS.items()}
    missing, rows = set(chosen.values()), 0
    for where, row in told:
        if isinstance(row, Garbage):
            yield row
        elif not isinstance(row, dict):
            yield Garbage(where, "not_an_object")
        else:
            fields = {
                meaning: next((name for name in names if name in row), None) for meaning, names in usual.items()
            }
            missing -= row.keys()
            rows += 1
            yield _arrival(origin, where, row, fields)
    if missing and rows:
        raise ImportSourceError(path, Reason.MAPPED_NOWHERE, names=tuple(sorted(missing)))


def _arrival(
    origin: str, where: str, row: dict[str, Any], fields: Mapping[str, str | None]
) -> ImportedRecord | Garbage:
    told = {meaning: None if field is None else row[field] for meaning, field in fields.items()}
    content = values.text(told["content"])
    if content is None:
        return Garbage(where, "no_text")
    created_at, recalled_at = values.moment(told["created_at"]), values.moment(told["last_recalled_at"])
    importance, category = values.share(told["importance"]), values.category(told["category"])
    read = {"created_at": created_at, "last_recalled_at": recalled_at, "importance": importance, "category": category}
    # What cannot be read as what it means is kept as it is.
    taken = {field for meaning, field in fields.items() if read.get(meaning, True) is not None}
    notes = {key: value for key, value in row.items() if key not in taken and value not in (None, "")}
    return ImportedRecord(
        origin,
        _identity(values.name(told["id"]), content, told["created_at"]),
        content,
        where,
        created_at,
        recalled_at,
        values.count(told["recall_count"]),
        importance,
        category,
        tags=values.names(told["tags"]),
        protection=Protection.PINNED if values.truth(told["pinned"]) else Protection.NONE,
        time=values.session(origin, told["session"]),
        user=values.name(told["user"]),
        metadata=notes,
    )


def _identity(named: str | None, content: str, created_at: object) -> str:
    """Its id; with the text where ids are short, because the next file numbers its rows from 1 as well."""
    if named is not None and len(named) >= _UNIQUE:
        return named
    digest = hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()
    return f"{named if named is not None else created_at}\n{digest}"
