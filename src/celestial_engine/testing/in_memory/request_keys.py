"""Idempotency keys on a dictionary."""

from __future__ import annotations

from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.versions import UsedKey
from celestial_engine.testing.in_memory.transaction import Transaction


class DictRequestKeys:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def get(self, owner: Owner, key: str, since: float) -> UsedKey | None:
        entry = self._tx.data.request_keys.get((owner, key))
        return entry[0] if entry is not None and entry[1] >= since else None

    def put(self, owner: Owner, key: str, used: UsedKey, now: float, forget_before: float) -> None:
        self._tx.check_writes(owner)
        kept = {name: entry for name, entry in self._tx.data.request_keys.items() if entry[1] >= forget_before}
        self._tx.data.request_keys = {**kept, (owner, key): (used, now)}

    def forget_item(self, owner: Owner, item_id: str) -> None:
        self._tx.data.request_keys = {
            name: entry
            for name, entry in self._tx.data.request_keys.items()
            if (name[0], entry[0].item_id) != (owner, item_id)
        }
