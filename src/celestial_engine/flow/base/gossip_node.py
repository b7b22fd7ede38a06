"""A node: what the stages of learning together work with."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from celestial_engine.core.federation.peers import Peer
from celestial_engine.core.federation.records import GossipState, packed_peer, packed_state, unpacked_peer
from celestial_engine.core.federation.settings import GossipConfig
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.candidate import read_peers, read_state
from celestial_engine.ports import Clock, Identity, ItemStore, Reader, Writer


def secure_uniforms() -> Iterator[float]:
    """Yield numbers from 0 to below 1 from the operating system: noise that can be guessed protects nothing."""
    while True:
        yield secrets.randbits(53) / (1 << 53)


@dataclass(frozen=True)
class Node:
    """One owner's node. `chance` is for noise; nonces always come from the operating system."""

    store: ItemStore
    owner: Owner
    identity: Identity
    config: GossipConfig
    learning: LearningSettings
    clock: Clock
    chance: Callable[[], Iterator[float]] = field(default=secure_uniforms)

    @property
    def key(self) -> str:
        return self.identity.key.hex()

    def state(self, session: Reader) -> GossipState | None:
        return read_state(session, self.owner)

    def put_state(self, session: Writer, state: GossipState) -> None:
        session.gossip.put_state(self.owner, packed_state(state))

    def peers(self, session: Reader) -> dict[str, Peer]:
        return read_peers(session, self.owner)

    def peer(self, session: Reader, key: str) -> Peer | None:
        """Return one peer without reading the updates of the others."""
        raw = session.gossip.peers(self.owner).get(key)
        return None if raw is None else unpacked_peer(raw)

    def put_peer(self, session: Writer, peer: Peer) -> None:
        session.gossip.put_peer(self.owner, peer.key, packed_peer(peer))

    def record(self, session: Writer, action: str, **detail: object) -> None:
        session.ledger.record(
            Event(EventType.GOSSIPED, self.owner, self.clock(), None, {"action": action, **detail})
        )  # fmt: skip
