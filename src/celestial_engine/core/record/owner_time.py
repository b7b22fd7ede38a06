"""Days with the owner: the clocks of lifetimes and departures stand still while the owner is away.

A day (UTC) counts if the owner was active on it. So the owner's time ends with the last active day, and goes on when
the owner comes back: then every clock of the owner's memories is set forward by the days that were missed. A wrong
clock is an absence too, and a clock that is set back again takes back what the jump ahead had added.
"""

from __future__ import annotations

import math
from enum import Enum

DAY_SECONDS = 86_400.0


class TimeCounting(str, Enum):
    """Which days count for lifetimes and departures."""

    OWNER = "owner"  # days on which the owner was active
    CALENDAR = "calendar"  # every day


def counted_until(last_active: float | None, now: float) -> float:
    """Returns the owner's time: now, but no later than the end of the last active day. None: nothing is known."""
    return now if last_active is None else min(now, (_day(last_active) + 1) * DAY_SECONDS)


def missed_days(last_active: float, now: float) -> int:
    """Returns the days between the last active day and this one; negative if the clock was set back.

    The next day misses none. Setting the clock back gives back as many days as the same jump ahead missed, so that
    there and back changes nothing.
    """
    days = _day(now) - _day(last_active)
    return days - 1 if days > 0 else days + 1 if days < 0 else 0


def is_same_day(last_active: float, now: float) -> bool:
    return _day(last_active) == _day(now)


def _day(seconds: float) -> int:
    return math.floor(seconds / DAY_SECONDS)
