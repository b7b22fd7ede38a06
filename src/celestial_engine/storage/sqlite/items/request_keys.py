"""Idempotency keys and the requests they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction

if TYPE_CHECKING:
    from celestial_engine.core.record.versions import UsedKey

PUT = (
    "INSERT INTO request_keys (owner, key, digest, item_id, at) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (owner, key) DO UPDATE SET digest = excluded.digest, item_id = excluded.item_id, "
    "at = excluded.at"
)


class SqliteRequestKeys:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def get(self, owner: Owner, key: str, since: float) -> UsedKey | None:
        from celestial_engine.core.record.versions import UsedKey

        row = self._tx.db.execute(
            "SELECT digest, item_id FROM request_keys WHERE owner = ? AND key = ? AND at >= ?",
            (self._tx.number(owner), key, since),
        ).fetchone()
        return None if row is None else UsedKey(*row)


class SqliteRequestKeyWriter(SqliteRequestKeys):
    """Reads and writes keys. Triggers delete those of purged memories."""

    __slots__ = ()

    def put(self, owner: Owner, key: str, used: UsedKey, now: float, forget_before: float) -> None:
        number = self._tx.writable(owner)
        self._tx.db.execute("DELETE FROM request_keys WHERE at < ?", (forget_before,))
        self._tx.db.execute(
            PUT,
            (number, key, used.digest, used.item_id, now),
        )
