"""The rows of the owner who was looked at last: a page asks for the same rows several times within a second.

Kept until the owner's ledger has another entry, and for some seconds: zones can change without an entry.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from celestial_engine.core.browse.table import MemoryRow
    from celestial_engine.core.ledger.chain import Head
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.ports import ItemStore

MOST_ROWS = 20_000  # more would take too much memory for what is only looked at
_SECONDS = 20.0
_LOCKS = 16

T = TypeVar("T")


class _Kept(NamedTuple):
    key: tuple[int, Owner, Head | None]  # the store, the owner and the newest entry of the owner's ledger
    at: float
    rows: list[MemoryRow]
    derived: dict[str, Any]


class RecentRows:
    """Safe for several threads: what is kept is replaced as a whole. A thread that asks while another one reads
    waits for it: doing the same twice at once would take both of them twice as long."""

    def __init__(self) -> None:
        self._kept: _Kept | None = None
        self._row_locks, self._made_locks = (tuple(Lock() for _ in range(_LOCKS)) for _ in range(2))

    def rows(self, store: ItemStore, owner: Owner) -> list[MemoryRow]:
        return self._current(store, owner).rows

    def derived(self, store: ItemStore, owner: Owner, name: str, make: Callable[[list[MemoryRow]], T]) -> T:
        """Returns what `make` makes of the rows, zones aside; made once until the ledger has another entry."""
        kept = self._current(store, owner)
        with self._made_locks[hash(owner) % _LOCKS]:  # one of a few: other owners seldom wait
            if name not in kept.derived:
                kept.derived[name] = make(kept.rows)
            made: T = kept.derived[name]
            return made

    def _current(self, store: ItemStore, owner: Owner) -> _Kept:
        with self._row_locks[hash(owner) % _LOCKS], store.read() as session:
            key, now, kept = (id(store), owner, session.ledger.head(owner)), time.monotonic(), self._kept
            if kept is not None and kept.key == key and now - kept.at < _SECONDS:
                return kept
            # Without an entry in the ledger at most zones have changed, and nothing derived depends on those.
            derived = kept.derived if kept is not None and kept.key == key else {}
            fresh = _Kept(key, now, session.pictures.memory_rows(owner), derived)
        self._kept = fresh if len(fresh.rows) <= MOST_ROWS else None
        return fresh
