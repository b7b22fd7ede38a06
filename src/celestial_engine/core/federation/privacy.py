"""Differential privacy of what is sent: the Gaussian mechanism, accounted by Renyi divergence.

The promise is about a user's whole contribution: with epsilon small, an observer of every release can hardly tell
whether it came from this user's turns or from no turns at all. A release is a vector of length at most `max_norm`
with noise of `noise * max_norm` on every parameter, so the sensitivity is `max_norm` and `noise` is the multiplier.
"""

from __future__ import annotations

import math

_LEAST_ORDER, _MOST_ORDER = 1.0 + 1e-6, 1e6
_STEPS = 200


def epsilon(noise: float, releases: int, delta: float) -> float:
    """Returns the epsilon of so many releases with this noise multiplier, for this delta.

    Of T Gaussian releases the Renyi divergence of order a is T a / (2 noise^2); the conversion to (epsilon, delta)
    is that of Canonne, Kamath and Steinke (2020), minimised over the order.
    """
    if releases <= 0:
        return 0.0
    if noise <= 0.0:
        return math.inf
    slope = releases / (2.0 * noise * noise)

    def bound(order: float) -> float:
        return (
            slope * order
            + math.log1p(-1.0 / order)
            - (math.log(delta) + math.log(order)) / (order - 1.0)
        )  # fmt: skip

    # One minimum: a ternary search on the logarithm of order - 1.
    low, high = math.log(_LEAST_ORDER - 1.0), math.log(_MOST_ORDER)
    for _ in range(_STEPS):
        left, right = low + (high - low) / 3.0, high - (high - low) / 3.0
        if bound(1.0 + math.exp(left)) < bound(1.0 + math.exp(right)):
            high = right
        else:
            low = left
    return max(0.0, bound(1.0 + math.exp((low + high) / 2.0)))
