"""The records of `celestial export`: memories of this engine, which come back as the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celestial_engine.importers.reading import Garbage, json_lines

NAME = "celestial"
_TELLING = {"id", "content", "created_at", "last_recalled_at", "tier", "owner"}


def is_line(value: object) -> bool:
    return isinstance(value, dict) and value.keys() >= _TELLING


def is_core(record: object) -> bool:
    return isinstance(record, dict) and (record.get("tier") == "M0" or record.get("protection") == "core")


def read(path: str) -> Iterator[tuple[str, Any] | Garbage]:
    for where, record in json_lines(path):
        yield record if isinstance(record, Garbage) else (where, record)
