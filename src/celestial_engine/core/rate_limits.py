"""Rate limits: a token bucket per caller, and how many requests a server may take from it at once."""

from __future__ import annotations

from typing import NamedTuple

_SHARE = 16  # a server takes at most this part of what is left


class Allowance(NamedTuple):
    """How many requests a server may admit; if none, after how many seconds to ask again."""

    requests: int
    wait_seconds: float = 0.0


class Bucket(NamedTuple):
    """What was left at a moment."""

    left: float
    at: float

    def taken(self, now: float, rate: float, burst: int) -> tuple[Bucket, Allowance]:
        """Takes requests for one server: few of what is left, so that other servers find some too.

        The last ones are taken one by one, so that all servers together admit exactly what the bucket holds.
        """
        # A moment in the future is of a clock that was set back; it must not keep the bucket empty.
        left = min(float(burst), self.left + max(0.0, now - self.at) * rate)
        if left < 1.0:
            return Bucket(left, now), Allowance(0, (1.0 - left) / rate)
        requests = max(1, int(left) // _SHARE)
        return Bucket(left - requests, now), Allowance(requests)

    def full_at(self, rate: float, burst: int) -> float:
        """When it holds as much as a new one."""
        return self.at + (burst - self.left) / rate
