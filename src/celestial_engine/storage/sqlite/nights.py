"""Who there is, and how many of each kind."""

from __future__ import annotations

from celestial_engine.core.forgetting import State
from celestial_engine.core.lifetimes import Tier
from celestial_engine.core.owner import Owner
from celestial_engine.core.sleep import Census, Place
from celestial_engine.storage.sqlite.rows import known
from celestial_engine.storage.sqlite.transaction import IN_ORBIT, Transaction


class NightReading(Transaction):
    """Asked before and after a night."""

    def owners(self) -> list[Owner]:
        rows = self._db.execute("SELECT user_id, agent_id FROM owners ORDER BY owner")
        return [Owner(*row) for row in rows]

    def census(self, owner: Owner) -> Census:
        rows = self._db.execute(
            "SELECT state, zone, tier, count(*) FROM items WHERE owner = ? GROUP BY state, zone, tier",
            (self._number(owner),),
        )
        return Census.of((Place(known(State, state), zone, known(Tier, tier)), n) for state, zone, tier, n in rows)

    def population(self) -> dict[int, int]:
        # By owner first: so it is counted along the index of the orbits, without a look at any row.
        rows = self._db.execute(
            "SELECT zone, sum(memories) FROM "
            f"(SELECT zone, count(*) AS memories FROM items WHERE {IN_ORBIT} GROUP BY owner, zone) GROUP BY zone"
        )
        return dict(rows.fetchall())
