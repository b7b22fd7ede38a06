"""The rows of the owner who was looked at last: a page asks for the same rows several times within a second.

Kept until the owner's ledger has another entry, and for some seconds: zones can change without an entry.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from celestial_engine.core.browse.table import MemoryRow
    from celestial_engine.core.ledger.chain import Head
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.ports import ItemStore

_MOST_ROWS = 20_000  # more would take too much memory for what is only looked at
_SECONDS = 20.0

T = TypeVar("T")


class _Kept(NamedTuple):
    key: tuple[int, Owner, Head | None]  # the store, the owner and the newest entry of the owner's ledger
    at: float
    rows: list[MemoryRow]
    derived: dict[str, Any]


class RecentRows:
    """Safe for several threads: what is kept is replaced as a whole, and at worst read twice."""

    def __init__(self) -> None:
        self._kept: _Kept | None = None

    def rows(self, store: ItemStore, owner: Owner) -> list[MemoryRow]:
        return self._current(store, owner).rows

    def derived(self, store: ItemStore, owner: Owner, name: str, make: Callable[[list[MemoryRow]], T]) -> T:
        """Returns what `make` makes of the rows; made once as long as the rows are kept."""
        kept = self._current(store, owner)
        if name not in kept.derived:
            kept.derived[name] = make(kept.rows)
        made: T = kept.derived[name]
        return made

    def _current(self, store: ItemStore, owner: Owner) -> _Kept:
        with store.read() as session:
            key, now, kept = (id(store), owner, session.ledger.head(owner)), time.monotonic(), self._kept
            if kept is not None and kept.key == key and now - kept.at < _SECONDS:
                return kept
            fresh = _Kept(key, now, session.pictures.memory_rows(owner), {})
        self._kept = fresh if len(fresh.rows) <= _MOST_ROWS else None
        return fresh
