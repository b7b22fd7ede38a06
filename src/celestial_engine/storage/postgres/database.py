"""One connection within a transaction, as the groups use it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import psycopg

_READS = ("SELECT", "WITH RECURSIVE")


@lru_cache(maxsize=4096)
def translated(statement: str) -> str:
    """Returns the statement with psycopg's marks for values."""
    return statement.replace("%", "%%").replace("?", "%s")


class PostgresDatabase:
    """Runs statements; results come in PostgreSQL's binary format, which is faster to read."""

    __slots__ = ("_connection", "total_changes")

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self.total_changes = 0  # of a cache that must notice changes

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Any:
        if not statement.startswith(_READS):
            self.total_changes += 1
        return self._connection.execute(translated(statement).encode(), values, binary=True)

    def executemany(self, statement: str, values: Iterable[Any], /) -> Any:
        self.total_changes += 1
        cursor = self._connection.cursor()
        cursor.executemany(translated(statement).encode(), values)
        return cursor

    def batch(self, statements: Iterable[tuple[str, Sequence[Any]]]) -> None:
        """Sends statements together, and waits once."""
        self.total_changes += 1
        with self._connection.pipeline():
            for statement, values in statements:
                self._connection.execute(translated(statement).encode(), values)
