"""Sign codes: one bit per dimension, on which side of a common centre a vector lies.

Vectors of language models cluster around one direction, so their plain signs say little: the centre is subtracted
first. It is the mean of a sample, stored in the database. With few vectors there is none, and the signs are plain.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from operator import add, gt, mul

_DIGITS = bytes.maketrans(b"\0\1", b"01")


def code_of(vector: Sequence[float], norm: float, centre: Sequence[float] | None) -> bytes:
    """Returns the sign code. The centre is a mean of directions, so the vector's length does not matter."""
    if centre is None or len(centre) != len(vector):
        centre = [0.0] * len(vector)
    elif abs(norm - 1.0) > 1e-6:
        centre = [value * norm for value in centre]
    digits = bytes(map(gt, vector, centre)).translate(_DIGITS)
    return int(digits, 2).to_bytes(code_width(len(vector)), "big")


def off_centre(vector: Sequence[float], centre: Sequence[float] | None) -> list[float]:
    """Returns the vector's direction minus the centre: signs give the code, sizes the weight of each bit."""
    norm = norm_of(vector) or 1.0
    if centre is None or len(centre) != len(vector):
        return [value / norm for value in vector]
    return [value / norm - middle for value, middle in zip(vector, centre, strict=True)]


def code_width(dimension: int) -> int:
    return (dimension + 7) // 8


def centre_of(vectors: Iterable[Sequence[float]]) -> array[float] | None:
    """Returns the mean direction; vectors of another length than the first are skipped."""
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
