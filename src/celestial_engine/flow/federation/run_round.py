"""run a round: exchange messages with random peers, then aggregate what all of them have sent."""

from __future__ import annotations

import random
from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from hashlib import sha256

from celestial_engine.core.federation.aggregation import TooFewUpdatesError, aggregate, staleness_weight
from celestial_engine.core.federation.likeness import candidate_from
from celestial_engine.core.federation.messages import BadMessageError, Rejection
from celestial_engine.core.federation.parameters import update_of
from celestial_engine.core.federation.peers import Peer, forgive, reject
from celestial_engine.core.federation.records import GossipState
from celestial_engine.core.federation.settings import Aggregation, GossipConfig
from celestial_engine.core.federation.shared import Shared, refreshed
from celestial_engine.core.federation.vectors import Vector, clipped
from celestial_engine.flow.base.gossip_messages import Outgoing, read_message, write_message
from celestial_engine.flow.base.gossip_node import Node
from celestial_engine.flow.base.lesson import newest_lesson
from celestial_engine.ports import PeerUnreachableError, Transport, Writer

_TURNS_READ = 500  # of which about a quarter can be compared
_LESSONS_A_COMPARISON = 10


@dataclass(frozen=True)
class RoundResult:
    """What a round brought. `declined` says why there is no candidate, or why it does not decide."""

    peers: int  # that were asked
    accepted: int
    rejected: dict[str, int] = field(default_factory=dict)  # by reason
    used: int = 0  # updates in the aggregate
    declined: str | None = None


def run_round(node: Node, transport: Transport) -> RoundResult:
    """Exchange parameters with some random peers. A peer that does not answer only costs its own time."""
    with node.store.read() as session:
        state, peers = node.state(session), list(node.peers(session).values())
    if state is None or not state.enabled:
        return RoundResult(0, 0, declined=Rejection.SWITCHED_OFF.value)
    chosen = random.sample(peers, min(len(peers), node.config.peers_a_round))
    outgoing = {peer.key: message for peer in chosen if (message := write_message(node, peer.key)) is not None}
    rejected: dict[str, int] = {}
    accepted = 0
    for peer, raw in _exchanged(node, transport, chosen, outgoing):
        try:
            if raw is None:
                _note_unreachable(node, peer)
                raise BadMessageError(Rejection.UNREACHABLE)
            read_message(node, raw, outgoing[peer.key].nonce)
            accepted += 1
        except BadMessageError as error:  # noqa: PERF203 - one bad peer must not end the round
            rejected[error.rejection.value] = rejected.get(error.rejection.value, 0) + 1
    state = aggregate_updates(node)
    used = 0 if state.shared is None else state.shared.peers
    return RoundResult(len(chosen), accepted, rejected, used, state.declined)


def aggregate_updates(node: Node) -> GossipState:
    """Make the candidate from the peers' newest updates, and compare it with the own policy on the own turns."""
    with node.store.write(node.owner, durable=False) as session:
        before = node.state(session) or GossipState()
        now = node.clock()
        state = replace(before, rounds=before.rounds + 1, last_round=now, declined=None)
        try:
            state = replace(state, shared=_candidate(node, session, state.shared, now))
        except TooFewUpdatesError as error:
            # Without enough others nobody can tell an attacker from the rest.
            state = replace(state, shared=None, declined=f"too_few {error.got}/{error.needed}")
        if state.shared is not None and not state.shared.fits:
            state = replace(state, declined="worse_on_own_turns")
        elif state.shared is not None and not state.shared.on:
            state = replace(state, declined="worse_in_exams")
        elif state.shared is not None and state.shared.trust == 0.0:
            state = replace(state, declined="too_few_turns")
        node.put_state(session, state)
        if _vector_of(state.shared) != _vector_of(before.shared):
            node.record(
                session, "aggregated", peers=0 if state.shared is None else state.shared.peers,
                declined=state.declined or "",
            )  # fmt: skip
    return state


def _candidate(node: Node, session: Writer, before: Shared | None, now: float) -> Shared:
    """Return the candidate; the one before if nothing that it was made of has changed."""
    config = node.config
    own = newest_lesson(session, node.owner, node.learning).learned
    peers = [peer for peer in node.peers(session).values() if any(peer.usable_update(now) or ())]
    weights = [_weight(now - peer.update_at, config) for peer in peers]
    inputs = _digest(peers, weights, own.updates // _LESSONS_A_COMPARISON, config)
    if before is not None and before.inputs == inputs:
        return before
    updates = [clipped(peer.update or (), config.max_norm) for peer in peers]
    own_update = clipped(update_of(own, node.learning), config.max_norm)
    result = aggregate(
        updates, weights, config.aggregation, config.tolerated_attackers, own_update if any(own_update) else None
    )
    _judge_peers(node, session, peers, result.used, result.outliers, now)
    if config.aggregation is Aggregation.MEDIAN:  # the result is no peer's update, so no peer has a share
        used, by_age = {"": result.vector}, {"": 1.0}
    else:
        used = {peers[place].key: updates[place] for place in result.used}
        by_age = {peers[place].key: weights[place] for place in result.used}
    replayed = session.lessons.replay(node.owner, [place / _TURNS_READ for place in range(_TURNS_READ)])
    turns = list({turn.turn_id: turn for turn in replayed}.values())
    fresh = candidate_from(used, by_age, own, turns, now, node.learning)
    return refreshed(before, replace(fresh, peers=len(result.used), inputs=inputs))


def _weight(age: float, config: GossipConfig) -> float:
    """Return the weight in steps, so that the candidate of silent peers is not made again in every round."""
    step = config.stale_half_life / 10.0
    return staleness_weight(step * (max(0.0, age) // step), config.stale_half_life)


def _digest(peers: list[Peer], weights: list[float], lessons: int, config: GossipConfig) -> str:
    digest = sha256(repr((lessons, weights, config.aggregation.value, config.tolerated_attackers)).encode())
    for peer in peers:
        digest.update(peer.key.encode() + array("f", peer.update or ()).tobytes())
    return digest.hexdigest()


def _judge_peers(
    node: Node, session: Writer, peers: list[Peer], used: tuple[int, ...], outliers: tuple[int, ...], now: float
) -> None:
    """Count what lies far from the others, once an update; whose update was used starts again at zero."""
    for place, peer in enumerate(peers):
        if place in outliers and not peer.judged:
            node.put_peer(session, replace(reject(peer, Rejection.OUTLIER, now, node.config), judged=True))
        elif place in used and place not in outliers and peer.strikes:
            node.put_peer(session, forgive(peer))


def _exchanged(
    node: Node, transport: Transport, peers: list[Peer], outgoing: dict[str, Outgoing]
) -> list[tuple[Peer, bytes | None]]:
    """Send all messages at once: one slow peer does not delay the others."""

    def exchange(peer: Peer) -> tuple[Peer, bytes | None]:
        try:
            return peer, transport.exchange(peer.url, outgoing[peer.key].raw, node.config.request_timeout)
        except PeerUnreachableError:
            return peer, None

    reached = [peer for peer in peers if peer.key in outgoing]
    if not reached:
        return []
    with ThreadPoolExecutor(max_workers=len(reached), thread_name_prefix="gossip") as pool:
        return list(pool.map(exchange, reached))


def _note_unreachable(node: Node, peer: Peer) -> None:
    with node.store.write(node.owner, durable=False) as session:
        stored = node.peer(session, peer.key)
        if stored is not None:
            node.put_peer(session, reject(stored, Rejection.UNREACHABLE, node.clock(), node.config))


def _vector_of(shared: Shared | None) -> Vector | None:
    return None if shared is None else shared.update
