"""Split long work into small transactions, so that the write lock is never held long, and report progress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from celestial_engine.ports import Progress

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
