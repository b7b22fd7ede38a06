"""Rate limits: each caller's bucket is in the store, and a server spends what it took from it."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

import anyio.to_thread

from celestial_engine.core.rate_limits import Allowance, Bucket
from celestial_engine.errors import CelestialError

logger = logging.getLogger(__name__)

# Takes some of what a caller has left in the store: caller, now, rate, burst.
Take = Callable[[str, float, float, int], Allowance]

_MOST_CALLERS = 10_000
_KEPT_SECONDS = 10.0  # what was taken and not used by then is dropped: it would add to a bucket that is full again


@dataclass(frozen=True)
class _Taken:
    """What this server may still admit, and since when; or until when there is nothing to take."""

    requests: int
    at: float
    empty_until: float = -math.inf


class RateLimit:
    """Counts requests over all servers of a store: `wait` is 0, or whole seconds after which to try again."""

    def __init__(self, take: Take, rate: float, burst: int) -> None:
        self._take_from_store, self._rate, self._burst = take, rate, burst
        self._taken: dict[str, _Taken] = {}
        self._own: dict[str, Bucket] = {}
        self._own_lock = threading.Lock()

    async def wait(self, caller: str, now: float) -> int:
        """Asks the store, in a thread, only if nothing is left of what this server took."""
        known = self._wait_locally(caller, now)
        if known is not None:
            return known
        return self._accept(caller, now, await anyio.to_thread.run_sync(self._take, caller, now))

    def _wait_locally(self, caller: str, now: float) -> int | None:
        """None if the store must be asked. A refused caller that tries again at once is refused without it."""
        taken = self._taken.get(caller)
        if taken is None or now < taken.at:  # the clock was set back
            return None
        if now < taken.empty_until:
            return _whole(taken.empty_until - now)
        if not taken.requests or now - taken.at >= _KEPT_SECONDS:
            return None
        self._keep(caller, replace(taken, requests=taken.requests - 1))
        return 0

    def _accept(self, caller: str, now: float, allowance: Allowance) -> int:
        if not allowance.requests:
            known = self._wait_locally(caller, now)  # another request may have taken the last ones meanwhile
            if known is not None:
                return known
            self._keep(caller, _Taken(0, now, now + allowance.wait_seconds))
            return _whole(allowance.wait_seconds)
        bucket = self._taken.get(caller)
        more = bucket.requests if bucket is not None and 0.0 <= now - bucket.at < _KEPT_SECONDS else 0
        self._keep(caller, _Taken(more + allowance.requests - 1, now))
        return 0

    def _take(self, caller: str, now: float) -> Allowance:
        try:
            return self._take_from_store(caller, now, self._rate, self._burst)
        except CelestialError as error:
            # A full disk must not refuse what can still be read: until it is over, each server counts for itself.
            logger.warning("rate limits are counted by this process alone: %s", error)
        with self._own_lock:
            bucket, allowance = self._own.pop(caller, Bucket(self._burst, now)).taken(now, self._rate, self._burst)
            self._own[caller] = bucket
            if len(self._own) > _MOST_CALLERS:
                del self._own[next(iter(self._own))]
        return allowance

    def _keep(self, caller: str, taken: _Taken) -> None:
        # Put back at the end: the first one has been away for longest.
        self._taken.pop(caller, None)
        self._taken[caller] = taken
        if len(self._taken) > _MOST_CALLERS:
            del self._taken[next(iter(self._taken))]


def _whole(seconds: float) -> int:
    return max(1, math.ceil(seconds))
