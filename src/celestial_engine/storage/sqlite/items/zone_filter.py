"""Keep the filter index in step with the zones of records."""

from __future__ import annotations

from collections.abc import Mapping

from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, Transaction


def update_zone_index(transaction: Transaction, owner: int, zones: Mapping[int, int]) -> None:
    """Updates the index with the new zone of each key. Call it before the rows change."""
    keys = list(zones)
    for start in range(0, len(keys), SQL_VARIABLES):
        condition, values = transaction.with_keys(owner, keys[start : start + SQL_VARIABLES])
        # The plus sign keeps SQLite from scanning all rows of the owner.
        rows = transaction.db.execute(
            f"SELECT seq, zone FROM items WHERE {condition} AND +owner = ?", (*values, owner)
        )
        transaction.facets.moved((seq, zone, zones[seq]) for seq, zone in rows.fetchall() if zone != zones[seq])
