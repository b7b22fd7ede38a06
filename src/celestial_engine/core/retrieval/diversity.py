"""Maximal marginal relevance: picks memories that are relevant and not redundant."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import mul

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.text.words import index_words

BALANCE = 0.7  # weight of relevance; the rest weighs against redundancy
_COMPARED_CHARACTERS = 2_000  # enough to see whether two texts say the same


@dataclass(frozen=True)
class _Features:
    """The words and direction two memories are compared by, computed on first use."""

    item: CelestialItem

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(index_words(self.item.content[:_COMPARED_CHARACTERS]))

    @cached_property
    def direction(self) -> tuple[float, ...]:
        vector: Sequence[float] = self.item.embedding or ()
        length = math.sqrt(sum(map(mul, vector, vector)))
        return tuple(x / length for x in vector) if 0.0 < length < math.inf else ()

    def redundancy(self, other: _Features) -> float:
        """From 0 (nothing in common) to 1: by embedding if both have one, else by words."""
        if self.direction and len(self.direction) == len(other.direction):
            cosine: float = sum(map(mul, self.direction, other.direction))
            return min(1.0, max(0.0, cosine))
        union_size = len(self.words | other.words)
        return len(self.words & other.words) / union_size if union_size else 0.0


def redundancy(one: CelestialItem, other: CelestialItem) -> float:
    """How much two memories repeat each other, from 0 to 1."""
    return _Features(one).redundancy(_Features(other))


def by_marginal_relevance(
    items: Sequence[CelestialItem],
    relevance: Sequence[float],
    balance: float = BALANCE,
    quoted: Sequence[CelestialItem] = (),
) -> Iterator[int]:
    """Yields the positions of the memories, best next first; `quoted` are memories that the reader already has.

    Lazy: taking k of n costs k times n comparisons.
    """
    features = [_Features(item) for item in items]
    repeats = [0.0] * len(items)
    waiting = dict.fromkeys(range(len(items)))  # ordered, so that the earlier wins a tie

    def mark_shown(chosen: _Features) -> None:
        for position in waiting:
            repeats[position] = max(repeats[position], chosen.redundancy(features[position]))

    for item in quoted:
        mark_shown(_Features(item))
    while waiting:
        best = max(waiting, key=lambda position: balance * relevance[position] - (1.0 - balance) * repeats[position])
        del waiting[best]
        yield best
        mark_shown(features[best])
