"""Nodes and their peers, on dictionaries."""

from __future__ import annotations

from celestial_engine.core.record.owner import Owner
from celestial_engine.testing.in_memory.transaction import Transaction


class DictGossip:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def state(self, owner: Owner) -> bytes | None:
        return self._tx.data.gossip.get(owner)

    def peers(self, owner: Owner) -> dict[str, bytes]:
        rows = sorted(self._tx.data.gossip_peers.items(), key=lambda row: row[0][1])
        return {key: packed for (peer_owner, key), packed in rows if peer_owner == owner}

    def put_state(self, owner: Owner, packed: bytes) -> None:
        self._tx.check_writes(owner)
        self._tx.data.gossip[owner] = packed

    def drop_state(self, owner: Owner) -> None:
        self._tx.check_writes(owner)
        self._tx.data.gossip.pop(owner, None)

    def put_peer(self, owner: Owner, key: str, packed: bytes) -> None:
        self._tx.check_writes(owner)
        self._tx.data.gossip_peers[owner, key] = packed

    def drop_peer(self, owner: Owner, key: str) -> None:
        self._tx.check_writes(owner)
        self._tx.data.gossip_peers.pop((owner, key), None)
