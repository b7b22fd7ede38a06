"""When owners were last active, and the clocks of their memories, on dictionaries."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from celestial_engine.core.record.forgetting import stale_moment
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.testing.in_memory.transaction import Row, Transaction


class DictPresence:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def last_active(self, owner: Owner) -> float | None:
        return self._tx.data.last_active.get(owner)

    def is_waited_for(self, owner: Owner) -> bool:
        return owner in self._tx.data.waited_for

    def set_active(self, owner: Owner, at: float) -> None:
        self._tx.check_writes(owner)
        self._tx.data.last_active[owner] = at
        self._tx.data.waited_for.pop(owner, None)

    def wait_for(self, owner: Owner) -> None:
        self._tx.check_writes(owner)
        if owner in self._tx.data.last_active:
            self._tx.data.waited_for[owner] = True

    def shift_clocks(self, owner: Owner, seconds: float, now: float, stale_after: float | None) -> None:
        self._tx.check_writes(owner)
        for row in self._tx.rows_of(owner):
            item = _shifted(row.item, seconds, now) if seconds else row.item
            moment = _next_moment(item, row.course.next_moment, stale_after)
            if seconds < 0 and item.last_recalled_at > now:
                item = replace(item, last_recalled_at=now)
                moment = None if moment is None else now
            self._tx.data.rows[row.key] = Row(row.key, item, row.course._replace(next_moment=moment))


def _shifted(item: CelestialItem, seconds: float, now: float) -> CelestialItem:
    def end(moment: float) -> float:
        return moment + seconds if seconds > 0 or moment + seconds > now else moment

    def start(moment: float) -> float:
        return moment + seconds if seconds > 0 else max(moment + seconds, min(item.created_at, now))

    departure = item.departure
    return replace(
        item,
        expires_at=None if item.expires_at is None else end(item.expires_at),
        departure=None if departure is None else replace(departure, purge_at=end(departure.purge_at)),
        state_since=None if item.state_since is None else start(item.state_since),
        idle_since=start(item.idle_from),
    )


def _next_moment(item: CelestialItem, moment: float | None, stale_after: float | None) -> float | None:
    if item.departure is not None:
        return item.departure.purge_at
    limit = None if stale_after is None else timedelta(seconds=stale_after)
    stale = stale_moment(item.tier, item.protection, item.idle_from, limit) if item.state.in_orbit else None
    return moment if stale is None else stale if moment is None else min(moment, stale)
