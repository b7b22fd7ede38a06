"""Our own bundle: the records of an export, with a header that says how many there are and what they hash to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.record_bundle import check_bundle, is_header
from celestial_engine.importers.reading import MOST_LINE_BYTES, UnusableEntry, json_lines, open_source

NAME = "celestial-bundle"


def is_line(value: object) -> bool:
    return is_header(value)


def read(path: str) -> Iterator[tuple[str, Any] | UnusableEntry]:
    with open_source(path) as stream:
        check_bundle(iter(lambda: stream.readline(MOST_LINE_BYTES), b""), path)  # a longer line comes in pieces
    for where, record in json_lines(path):
        if isinstance(record, UnusableEntry):
            yield record
        elif not is_header(record):
            yield where, record
