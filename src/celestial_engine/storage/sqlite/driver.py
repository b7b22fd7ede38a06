"""Opens every SQLite connection of the store, so that there is one place to choose the library that does it."""

from __future__ import annotations

import sqlite3

_STATEMENTS_CACHED = 256  # of a connection; preparing a join takes longer than running it


def connect(address: str, *, timeout: float = 5.0, uri: bool = False) -> sqlite3.Connection:
    """Opens a connection without implicit transactions; any thread may use it, one at a time."""
    return sqlite3.connect(
        address, timeout=timeout, uri=uri, isolation_level=None, check_same_thread=False,
        cached_statements=_STATEMENTS_CACHED,
    )  # fmt: skip
