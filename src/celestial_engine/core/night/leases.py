"""When a job may be claimed: not while another process holds it, and not before it is due again."""

from __future__ import annotations

CLOCK_TOLERANCE_SECONDS = (
    300.0  # clocks of two processes, or of one before and after it was set, may differ this much
)


def may_claim(last_run: float | None, lease_until: float | None, now: float, every: float, lease: float) -> bool:
    """Returns whether a job that was last run then and is leased until then is free and due.

    Times further ahead than clocks may differ came from a wrong clock, and are ignored: it must not block a job for
    good. Times that are ahead by less count, or a process whose clock is a little behind would take over a lease.
    """
    latest = now + CLOCK_TOLERANCE_SECONDS
    leased = lease_until is not None and lease > 0 and now < lease_until <= latest + lease
    done_recently = last_run is not None and every > 0 and now - every < last_run <= latest
    return not leased and not done_recently
