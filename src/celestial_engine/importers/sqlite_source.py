"""Another program's SQLite database, read and never touched."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from celestial_engine.core.checks import MOST_CONTENT_BYTES
from celestial_engine.errors import ImportSourceError, Reason, UnknownFormatError

HEADER = b"SQLite format 3\x00"
# One more than may be kept: what is longer is refused as too large, and not read to its end.
MOST_TEXT = MOST_CONTENT_BYTES + 1


@contextmanager
def opened_database(path: str) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write. What lies in a write-ahead log is read too, from a copy of both files."""
    try:
        with _at_rest(path) as resting, closing(_connect(resting)) as connection:
            yield connection
    except (sqlite3.Error, OSError) as error:
        raise ImportSourceError(path, Reason.DATABASE_UNREADABLE, cause=str(error)) from error


def tables(connection: sqlite3.Connection) -> dict[str, set[str]]:
    """The names of the tables with their columns; what could compute anything (views, modules) is not read."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
    names = [name for (name,) in connection.execute(query)]
    return {
        name: {row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (name,))}
        for name in names
        if isinstance(name, str)
    }


def refuse_unless(found: bool, path: str) -> None:
    """Who was told what a database is, or guesses it by its name, still looks for the tables."""
    if not found:
        raise UnknownFormatError(path, Reason.UNKNOWN_FORMAT)


def tables_in(path: str) -> dict[str, set[str]]:
    with opened_database(path) as connection:
        return tables(connection)


@contextmanager
def _at_rest(path: str) -> Iterator[str]:
    log = f"{path}-wal"
    if not os.path.exists(log) or os.path.getsize(log) == 0:
        yield path
        return
    # To read a log SQLite writes beside it; so it does that beside a copy.
    with tempfile.TemporaryDirectory(prefix="celestial-import-") as folder:
        copy = os.path.join(folder, "copy.db")
        shutil.copyfile(log, f"{copy}-wal")
        shutil.copyfile(path, copy)
        yield copy


def _connect(path: str) -> sqlite3.Connection:
    immutable = "" if os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal") else "&immutable=1"
    mode = "ro" if immutable else "rw"  # the copy is ours
    connection = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode={mode}{immutable}", uri=True)
    connection.text_factory = _text
    for pragma in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _text(data: bytes) -> Any:
    return data.decode("utf-8", "replace")
