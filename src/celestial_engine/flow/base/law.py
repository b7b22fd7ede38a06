"""law: one law (memory function, zones, time to forget) applies to everyone who opens a store.

If you do not pass a setting, the stored value applies; a value that you pass replaces it for everyone.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from types import EllipsisType

from celestial_engine.core.checks import check_positive
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction, MemoryFunctionConfig
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.owner_time import TimeCounting
from celestial_engine.ports import ItemStore


class LawOverrides:
    """The law settings passed when opening a store.

    None keeps the stored value. For `forget_days`, `...` keeps it and None means never.
    """

    def __init__(
        self,
        config: MemoryFunctionConfig | None,
        zones: Iterable[ZoneConfig] | None,
        forget_days: float | EllipsisType | None,
        time: TimeCounting | None = None,
    ) -> None:
        self._config = config
        self._zones = None if zones is None else tuple(zones)
        self._forget_days = forget_days
        self._time = time
        if not isinstance(forget_days, EllipsisType):
            check_positive(auto_forget_days=forget_days)
        CelestialMemoryFunction(config, self._zones)  # reject an invalid law before anything is opened

    def applied_to(self, law: Law) -> Law:
        """Return the law with these overrides applied."""
        function = CelestialMemoryFunction(self._config or law.function.config, self._zones or law.function.zones)
        days, time = self._forget_days, self._time or law.time
        if isinstance(days, EllipsisType):
            return Law(function, law.stale_after, time)
        return Law(function, None if days is None else timedelta(days=days), time)


def law_in_force(store: ItemStore, cached: Law | None = None) -> Law | None:
    """Return the law that the stored courses were computed with; returns `cached` itself if it still applies."""
    with store.read() as session:
        text = session.orbits.law()
    if text is None or (cached is not None and text == cached.written):
        return cached if text is not None else None
    return Law.read(text)


def adopt(store: ItemStore, law: Law, owner: Owner, now: float) -> None:
    """Store this law and mark every memory in orbit as due for a new course."""
    text = law.written
    with store.read() as reader:
        if reader.orbits.law() == text:  # almost always; avoids waiting for the write lock
            return
    with store.write_whole_store() as session:
        before = session.orbits.law()
        if before == text:
            return
        session.orbits.adopt_law(text)
        if before is not None:
            session.ledger.record(Event(EventType.LAW_CHANGED, owner, now, None, {"law": text}))


class LawInForce:
    """The law of a store, re-read because another process may change it."""

    def __init__(self, store: ItemStore, law: Law, owner: Owner, now: float) -> None:
        """Adopt `law` for everyone who uses this store, unless it is in force already."""
        self._store = store
        self._law = law
        adopt(store, law, owner, now)

    def read(self) -> Law:
        """Read the current law from the store. This is one query, so call it once per operation."""
        self._law = law_in_force(self._store, self._law) or self._law
        return self._law

    def adopt(self, law: Law, owner: Owner, now: float) -> None:
        self._law = law
        adopt(self._store, law, owner, now)
