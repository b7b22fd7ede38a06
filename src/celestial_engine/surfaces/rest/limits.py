"""Rate limits: a token bucket per caller."""

from __future__ import annotations

import math
from dataclasses import dataclass

_MOST_CALLERS = 10_000


@dataclass(frozen=True)
class Bucket:
    """What is left, and when that was so."""

    left: float
    at: float

    def at_moment(self, now: float, rate: float, burst: int) -> Bucket:
        return Bucket(min(burst, self.left + max(0.0, now - self.at) * rate), now)


class RateLimit:
    """A bucket for each caller. `wait` gives 0, or the whole seconds after which to ask again."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: dict[str, Bucket] = {}

    def wait(self, caller: str, now: float) -> int:
        bucket = self._buckets.pop(caller, Bucket(self._burst, now)).at_moment(now, self._rate, self._burst)
        allowed = bucket.left >= 1.0
        # Put back at the end: who has not asked for longest is the first to be let go of.
        self._buckets[caller] = Bucket(bucket.left - 1.0, now) if allowed else bucket
        if len(self._buckets) > _MOST_CALLERS:
            del self._buckets[next(iter(self._buckets))]
        return 0 if allowed else max(1, math.ceil((1.0 - bucket.left) / self._rate))
