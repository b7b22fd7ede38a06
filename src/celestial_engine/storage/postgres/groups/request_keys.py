"""Idempotency keys and the requests they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.request_keys import PUT, SqliteRequestKeys

if TYPE_CHECKING:
    from celestial_engine.core.record.versions import UsedKey


class PostgresRequestKeyWriter(SqliteRequestKeys):
    """Reads and writes keys."""

    __slots__ = ()

    def put(self, owner: Owner, key: str, used: UsedKey, now: float, forget_before: float) -> None:
        number = self._tx.writable(owner)
        # Only this owner's: others may be writing theirs.
        self._tx.db.execute("DELETE FROM request_keys WHERE owner = ? AND at < ?", (number, forget_before))
        self._tx.db.execute(PUT, (number, key, used.digest, used.item_id, now))
