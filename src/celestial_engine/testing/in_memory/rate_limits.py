"""Rate limits for a single process."""

from __future__ import annotations

import threading

from celestial_engine.core.rate_limits import Allowance, Bucket


class DictRateLimits:
    def __init__(self) -> None:
        self._buckets: dict[str, Bucket] = {}
        self._lock = threading.Lock()

    def take(self, caller: str, now: float, rate: float, burst: int) -> Allowance:
        with self._lock:
            bucket, allowance = self._buckets.get(caller, Bucket(burst, now)).taken(now, rate, burst)
            self._buckets[caller] = bucket
        return allowance
