"""The formats that can be imported, and detection of a file's format from its content."""

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
    aimem,
    basic_memory,
    bundle,
    celestial,
    conversations,
    letta,
    long_term_memory,
    markdown,
    mcp_memory,
    mem0,
    reading,
    rows,
    sqlite_source,
    stellar_memory,
)
from celestial_engine.importers.reading import UnusableEntry

Read = Callable[[str, Mapping[str, str]], Iterator[Any]]
AUTO = "auto"
_SNIFFED_BYTES = 64 << 10
_SNIFFED_ENTRIES = 20


@dataclass(frozen=True)
class Format:
    """One format: its name, a description, and the function that reads it."""

    name: str
    about: str
    read: Read


def _unmapped(read: Callable[[str], Iterator[Any]]) -> Read:
    """Wrap a reader that needs no field mapping."""
    return lambda path, _: read(path)


def _stellar(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    return stellar_memory.read_database(path) if _is_sqlite(path) else stellar_memory.read_document(path)


def _mem0(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    is_store = os.path.isdir(path) or _is_sqlite(path)
    return mem0.read_store(path) if is_store else mem0.read_document(path)


FORMATS: dict[str, Format] = {
    format_.name: format_
    for format_ in (
        Format(celestial.NAME, "`celestial export` of this engine (JSONL)", _unmapped(celestial.read)),
        Format(bundle.NAME, "a bundle of this engine: every field, with its hash", _unmapped(bundle.read)),
        Format(stellar_memory.NAME, "its SQLite database, or the JSON of its export", _unmapped(_stellar)),
        Format(long_term_memory.NAME, "its folder, or the chroma.sqlite3 in it", _unmapped(long_term_memory.read)),
        Format(mem0.NAME, "its memories as JSON, or the folder of its local Qdrant", _unmapped(_mem0)),
        Format(mcp_memory.NAME, "the JSONL of the MCP reference server-memory", _unmapped(mcp_memory.read)),
        Format(letta.NAME, "passages of Letta as JSON, or an agent file", _unmapped(letta.read)),
        Format(aimem.NAME, "an AIMEM bundle (draft-vu-aimem-bundle)", _unmapped(aimem.read)),
        Format(markdown.NAME, "the Markdown notes that this engine writes", _unmapped(markdown.read)),
        Format(basic_memory.NAME, "a folder of Markdown notes", _unmapped(basic_memory.read)),
        Format(conversations.CHATGPT, "ChatGPT's data export (zip or JSON)", _unmapped(conversations.read_chatgpt)),
        Format(conversations.CLAUDE, "Claude's data export (zip or JSON)", _unmapped(conversations.read_claude)),
        Format(rows.JSONL, "a JSON object a line, or a JSON list of objects", rows.read_json),
        Format(rows.CSV, "a table with a line of names", rows.read_csv),
    )
}


MAPPABLE_FORMATS = (rows.JSONL, rows.CSV)


def detect_format(path: str, *, mapped: bool = False) -> str:
    """Return the format of a file or folder; raises UnknownFormatError if none matches.

    With mapped fields the file must hold rows: then it is either JSONL or CSV.
    """
    if os.path.isdir(path):
        name = _folder_format(path)
    elif _is_sqlite(path):
        name = _database_format(path)
    elif zipfile.is_zipfile(path):
        name = _conversation_format(path)
    else:
        name = _text_format(path, mapped=mapped)
    if name is None:
        raise UnknownFormatError(path, Reason.UNKNOWN_FORMAT)
    return name


def _folder_format(path: str) -> str | None:
    if os.path.isfile(os.path.join(path, long_term_memory.FILE)):
        return long_term_memory.NAME
    if mem0.storages(path):
        return mem0.NAME
    if (name := _conversation_format(path)) is not None:
        return name
    if markdown.is_folder(path):
        return markdown.NAME
    return basic_memory.NAME if basic_memory.has_notes(path) else None


def _database_format(path: str) -> str | None:
    tables = sqlite_source.tables_in(path)
    if {"items", "owners", "ledger"} <= tables.keys() or {"items", "meta"} <= tables.keys():
        raise ImportSourceError(path, Reason.OWN_DATABASE)
    if stellar_memory.is_database(tables):
        return stellar_memory.NAME
    if long_term_memory.is_database(tables):
        return long_term_memory.NAME
    return mem0.NAME if mem0.is_store(tables) else None


def _conversation_format(path: str) -> str | None:
    for file, member in conversations.conversation_files(path):
        for _, element in islice(reading.elements(file, member), _SNIFFED_ENTRIES):
            if conversations.is_chatgpt(element):
                return conversations.CHATGPT
            if conversations.is_claude(element):
                return conversations.CLAUDE
    return None


def _text_format(path: str, *, mapped: bool) -> str | None:
    with reading.open_source(path) as stream:
        start = stream.read(_SNIFFED_BYTES).decode("utf-8-sig", "replace").lstrip()
    if not start:
        raise ImportSourceError(path, Reason.EMPTY)
    if start.startswith("PK\x03\x04"):
        raise ImportSourceError(path, Reason.ZIP_CUT)
    if mapped:
        return rows.JSONL if start.startswith(("[", "{")) else rows.CSV
    if start.startswith("["):
        return _list_format(path)
    if start.startswith("{"):
        return _lines_format(path) or _document_format(path)
    if path.endswith(".md"):
        return markdown.NAME if markdown.is_folder(path) else basic_memory.NAME
    names = rows.columns(path)
    return (
        rows.CSV
        if rows.has_text(dict.fromkeys(names, "")) and (len(names) > 1 or path.endswith((".csv", ".tsv")))
        else None
    )


def _list_format(path: str) -> str | None:
    sample = [element for _, element in islice(reading.elements(path), _SNIFFED_ENTRIES)]
    if mem0.is_document([element for element in sample if isinstance(element, dict)]):
        return mem0.NAME
    return _conversation_format(path) or (rows.JSONL if any(map(rows.has_text, sample)) else None)


def _lines_format(path: str) -> str | None:
    for _, line in islice(reading.json_lines(path), _SNIFFED_ENTRIES):
        if bundle.is_line(line):
            return bundle.NAME
        if celestial.is_line(line):
            return celestial.NAME
        if mcp_memory.is_line(line):
            return mcp_memory.NAME
        if isinstance(line, dict) and any(
            module.is_document(line) for module in (aimem, stellar_memory, mem0, letta)
        ):
            return None  # a document in one line
        if rows.has_text(line):
            return rows.JSONL
    return None


def _document_format(path: str) -> str | None:
    known = (aimem, stellar_memory, letta, mem0)
    return next((one.NAME for outline in reading.outlines(path) for one in known if one.is_document(outline)), None)


def _is_sqlite(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    with reading.open_source(path) as stream:
        return stream.read(len(sqlite_source.HEADER)) == sqlite_source.HEADER
