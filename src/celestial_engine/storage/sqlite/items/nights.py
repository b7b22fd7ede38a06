"""Who there is, and how many of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item_filter import FacetKind, ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.rows import known
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT

if TYPE_CHECKING:
    from celestial_engine.core.night.sleep import Census


class NightReading(Transaction):
    """Asked before and after a night."""

    def owners(self) -> list[Owner]:
        rows = self._db.execute("SELECT user_id, agent_id FROM owners ORDER BY owner")
        return [Owner(*row) for row in rows]

    def census(self, owner: Owner) -> Census:
        from celestial_engine.core.night.sleep import Census

        number, count = self._number(owner), self._facets.counts
        orbit = self._facets.chosen(number, ItemFilter())
        return Census(
            {known(State, state): n for state, n in count(number, FacetKind.STATE).items()},
            {int(zone): n for zone, n in count(number, FacetKind.ZONE, orbit).items()},
            {known(Tier, tier): n for tier, n in count(number, FacetKind.TIER, orbit).items()},
        )

    def population(self) -> dict[int, int]:
        # By owner first: so it is counted along the index of the orbits, without a look at any row.
        rows = self._db.execute(
            "SELECT zone, sum(memories) FROM "
            f"(SELECT zone, count(*) AS memories FROM items WHERE {IN_ORBIT} GROUP BY owner, zone) GROUP BY zone"
        )
        return dict(rows.fetchall())
