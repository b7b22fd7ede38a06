"""Learning together: the rows of a node, its signing key, and the way to its peers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.record.owner import Owner


class Gossip(Protocol):
    """Session group `gossip`: the state of one owner's node and its peers, as bytes that `core` packs and reads."""

    def state(self, owner: Owner) -> bytes | None:
        """The node of this owner; None if there is none."""
        ...

    def peers(self, owner: Owner) -> dict[str, bytes]:
        """The peers by their keys, in the order of the keys."""
        ...


class GossipWriter(Gossip, Protocol):
    """Reads and writes; reads see what this session wrote."""

    def put_state(self, owner: Owner, packed: bytes) -> None:
        """Inserts or replaces the owner's node."""
        ...

    def drop_state(self, owner: Owner) -> None:
        """Deletes the owner's node; nothing happens if there is none."""
        ...

    def put_peer(self, owner: Owner, key: str, packed: bytes) -> None:
        """Inserts or replaces the peer with this key."""
        ...

    def drop_peer(self, owner: Owner, key: str) -> None:
        """Deletes the peer with this key; nothing happens if there is none."""
        ...


class Identity(Protocol):
    """The key pair of this node."""

    @property
    def key(self) -> bytes:
        """The public key."""
        ...

    def sign(self, message: bytes) -> bytes: ...
    def verify(self, key: bytes, signature: bytes, message: bytes) -> bool:
        """Whether the owner of this public key signed exactly this message."""
        ...


class PeerUnreachableError(Exception):
    """A peer did not answer in time, or not with a message."""


class Transport(Protocol):
    """The way to a peer."""

    def exchange(self, url: str, message: bytes, timeout: float) -> bytes:
        """Sends a message and returns the answer; raises PeerUnreachableError."""
        ...
