"""The formats that can be read, and which of them a file has: found out by looking into it."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.errors import ImportSourceError, Reason, UnknownFormatError
from celestial_engine.importers import (
    basic_memory,
    celestial,
    conversations,
    long_term_memory,
    mcp_memory,
    mem0,
    reading,
    rows,
    sqlite_source,
    stellar_memory,
)
from celestial_engine.importers.reading import Garbage

Read = Callable[[str, Mapping[str, str]], Iterator[Any]]
AUTO = "auto"
_LOOKED_AT = 64 << 10
_LINES_LOOKED_AT = 20


@dataclass(frozen=True)
class Format:
    """What can be read: its name, what it is, and what reads it."""

    name: str
    about: str
    read: Read


def _by(read: Callable[[str], Iterator[Any]]) -> Read:
    """A reader whose fields are known: nothing is to be mapped."""
    return lambda path, _: read(path)


def _stellar(path: str) -> Iterator[ImportedRecord | Garbage]:
    return stellar_memory.read_database(path) if _is_sqlite(path) else stellar_memory.read_document(path)


def _mem0(path: str) -> Iterator[ImportedRecord | Garbage]:
    is_store = os.path.isdir(path) or _is_sqlite(path)
    return mem0.read_store(path) if is_store else mem0.read_document(path)


FORMATS: dict[str, Format] = {
    made.name: made
    for made in (
        Format(celestial.NAME, "`celestial export` of this engine (JSONL)", _by(celestial.read)),
        Format(stellar_memory.NAME, "its SQLite database, or the JSON of its export", _by(_stellar)),
        Format(long_term_memory.NAME, "its folder, or the chroma.sqlite3 in it", _by(long_term_memory.read)),
        Format(mem0.NAME, "its memories as JSON, or the folder of its local Qdrant", _by(_mem0)),
        Format(mcp_memory.NAME, "the JSONL of the MCP reference server-memory", _by(mcp_memory.read)),
        Format(basic_memory.NAME, "a folder of Markdown notes", _by(basic_memory.read)),
        Format(conversations.CHATGPT, "ChatGPT's data export (zip or JSON)", _by(conversations.read_chatgpt)),
        Format(conversations.CLAUDE, "Claude's data export (zip or JSON)", _by(conversations.read_claude)),
        Format(rows.JSONL, "a JSON object a line, or a JSON list of objects", rows.read_json),
        Format(rows.CSV, "a table with a line of names", rows.read_csv),
    )
}


MAPPED = (rows.JSONL, rows.CSV)


def detected(path: str, *, mapped: bool = False) -> str:
    """The format of what lies at a path; UnknownFormatError if it is none that is known.

    Whoever maps fields says that the text has rows: then it is only looked how they are written.
    """
    if os.path.isdir(path):
        found = _of_folder(path)
    elif _is_sqlite(path):
        found = _of_database(path)
    elif zipfile.is_zipfile(path):
        found = _of_conversations(path)
    else:
        found = _of_text(path, mapped=mapped)
    if found is None:
        raise UnknownFormatError(path, Reason.UNKNOWN_FORMAT)
    return found


def _of_folder(path: str) -> str | None:
    if os.path.isfile(os.path.join(path, long_term_memory.FILE)):
        return long_term_memory.NAME
    if mem0.storages(path):
        return mem0.NAME
    return _of_conversations(path) or (basic_memory.NAME if basic_memory.has_notes(path) else None)


def _of_database(path: str) -> str | None:
    tables = sqlite_source.tables_in(path)
    if {"items", "owners", "ledger"} <= tables.keys() or {"items", "meta"} <= tables.keys():
        raise ImportSourceError(path, Reason.OWN_DATABASE)
    if stellar_memory.is_database(tables):
        return stellar_memory.NAME
    if long_term_memory.is_database(tables):
        return long_term_memory.NAME
    return mem0.NAME if mem0.is_store(tables) else None


def _of_conversations(path: str) -> str | None:
    for file, member in conversations.sources(path):
        for _, told in islice(reading.elements(file, member), _LINES_LOOKED_AT):
            if conversations.is_chatgpt(told):
                return conversations.CHATGPT
            if conversations.is_claude(told):
                return conversations.CLAUDE
    return None


def _of_text(path: str, *, mapped: bool) -> str | None:
    with reading.opened(path) as stream:
        start = stream.read(_LOOKED_AT).decode("utf-8-sig", "replace").lstrip()
    if not start:
        raise ImportSourceError(path, Reason.EMPTY)
    if start.startswith("PK\x03\x04"):
        raise ImportSourceError(path, Reason.ZIP_CUT)
    if mapped:
        return rows.JSONL if start.startswith(("[", "{")) else rows.CSV
    if start.startswith("["):
        return _of_list(path)
    if start.startswith("{"):
        return _of_lines(path) or _of_document(path)
    if path.endswith(".md"):
        return basic_memory.NAME
    names = rows.columns(path)
    return (
        rows.CSV
        if rows.has_text(dict.fromkeys(names, "")) and (len(names) > 1 or path.endswith((".csv", ".tsv")))
        else None
    )


def _of_list(path: str) -> str | None:
    looked_at = [told for _, told in islice(reading.elements(path), _LINES_LOOKED_AT)]
    if mem0.is_document([told for told in looked_at if isinstance(told, dict)]):
        return mem0.NAME
    return _of_conversations(path) or (rows.JSONL if any(map(rows.has_text, looked_at)) else None)


def _of_lines(path: str) -> str | None:
    for _, line in islice(reading.json_lines(path), _LINES_LOOKED_AT):
        if celestial.is_line(line):
            return celestial.NAME
        if mcp_memory.is_line(line):
            return mcp_memory.NAME
        if isinstance(line, dict) and (stellar_memory.is_document(line) or mem0.is_document(line)):
            return None  # a document in one line
        if rows.has_text(line):
            return rows.JSONL
    return None


def _of_document(path: str) -> str | None:
    try:
        told = reading.document(path)
    except ImportSourceError:
        return None
    if stellar_memory.is_document(told):
        return stellar_memory.NAME
    return mem0.NAME if mem0.is_document(told) else None


def _is_sqlite(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    with reading.opened(path) as stream:
        return stream.read(len(sqlite_source.HEADER)) == sqlite_source.HEADER
