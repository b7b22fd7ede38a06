"""Split long work into small transactions, so that the write lock is never held long, and report progress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import Progress, Reader

_A_PAGE = 500
_A_BATCH = 20  # a departure takes 2 ms, so a recall that has to write waits at most 40 ms
Element = TypeVar("Element")


def in_batches(
    things: Sequence[Element], progress: Progress | None = None, size: int = _A_BATCH
) -> Iterator[Sequence[Element]]:
    """Yield the batches, one transaction each. `progress(done, total)` is called after each batch."""
    for start in range(0, len(things), size):
        part = things[start : start + size]
        yield part
        if progress is not None:
            progress(start + len(part), len(things))


def all_items(session: Reader, owner: Owner) -> Iterator[CelestialItem]:
    """Yield every memory of this owner, in any state, reading a page at a time."""
    key = -1
    while page := session.items.page(owner, key, _A_PAGE):
        yield from (item for _, item in page)
        key = page[-1][0]
