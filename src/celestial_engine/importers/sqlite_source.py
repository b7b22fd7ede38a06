"""Read another program's SQLite database without changing it."""

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
# One more than the limit: longer text is refused as too large without reading all of it.
MOST_TEXT = MOST_CONTENT_BYTES + 1


@contextmanager
def open_database(path: str) -> Iterator[sqlite3.Connection]:
    """Open a connection that cannot write. With a write-ahead log, a copy of both files is opened."""
    try:
        with _without_live_log(path) as readable_path, closing(_connect(readable_path)) as connection:
            yield connection
    except (sqlite3.Error, OSError) as error:
        raise ImportSourceError(path, Reason.DATABASE_UNREADABLE, cause=str(error)) from error


def tables(connection: sqlite3.Connection) -> dict[str, set[str]]:
    """Table names with their columns; views and virtual tables are left out: they could compute anything."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
    names = [name for (name,) in connection.execute(query)]
    return {
        name: {row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (name,))}
        for name in names
        if isinstance(name, str)
    }


def require_tables(found: bool, path: str) -> None:
    """Raise UnknownFormatError unless the expected tables exist; the format's name alone is not trusted."""
    if not found:
        raise UnknownFormatError(path, Reason.UNKNOWN_FORMAT)


def tables_in(path: str) -> dict[str, set[str]]:
    with open_database(path) as connection:
        return tables(connection)


@contextmanager
def _without_live_log(path: str) -> Iterator[str]:
    log = f"{path}-wal"
    if not os.path.exists(log) or os.path.getsize(log) == 0:
        yield path
        return
    # To read the log, SQLite writes files next to it: so open a copy.
    with tempfile.TemporaryDirectory(prefix="celestial-import-") as folder:
        copy = os.path.join(folder, "copy.db")
        shutil.copyfile(log, f"{copy}-wal")
        shutil.copyfile(path, copy)
        yield copy


def _connect(path: str) -> sqlite3.Connection:
    immutable = "" if os.path.exists(f"{path}-wal") and os.path.getsize(f"{path}-wal") else "&immutable=1"
    mode = "ro" if immutable else "rw"  # with a log it is our own copy
    connection = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode={mode}{immutable}", uri=True)
    connection.text_factory = _decode
    for pragma in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _decode(data: bytes) -> Any:
    return data.decode("utf-8", "replace")
