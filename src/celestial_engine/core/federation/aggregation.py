"""Aggregation of updates that may come from attackers: Krum, multi-Krum and the coordinate-wise median.

Blanchard et al. (2017), "Machine learning with adversaries: Byzantine tolerant gradient descent".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from celestial_engine.core.federation.settings import Aggregation
from celestial_engine.core.federation.vectors import Vector, weighted_mean

# How many times the median score makes an update an outlier, not just the farthest of honest ones: among simulated
# users who want different things the farthest had at most 1.6 times the median.
_OUTLIER = 3.0


class TooFewUpdatesError(ValueError):
    """Krum with f attackers needs 2f + 3 updates: with fewer, attackers can outvote the others."""

    def __init__(self, needed: int, got: int) -> None:
        super().__init__(f"needs {needed} updates, got {got}")
        self.needed = needed
        self.got = got


@dataclass(frozen=True)
class Aggregate:
    """The result, the places of the updates that are part of it, and of those that are clear outliers."""

    vector: Vector
    used: tuple[int, ...]
    outliers: tuple[int, ...] = ()


def updates_needed(attackers: int) -> int:
    return 2 * attackers + 3


def krum_scores(updates: Sequence[Vector], attackers: int) -> list[float]:
    """Returns the sum of squared distances of each update to its n - f - 2 nearest others."""
    needed = updates_needed(attackers)
    if len(updates) < needed:
        raise TooFewUpdatesError(needed, len(updates))
    squares = [[0.0] * len(updates) for _ in updates]
    for place, update in enumerate(updates):
        for other in range(place):
            squares[place][other] = squares[other][place] = math.dist(update, updates[other]) ** 2
    nearest = len(updates) - attackers - 2
    return [
        math.fsum(sorted(row[:place] + row[place + 1 :])[:nearest]) for place, row in enumerate(squares)
    ]  # fmt: skip


def krum(updates: Sequence[Vector], attackers: int) -> int:
    """Returns the place of the update that lies closest to the others."""
    scores = krum_scores(updates, attackers)
    return min(range(len(updates)), key=scores.__getitem__)


def multi_krum(updates: Sequence[Vector], attackers: int) -> tuple[int, ...]:
    """Returns the places of all updates but the `attackers` with the worst scores."""
    scores = krum_scores(updates, attackers)
    return _best(scores, len(updates) - attackers)


def coordinate_median(updates: Sequence[Vector]) -> Vector:
    return tuple(_median(column) for column in zip(*updates, strict=True))


def staleness_weight(age: float, half_life: float) -> float:
    """Returns 1 for a new update, halved with every half-life; an update from the future counts as new."""
    return math.pow(0.5, min(1_000.0, max(0.0, age) / half_life))


def aggregate(
    updates: Sequence[Vector],
    weights: Sequence[float],
    method: Aggregation,
    attackers: int,
    own: Vector | None = None,
) -> Aggregate:
    """Combines the peers' updates, all of one length. Raises TooFewUpdatesError, whatever the method, below 2f + 3.

    `own` is the one update that is certainly honest: it counts among the 2f + 3 and in the distances, and is no part
    of the result. Weights are for staleness; the median ignores them.
    """
    everything = updates if own is None else [*updates, own]
    scores = krum_scores(everything, attackers)
    peers = tuple(range(len(updates)))
    outliers = tuple(place for place in _outliers(scores) if place in peers)
    match method:
        case Aggregation.MEDIAN:
            return Aggregate(coordinate_median(updates), peers, outliers)
        case Aggregation.KRUM:
            used: tuple[int, ...] = (min(peers, key=scores.__getitem__),)
        case Aggregation.MULTI_KRUM:
            used = tuple(place for place in _best(scores, len(everything) - attackers) if place in peers)
        case Aggregation.MEAN:
            used = peers
    mean = weighted_mean([updates[place] for place in used], [weights[place] for place in used])
    return Aggregate(mean, used, outliers)


def _best(scores: Sequence[float], count: int) -> tuple[int, ...]:
    return tuple(sorted(sorted(range(len(scores)), key=scores.__getitem__)[:count]))


def _outliers(scores: Sequence[float]) -> tuple[int, ...]:
    usual = _median(scores)
    if usual == 0.0:  # most updates are equal: nothing was learned yet
        return ()
    return tuple(place for place, score in enumerate(scores) if score > _OUTLIER * usual)


def _median(values: Sequence[float]) -> float:
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2.0
