"""One connection within a transaction, as the groups use it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import psycopg

_READS = ("SELECT", "WITH RECURSIVE")
_MOST_QUEUED = 50
_LEAST_PIPED = 2  # a pipeline for one statement costs more than it saves


@lru_cache(maxsize=4096)
def translated(statement: str) -> bytes:
    """Returns the statement with psycopg's marks for values."""
    return statement.replace("%", "%%").replace("?", "%s").encode()


class PostgresDatabase:
    """Runs statements; results come in PostgreSQL's binary format, which is faster to read.

    Writes whose result nobody needs wait in a queue and travel together, before the next query or the commit: a
    memory is a dozen writes, and each would wait for the server.
    """

    __slots__ = ("_connection", "_queue", "total_changes")

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        self._queue: list[tuple[bytes, Sequence[Any]]] = []
        self.total_changes = 0  # for a cache that must notice changes

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Any:
        if not statement.startswith(_READS):
            self.total_changes += 1
        if len(self._queue) < _LEAST_PIPED:
            self.flush()
            return self._connection.execute(translated(statement), values, binary=True)
        queue, self._queue = self._queue, []
        with self._connection.pipeline():
            for queued in queue:
                self._connection.execute(*queued)
            return self._connection.execute(translated(statement), values, binary=True)

    def executemany(self, statement: str, values: Iterable[Any], /) -> Any:
        rows = list(values)
        cursor = self._connection.cursor()
        if rows:
            self.total_changes += 1
            self.flush()
            cursor.executemany(translated(statement), rows)
        return cursor

    def send(self, statement: str, values: Sequence[Any]) -> None:
        """Runs a write later in this transaction, before anything else is read or written."""
        self.total_changes += 1
        self._queue.append((translated(statement), values))
        if len(self._queue) >= _MOST_QUEUED:
            self.flush()

    def set_local(self, name: str, number: str) -> None:
        """Changes a setting of the transaction to a number."""
        self.command(f"SET LOCAL {name} = '{int(number)}'")

    def command(self, commands: str) -> None:
        """Runs commands without values or results; as plain text, because that is cheapest."""
        self.flush()
        self._connection.execute(commands.encode(), prepare=False)

    def flush(self) -> None:
        if not self._queue:
            return
        queue, self._queue = self._queue, []
        if len(queue) == 1:
            self._connection.execute(*queue[0])
            return
        with self._connection.pipeline():
            for statement, values in queue:
                self._connection.execute(statement, values)
