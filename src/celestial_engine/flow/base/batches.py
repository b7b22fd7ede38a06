"""Much work in small parts: nobody waits long for the write lock, and whoever watches sees it go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from celestial_engine.ports import Progress

_A_BATCH = 20  # departures take two milliseconds each: a recall that must write meanwhile waits for forty
Thing = TypeVar("Thing")


def in_batches(
    things: Sequence[Thing], progress: Progress | None = None, size: int = _A_BATCH
) -> Iterator[Sequence[Thing]]:
    """The parts one by one, a transaction each; `progress` hears how many of all are done after each of them."""
    for start in range(0, len(things), size):
        part = things[start : start + size]
        yield part
        if progress is not None:
            progress(start + len(part), len(things))
