"""Vectors of parameters: clipping, noise and weighted means."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence

Vector = tuple[float, ...]


def is_finite(vector: Sequence[float]) -> bool:
    return all(map(math.isfinite, vector))


def clipped(vector: Sequence[float], most: float) -> Vector:
    """Returns the vector scaled down to an L2 norm of at most `most`; shorter vectors stay as they are."""
    if math.hypot(*vector) <= most:
        return tuple(vector)
    # Divided first: the norm of huge numbers is no number.
    largest = max(map(abs, vector))
    relative = math.hypot(*(value / largest for value in vector))
    return tuple((value / largest) * (most / relative) for value in vector)


def noised(vector: Sequence[float], deviation: float, chance: Iterator[float]) -> Vector:
    """Returns the vector with Gaussian noise on every parameter; `chance` yields numbers from 0 to below 1."""
    if deviation == 0.0:
        return tuple(vector)
    return tuple(value + deviation * noise for value, noise in zip(vector, _normals(chance), strict=False))


def as_stored(vector: Sequence[float]) -> Vector:
    """Returns the vector in the precision in which it is sent and stored, so that it compares equal afterwards."""
    return tuple(array("f", vector))


def weighted_mean(vectors: Sequence[Vector], weights: Sequence[float]) -> Vector:
    """Returns the mean of vectors of equal length; weights are not negative and not all zero."""
    total = math.fsum(weights)
    shares = [weight / total for weight in weights]
    return tuple(math.fsum(map(float.__mul__, shares, column)) for column in zip(*vectors, strict=True))


def mixed_vectors(first: Sequence[float], second: Sequence[float], share: float) -> Vector:
    """Returns `share` of the first vector plus the rest of the second."""
    return tuple(share * one + (1.0 - share) * other for one, other in zip(first, second, strict=True))


def _normals(chance: Iterator[float]) -> Iterator[float]:
    """Yields standard normal numbers by the Box-Muller transform."""
    while True:
        radius = math.sqrt(-2.0 * math.log(1.0 - next(chance)))
        angle = 2.0 * math.pi * next(chance)
        yield radius * math.cos(angle)
        yield radius * math.sin(angle)
