"""What sleep asks, on dictionaries."""

from __future__ import annotations

from collections import Counter

from celestial_engine.core.night.sleep import Census, CensusPlace
from celestial_engine.core.record.owner import Owner
from celestial_engine.testing.in_memory.rows import DictRows


class DictNights(DictRows):
    """Asked before and after a night."""

    def owners(self) -> list[Owner]:
        return sorted({owner for owner, _ in self._data.keys} | self._data.settle_at.keys())

    def census(self, owner: Owner) -> Census:
        items = (row.item for row in self._of(owner))
        return Census.of(Counter(CensusPlace(item.state, item.zone, item.tier) for item in items).items())

    def population(self) -> dict[int, int]:
        return dict(Counter(row.item.zone for row in self._data.rows.values() if row.item.state.in_orbit))
