"""What was read of the owner who was looked at last: a page asks for the same rows several times within a second.

Kept until the owner's ledger has another entry; rows for some seconds only: zones can change without an entry.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from celestial_engine.core.browse.directory import SubjectDirectory, end_keys, names_in

if TYPE_CHECKING:
    from celestial_engine.core.browse.table import MemoryRow
    from celestial_engine.core.ledger.chain import Head
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.ports import ItemStore, Reader

MOST_ROWS = 20_000  # more would take too much memory for what is only looked at
_SECONDS = 20.0
_LOCKS = 16


@dataclass
class _Cache:
    key: tuple[int, Owner, Head | None]  # the store, the owner and the newest entry of the owner's ledger
    rows: list[MemoryRow] | None = None
    rows_at: float = 0.0
    keys: dict[str, str] | None = None  # name in a row -> its graph key
    directory: SubjectDirectory | None = None


class RecentRows:
    """Safe for several threads. A thread that asks while another one reads for the same owner waits for it: doing the
    same twice at once would take both of them twice as long."""

    def __init__(self) -> None:
        self._cache: _Cache | None = None
        # One of a few for each owner: other owners seldom wait.
        self._row_locks, self._directory_locks = (tuple(Lock() for _ in range(_LOCKS)) for _ in range(2))

    def rows(self, store: ItemStore, owner: Owner) -> list[MemoryRow]:
        """Returns a row of each memory."""
        with self._row_locks[hash(owner) % _LOCKS], store.read() as session:
            return self._rows(store, session, owner)[1]

    def named_rows(self, store: ItemStore, owner: Owner) -> tuple[list[MemoryRow], dict[str, str]]:
        """Returns a row of each memory, and the graph key of each name in them."""
        with self._row_locks[hash(owner) % _LOCKS], store.read() as session:
            cache, rows = self._rows(store, session, owner)
            keys = cache.keys
            if keys is None:
                keys = end_keys(names_in(rows), session.pictures.graph_keys(owner))
                cache.keys = keys if len(rows) <= MOST_ROWS else None
            return rows, keys

    def directory(self, store: ItemStore, owner: Owner) -> SubjectDirectory:
        """Returns the people and things of the memories; zones have no part in it."""
        with self._directory_locks[hash(owner) % _LOCKS], store.read() as session:
            cache = self._current(store, session, owner)
            if cache.directory is not None:
                return cache.directory
            columns = session.pictures.relation_columns(owner)
            directory = SubjectDirectory(columns)
            if len(columns.ids) <= MOST_ROWS:
                cache.directory = directory
            return directory

    def _rows(self, store: ItemStore, session: Reader, owner: Owner) -> tuple[_Cache, list[MemoryRow]]:
        cache = self._current(store, session, owner)
        if cache.rows is not None and time.monotonic() - cache.rows_at < _SECONDS:
            return cache, cache.rows
        at, rows = time.monotonic(), session.pictures.memory_rows(owner)
        if len(rows) <= MOST_ROWS:
            cache.rows, cache.rows_at = rows, at
        return cache, rows

    def _current(self, store: ItemStore, session: Reader, owner: Owner) -> _Cache:
        key, cache = (id(store), owner, session.ledger.head(owner)), self._cache
        if cache is None or cache.key != key:
            self._cache = cache = _Cache(key)
        return cache
