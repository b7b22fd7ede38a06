"""What requests asked for: their keys, and how many memories of each category there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.core.record.item import Category
from celestial_engine.core.record.item_filter import FacetKind, ItemFilter
from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.rows import known

if TYPE_CHECKING:
    from celestial_engine.core.record.versions import UsedKey


class KeyReading(Transaction):
    def used_key(self, owner: Owner, key: str, since: float) -> UsedKey | None:
        from celestial_engine.core.record.versions import UsedKey

        row = self._db.execute(
            "SELECT digest, item_id FROM request_keys WHERE owner = ? AND key = ? AND at >= ?",
            (self._number(owner), key, since),
        ).fetchone()
        return None if row is None else UsedKey(*row)

    def category_counts(self, owner: Owner) -> dict[Category, int]:
        number = self._number(owner)
        counts = self._facets.counts(number, FacetKind.CATEGORY, self._facets.chosen(number, ItemFilter()))
        return {known(Category, category): count for category, count in counts.items()}


class KeysWritten(KeyReading):
    def use_key(self, owner: Owner, key: str, used: UsedKey, now: float, forget_before: float) -> None:
        self._db.execute("DELETE FROM request_keys WHERE at < ?", (forget_before,))
        self._db.execute(
            "INSERT OR REPLACE INTO request_keys (owner, key, digest, item_id, at) VALUES (?, ?, ?, ?, ?)",
            (self._number(owner), key, used.digest, used.item_id, now),
        )
