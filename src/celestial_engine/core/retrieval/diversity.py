"""Maximal marginal relevance: the next memory is the one that suits and says something new."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import mul

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.text.words import index_words

BALANCE = 0.7  # of relevance; the rest weighs against repetition
_COMPARED_CHARACTERS = 2_000  # enough to tell whether two texts say the same


@dataclass(frozen=True)
class _Likeness:
    """What two memories are compared by, each worked out when it is first needed."""

    item: CelestialItem

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(index_words(self.item.content[:_COMPARED_CHARACTERS]))

    @cached_property
    def direction(self) -> tuple[float, ...]:
        vector: Sequence[float] = self.item.embedding or ()
        length = math.sqrt(sum(map(mul, vector, vector)))
        return tuple(x / length for x in vector) if 0.0 < length < math.inf else ()

    def redundancy(self, other: _Likeness) -> float:
        """From 0, nothing in common, to 1: by meaning where both have an embedding, else by words."""
        if self.direction and len(self.direction) == len(other.direction):
            cosine: float = sum(map(mul, self.direction, other.direction))
            return min(1.0, max(0.0, cosine))
        together = len(self.words | other.words)
        return len(self.words & other.words) / together if together else 0.0


def redundancy(one: CelestialItem, other: CelestialItem) -> float:
    """How much of one memory the other repeats, from 0 to 1."""
    return _Likeness(one).redundancy(_Likeness(other))


def by_marginal_relevance(
    items: Sequence[CelestialItem],
    relevance: Sequence[float],
    balance: float = BALANCE,
    told: Sequence[CelestialItem] = (),
) -> Iterator[int]:
    """The positions of the memories, best next first; `told` is what the reader knows already.

    Lazy: who takes k of n pays k times n comparisons.
    """
    likenesses = [_Likeness(item) for item in items]
    repeats = [0.0] * len(items)
    waiting = dict.fromkeys(range(len(items)))  # in order, so that the earlier wins a tie

    def hear(likeness: _Likeness) -> None:
        for position in waiting:
            repeats[position] = max(repeats[position], likeness.redundancy(likenesses[position]))

    for item in told:
        hear(_Likeness(item))
    while waiting:
        best = max(waiting, key=lambda at: balance * relevance[at] - (1.0 - balance) * repeats[at])
        del waiting[best]
        yield best
        hear(likenesses[best])
