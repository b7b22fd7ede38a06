"""The node of an owner who learns together with others, and its peers."""

from __future__ import annotations

from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite.items.transaction import Transaction


class SqliteGossip:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def state(self, owner: Owner) -> bytes | None:
        row = self._tx.db.execute("SELECT packed FROM gossip WHERE owner = ?", (self._tx.number(owner),)).fetchone()
        return None if row is None or not isinstance(row[0], bytes) else row[0]

    def peers(self, owner: Owner) -> dict[str, bytes]:
        rows = self._tx.db.execute(
            "SELECT key, packed FROM gossip_peers WHERE owner = ? ORDER BY key", (self._tx.number(owner),)
        )
        return {key: packed for key, packed in rows if isinstance(packed, bytes)}


class SqliteGossipWriter(SqliteGossip):
    """Reads and writes nodes and peers."""

    __slots__ = ()

    def put_state(self, owner: Owner, packed: bytes) -> None:
        self._tx.db.execute(
            "INSERT INTO gossip (owner, packed) VALUES (?, ?) "
            "ON CONFLICT (owner) DO UPDATE SET packed = excluded.packed",
            (self._tx.enrolled(owner), packed),
        )

    def drop_state(self, owner: Owner) -> None:
        self._tx.db.execute("DELETE FROM gossip WHERE owner = ?", (self._tx.writable(owner),))

    def put_peer(self, owner: Owner, key: str, packed: bytes) -> None:
        self._tx.db.execute(
            "INSERT INTO gossip_peers (owner, key, packed) VALUES (?, ?, ?) "
            "ON CONFLICT (owner, key) DO UPDATE SET packed = excluded.packed",
            (self._tx.enrolled(owner), key, packed),
        )

    def drop_peer(self, owner: Owner, key: str) -> None:
        self._tx.db.execute("DELETE FROM gossip_peers WHERE owner = ? AND key = ?", (self._tx.writable(owner), key))
