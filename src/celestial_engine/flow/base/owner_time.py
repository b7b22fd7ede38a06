"""owner_time: how far the clocks of an owner's memories have run. Every departure by time is decided with it."""

from __future__ import annotations

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.owner_time import TimeCounting, counted_until
from celestial_engine.ports import Reader


def owner_time(session: Reader, law: Law, owner: Owner, now: float) -> float:
    """Return the time up to which days count for this owner; by the calendar it is now."""
    if law.time is TimeCounting.CALENDAR:
        return now
    return counted_until(session.presence.last_active(owner), now)
