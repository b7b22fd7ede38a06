"""Records written by `celestial export`: memories of this engine, imported with the same ids and fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celestial_engine.importers.reading import UnusableEntry, json_lines

NAME = "celestial"
_IDENTIFYING_FIELDS = {"id", "content", "created_at", "last_recalled_at", "tier", "owner"}


def is_line(value: object) -> bool:
    return isinstance(value, dict) and value.keys() >= _IDENTIFYING_FIELDS


def is_core(record: object) -> bool:
    return isinstance(record, dict) and (record.get("tier") == "M0" or record.get("protection") == "core")


def read(path: str) -> Iterator[tuple[str, Any] | UnusableEntry]:
    for where, record in json_lines(path):
        yield record if isinstance(record, UnusableEntry) else (where, record)
