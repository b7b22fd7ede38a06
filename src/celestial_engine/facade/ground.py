"""What every operation stands on: the store, the sky, the owner and the clock of one engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from celestial_engine.core.checks import check_time
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.owner import Owner
from celestial_engine.ports import Clock, ItemStore
from celestial_engine.zone_manager import ZoneManager


class Ground:
    """Set by the engine when it opens."""

    _store: ItemStore
    _zones: ZoneManager
    _owner: Owner
    _clock: Clock

    @property
    def path(self) -> str:
        return self._store.path

    def _now(self) -> float:
        return check_time(self._clock())

    def _scored(self, items: Iterable[CelestialItem]) -> Sequence[CelestialItem]:
        function, now = self._zones.sky.function, self._now()
        return [replace(item, total_score=function.score(item, now)) for item in items]
