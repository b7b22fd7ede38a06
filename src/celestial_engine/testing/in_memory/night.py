"""What the nightly jobs read, on dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from celestial_engine.core.night.lifetime_rows import LIVING, LifetimeRow, lifetime_row_of
from celestial_engine.core.night.sleep import Census, CensusPlace
from celestial_engine.core.record.owner import Owner
from celestial_engine.testing.in_memory.transaction import Transaction


class DictNight:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def owners(self) -> list[Owner]:
        return sorted(
            {owner for owner, _ in self._tx.data.keys}
            | self._tx.data.settle_at.keys()
            | self._tx.data.last_active.keys()
        )

    def census(self, owner: Owner) -> Census:
        items = (row.item for row in self._tx.rows_of(owner))
        return Census.of(Counter(CensusPlace(item.state, item.zone, item.tier) for item in items).items())

    def population(self) -> dict[int, int]:
        return dict(Counter(row.item.zone for row in self._tx.data.rows.values() if row.item.state.in_orbit))

    def lifetime_rows(self, owner: Owner) -> Iterator[LifetimeRow]:
        return (lifetime_row_of(row.item, row.key) for row in self._tx.rows_of(owner) if row.item.state in LIVING)
