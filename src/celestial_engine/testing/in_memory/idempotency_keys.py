"""What requests asked for, on dictionaries."""

from __future__ import annotations

from collections import Counter

from celestial_engine.core.record.item import Category
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.versions import UsedKey
from celestial_engine.testing.in_memory.rows import DictRows


class DictKeys(DictRows):
    def used_key(self, owner: Owner, key: str, since: float) -> UsedKey | None:
        found = self._data.request_keys.get((owner, key))
        return found[0] if found is not None and found[1] >= since else None

    def use_key(self, owner: Owner, key: str, used: UsedKey, now: float, forget_before: float) -> None:
        kept = {name: noted for name, noted in self._data.request_keys.items() if noted[1] >= forget_before}
        self._data.request_keys = {**kept, (owner, key): (used, now)}

    def category_counts(self, owner: Owner) -> dict[Category, int]:
        categories = (row.item.category for row in self._orbiting(owner))
        return dict(Counter(category for category in categories if category is not None))

    def _forget_keys(self, owner: Owner, item_id: str) -> None:
        self._data.request_keys = {
            name: noted
            for name, noted in self._data.request_keys.items()
            if (name[0], noted[0].item_id) != (owner, item_id)
        }
