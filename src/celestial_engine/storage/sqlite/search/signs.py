"""Sign codes: one bit a dimension, which side of a common centre a vector lies on.

Vectors of language models crowd around one direction, and their bare signs tell little: the centre is taken off
first. It is a sample's mean, kept in the database. While there is none (few vectors), the signs are bare.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from operator import add, gt, mul

_DIGITS = bytes.maketrans(b"\0\1", b"01")


def code_of(vector: Sequence[float], norm: float, centre: Sequence[float] | None) -> bytes:
    """The sign code. The centre is that of directions, so a vector's own length does not count."""
    if centre is None or len(centre) != len(vector):
        centre = [0.0] * len(vector)
    elif abs(norm - 1.0) > 1e-6:
        centre = [value * norm for value in centre]
    digits = bytes(map(gt, vector, centre)).translate(_DIGITS)
    return int(digits, 2).to_bytes(code_width(len(vector)), "big")


def off_centre(vector: Sequence[float], centre: Sequence[float] | None) -> list[float]:
    """The vector's direction as seen from the centre: its signs are its code, its numbers say which of them count."""
    norm = norm_of(vector) or 1.0
    if centre is None or len(centre) != len(vector):
        return [value / norm for value in vector]
    return [value / norm - middle for value, middle in zip(vector, centre, strict=True)]


def code_width(dimension: int) -> int:
    return (dimension + 7) // 8


def centre_of(vectors: Iterable[Sequence[float]]) -> array[float] | None:
    """The mean direction; those of another length than the first are left out."""
    total: list[float] = []
    count = 0
    for vector in vectors:
        norm = norm_of(vector)
        if norm > 0.0 and len(vector) == (len(total) or len(vector)):
            direction = [value / norm for value in vector]
            total = list(map(add, total, direction)) if total else direction
            count += 1
    return array("f", [value / count for value in total]) if count else None


def dot(left: Sequence[float], right: Sequence[float]) -> float:
    return _sum_of_products(left, right)


def norm_of(vector: Sequence[float]) -> float:
    return math.sqrt(dot(vector, vector))


def _plain_sum_of_products(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(map(mul, left, right), 0.0)


# From Python 3.12 on there is one in C.
_sum_of_products: Callable[[Sequence[float], Sequence[float]], float] = getattr(
    math, "sumprod", _plain_sum_of_products
)
