"""Letta: passages of archival memory, or an agent file with its memory blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.importers import values
from celestial_engine.importers.reading import UnusableEntry, listed

NAME = "letta"
_PASSAGES = ("passages", "archival_memory")
_BLOCKS = ("blocks", "core_memory")


def is_document(value: object) -> bool:
    fields = values.mapping(value)
    passages = any("text" in values.mapping(one) for name in _PASSAGES for one in _listed(fields, name)[:20])
    blocks = any(
        values.mapping(one).keys() >= {"label", "value"} for name in _BLOCKS for one in _listed(fields, name)[:20]
    )
    return passages or blocks


def read(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    for name, position, value in listed(path, (*_BLOCKS, *_PASSAGES)):
        if isinstance(value, UnusableEntry):
            yield value
        else:
            record = _block if name in _BLOCKS else _passage
            yield record(values.mapping(value), f"{name}, item {position}")


def _block(block: dict[str, Any], where: str) -> ImportedRecord | UnusableEntry:
    label, content = values.name(block.get("label")), values.text(block.get("value"))
    if content is None:
        return UnusableEntry(where, "no_text")
    identity = values.name(block.get("id")) or f"block {label}\n{content}"
    created = values.parse_time(block.get("created_at"))
    return ImportedRecord(NAME, identity, content, where, created, tags=(label,) if label else ())


def _passage(passage: dict[str, Any], where: str) -> ImportedRecord | UnusableEntry:
    content = values.text(passage.get("text"))
    if content is None:
        return UnusableEntry(where, "no_text")
    return ImportedRecord(
        NAME,
        values.name(passage.get("id")) or content,
        content,
        where,
        values.parse_time(passage.get("created_at")),
        tags=values.names(passage.get("tags")),
        metadata=values.mapping(passage.get("metadata") or passage.get("metadata_")),
    )


def _listed(fields: dict[str, Any], name: str) -> list[Any]:
    value = fields.get(name)
    return value if isinstance(value, list) else []
