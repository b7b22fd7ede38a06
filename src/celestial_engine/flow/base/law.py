"""govern: one law for everybody on a store. Who says nothing obeys; who says otherwise changes it for all."""

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
from celestial_engine.ports import ItemStore


class LawOverrides:
    """What an opener says about the law. None is silence; of the time to forget `...` is, and None is never."""

    def __init__(
        self,
        config: MemoryFunctionConfig | None,
        zones: Iterable[ZoneConfig] | None,
        forget_days: float | EllipsisType | None,
    ) -> None:
        self._config = config
        self._zones = None if zones is None else tuple(zones)
        self._forget_days = forget_days
        if not isinstance(forget_days, EllipsisType):
            check_positive(auto_forget_days=forget_days)
        CelestialMemoryFunction(config, self._zones)  # a law that cannot work is refused before anything is opened

    def upon(self, law: Law) -> Law:
        """The law with what was given in place of what was."""
        function = CelestialMemoryFunction(self._config or law.function.config, self._zones or law.function.zones)
        days = self._forget_days
        if isinstance(days, EllipsisType):
            return Law(function, law.stale_after)
        return Law(function, None if days is None else timedelta(days=days))


def law_in_force(store: ItemStore, known: Law | None = None) -> Law | None:
    """The law the store's courses were made by; `known` is given back if it is that one."""
    with store.read() as session:
        text = session.orbits.law()
    if text is None or (known is not None and text == known.written):
        return known if text is not None else None
    return Law.read(text)


def adopt(store: ItemStore, law: Law, owner: Owner, now: float) -> None:
    """From now on this law: every memory in orbit is due for a new course."""
    text = law.written
    with store.read() as reader:
        if reader.orbits.law() == text:  # nearly always; then nobody has to wait for the write lock
            return
    with store.write(None) as session:
        before = session.orbits.law()
        if before == text:
            return
        session.orbits.adopt_law(text)
        if before is not None:
            session.ledger.record(Event(EventType.LAW_CHANGED, owner, now, None, {"law": text}))


class LawInForce:
    """The law of a store, followed: another process may change it."""

    def __init__(self, store: ItemStore, law: Law, owner: Owner, now: float) -> None:
        """Adopts `law` for everybody on this store, if another one is in force."""
        self._store = store
        self._law = law
        adopt(store, law, owner, now)

    def read(self) -> Law:
        """The law as the store has it now: one query, so ask once per call."""
        self._law = law_in_force(self._store, self._law) or self._law
        return self._law

    def adopt(self, law: Law, owner: Owner, now: float) -> None:
        self._law = law
        adopt(self._store, law, owner, now)
