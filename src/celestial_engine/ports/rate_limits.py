"""Rate limits that all servers of a store share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.rate_limits import Allowance


class RateLimits(Protocol):
    """A token bucket per caller. Nothing is durable: a power cut may fill the buckets."""

    def take(self, caller: str, now: float, rate: float, burst: int) -> Allowance:
        """Takes some of what the caller has left, for the server that calls; two never take the same.

        `now` is what the clock of the server says: a store on one machine takes it, a store on a server uses its own
        clock instead. `rate` is in requests per second.
        """
        ...
