"""`memory.federation`: learn together with peers, without a text leaving this machine. See docs/federation.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from celestial_engine.bootstrap import check_peer_url, open_node_identity, open_transport
from celestial_engine.core.federation.messages import MESSAGE_BYTES, BadMessageError, Rejection
from celestial_engine.core.federation.parameters import rules_digest
from celestial_engine.core.federation.peers import Peer, PeerState
from celestial_engine.core.federation.records import GossipState
from celestial_engine.core.federation.shared import Shared, gain, weight_after
from celestial_engine.engine.parts import Area
from celestial_engine.errors import InvalidInputError, PeerNotFoundError, Reason
from celestial_engine.flow.base import gossip_messages
from celestial_engine.flow.base.candidate import read_peers, read_state
from celestial_engine.flow.base.gossip_node import Node
from celestial_engine.flow.federation import run_round, take_part
from celestial_engine.flow.federation.answer import answer

if TYPE_CHECKING:
    from celestial_engine.core.federation.settings import GossipConfig
    from celestial_engine.flow.federation.run_round import RoundResult
    from celestial_engine.ports import Transport

__all__ = ["BadMessageError", "FederationArea", "FederationStatus", "PeerStatus"]

_KEY = re.compile(r"[0-9a-f]{64}")
_MOST_PEERS = 64
_JOB = "gossip"
_LEASE_ROUNDS = 3


@dataclass(frozen=True)
class PeerStatus:
    """A peer, and what became of its messages."""

    key: str
    url: str
    state: PeerState
    share: float  # how much its policy counts: the probability that it decides like the owner
    accepted: int
    rejected: Mapping[str, int]  # by reason
    last_seen: float | None
    quarantined_until: float | None


@dataclass(frozen=True)
class FederationStatus:
    """Whether this memory learns together with others, and what that is worth.

    `epsilon` is None if something was sent without noise: then there is no bound. `gain` is the mean reward of what
    others learned above that of the own policy, in exams; None before there are any. `weight` is how much of what
    others learned counts now, `trust` how likely it is that one of the peers decides like the owner. `key` is empty
    before this memory takes part.
    """

    enabled: bool
    key: str
    rules: str
    peers: tuple[PeerStatus, ...]
    rounds: int
    last_round: float | None
    used_updates: int
    candidate_on: bool
    reranker_on: bool
    declined: str | None
    weight: float
    trust: float
    exams: int
    gain: float | None
    releases: int
    noise: bool
    epsilon: float | None
    delta: float
    epsilon_limit: float
    message_bytes: int
    rejected: Mapping[str, int]  # messages without a peer's signature, by reason


class FederationArea(Area):
    """Peers exchange parameters of the learned policy and reranker; never texts, vectors, words or ids."""

    def config(self) -> GossipConfig:
        """Returns how often and with how many peers it exchanges."""
        return self._parts.gossip()

    @cached_property
    def _node(self) -> Node:
        parts = self._parts
        if parts.lessons.settings.rich_state:
            raise InvalidInputError("learning", Reason.GOSSIP_RICH)
        identity = open_node_identity(parts.store.path, parts.owner)
        return Node(parts.store, parts.owner, identity, self.config(), parts.lessons.settings, parts.now)

    def key(self) -> str:
        """Returns the public key of this memory, which peers add."""
        return self._node.key

    def join(self) -> FederationStatus:
        """Takes part from now on, and gives what was switched off another chance."""
        take_part.join(self._node)
        return self.status()

    def pause(self) -> FederationStatus:
        """Sends and accepts nothing, and decides by the own policy alone; peers stay listed."""
        take_part.pause(self._node)
        return self.status()

    def leave(self) -> FederationStatus:
        """Deletes the peers and everything that came from them; the own policy is as if it had learned alone."""
        take_part.leave(self._node)
        return self.status()

    def add_peer(self, url: str, key: str) -> PeerStatus:
        """Adds a peer by its address and public key, or changes the address of a known one."""
        url, key = check_peer_url(url.strip()), key.strip().lower()
        if not _KEY.fullmatch(key):
            raise InvalidInputError("key", Reason.PEER_KEY)
        if key == self.key():
            raise InvalidInputError("key", Reason.PEER_IS_SELF)
        with self._parts.store.read() as session:
            known = session.gossip.peers(self._parts.owner)
        if len(known) >= _MOST_PEERS and key not in known:
            raise InvalidInputError("key", Reason.TOO_MANY_PEERS, most=_MOST_PEERS)
        return _peer_status(take_part.add_peer(self._node, url, key), self._parts.now())

    def remove_peer(self, key: str) -> None:
        """Deletes a peer; what it sent is in no later aggregate."""
        if not take_part.remove_peer(self._node, key.strip().lower()):
            raise PeerNotFoundError(key=key)

    def round(self, transport: Transport | None = None) -> RoundResult:
        """Exchanges parameters with random peers once, and makes a candidate of what came from them."""
        return run_round.run_round(self._node, transport or open_transport())

    def round_if_due(self, holder: str, transport: Transport | None = None) -> RoundResult | None:
        """Runs a round if none ran within the interval, in this process or another one on the same database."""
        every, jobs = self.config().gossip_interval, self._parts.store.jobs
        now, name = self._parts.now(), f"{_JOB} {self._parts.owner.user_id}/{self._parts.owner.agent_id}"
        if not self.enabled() or not jobs.claim(name, holder, now, every, _LEASE_ROUNDS * every):
            return None
        done_at = None
        try:
            result = self.round(transport)
            done_at = now
        finally:
            jobs.finish(name, holder, done_at)
        return result

    def enabled(self) -> bool:
        """Returns whether the owner takes part."""
        state = self._state()
        return state is not None and state.enabled

    def receive(self, raw: bytes) -> bytes:
        """Accepts the message of a peer and returns the answer to it; raises BadMessageError."""
        if not self.enabled():  # most owners: no key is needed to say so
            raise BadMessageError(Rejection.SWITCHED_OFF)
        return answer(self._node, raw)

    def count_refused(self, counts: Mapping[Rejection, int]) -> None:
        """Counts what the door has turned away before it was read; `status` shows it."""
        if counts and self.enabled():
            gossip_messages.count_refused(self._node, counts)

    def status(self) -> FederationStatus:
        """Returns the peers, what was accepted and rejected, the privacy spent, and the gain."""
        parts, config = self._parts, self.config()
        with parts.store.read() as session:
            state = read_state(session, parts.owner)
            peers = read_peers(session, parts.owner).values()
        # An owner who never took part has no key yet, and reading must not create one.
        key = self.key() if state is not None or peers else ""
        joined, state, now = state is not None, state or GossipState(), parts.now()
        shared = state.shared
        return FederationStatus(
            enabled=joined and state.enabled,
            key=key,
            rules=rules_digest(parts.lessons.settings).hex(),
            peers=tuple(_peer_status(peer, now, shared) for peer in peers),
            rounds=state.rounds,
            last_round=state.last_round,
            used_updates=0 if shared is None else shared.peers,
            candidate_on=shared is not None and shared.decides,
            reranker_on=shared is not None and shared.reranker_on,
            declined=state.declined,
            weight=weight_after(parts.lessons.lesson(parts.owner).learned.updates),
            trust=0.0 if shared is None else shared.trust,
            exams=0 if shared is None else len(shared.exams),
            gain=None if shared is None else gain(shared),
            releases=state.releases,
            noise=config.dp_enabled,
            epsilon=gossip_messages.privacy_spent(state, config.dp_delta),
            delta=config.dp_delta,
            epsilon_limit=config.dp_epsilon,
            message_bytes=MESSAGE_BYTES,
            rejected=dict(state.rejected),
        )

    def _state(self) -> GossipState | None:
        with self._parts.store.read() as session:
            return read_state(session, self._parts.owner)


def _peer_status(peer: Peer, now: float, shared: Shared | None = None) -> PeerStatus:
    share = 0.0 if shared is None else dict(shared.shares).get(peer.key, 0.0)
    return PeerStatus(
        peer.key, peer.url, peer.state(now), share, peer.accepted, dict(peer.rejected), peer.last_seen,
        peer.quarantined_until if peer.is_quarantined(now) else None,
    )  # fmt: skip
