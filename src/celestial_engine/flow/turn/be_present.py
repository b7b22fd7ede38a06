"""be_present: note that the owner is active today. After an absence all clocks of their memories are set forward."""

from __future__ import annotations

import logging
from collections.abc import Callable

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.owner_time import DAY_SECONDS, TimeCounting, is_same_day, missed_days
from celestial_engine.ports import ItemStore, Writer

logger = logging.getLogger(__name__)

_LIKELY_A_WRONG_CLOCK = 365  # days: who was really away so long also wants to know


def be_present(
    store: ItemStore, law: Callable[[], Law], owner: Owner, now: float, *, new_owner: bool = False
) -> None:
    """Note the owner's activity; writes once a day. An owner without memories is noted only with `new_owner`."""
    with store.read() as reader:
        last = reader.presence.last_active(owner)
    if last is None and not new_owner:
        return
    if last is not None and is_same_day(last, now):
        return
    in_force = law()
    with store.write(owner) as session:
        last = session.presence.last_active(owner)  # another process may have noted it meanwhile
        if last is not None:
            _count_missed_days(session, in_force, owner, last, now)
        session.presence.set_active(owner, now)


def _count_missed_days(session: Writer, law: Law, owner: Owner, last: float, now: float) -> None:
    missed = 0 if law.time is TimeCounting.CALENDAR else missed_days(last, now)
    if not missed:
        if session.presence.is_waited_for(owner):  # a rebalance of this day came before the owner
            session.presence.shift_clocks(owner, 0.0, now, law.stale_seconds)
        return
    session.presence.shift_clocks(owner, missed * DAY_SECONDS, now, law.stale_seconds)
    detail = {"days": missed, "last_active": last}
    session.ledger.record(Event(EventType.ABSENCE, owner, now, None, detail))
    if missed < 0 or missed >= _LIKELY_A_WRONG_CLOCK:
        notice = "clock_set_back" if missed < 0 else "long_absence"
        session.ledger.record(Event(EventType.NOTICED, owner, now, None, {"notice": notice, "days": abs(missed)}))
        logger.warning(
            "the clock %s by %d days since %s was last active: no memory ages by it",
            "was set back" if missed < 0 else "went ahead", abs(missed), owner,
        )  # fmt: skip
