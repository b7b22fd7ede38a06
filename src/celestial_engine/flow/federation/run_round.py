"""run a round: exchange messages with random peers, then aggregate what all of them have sent."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from celestial_engine.core.federation.aggregation import TooFewUpdatesError, aggregate, staleness_weight
from celestial_engine.core.federation.messages import BadMessageError, Rejection
from celestial_engine.core.federation.parameters import update_of
from celestial_engine.core.federation.peers import Peer, forgive, reject
from celestial_engine.core.federation.records import GossipState
from celestial_engine.core.federation.shared import Shared, combined, refreshed, worse_on_own_turns
from celestial_engine.core.federation.vectors import Vector, as_stored, clipped
from celestial_engine.flow.base.gossip_messages import Outgoing, read_message, write_message
from celestial_engine.flow.base.gossip_node import Node
from celestial_engine.flow.base.lesson import newest_lesson
from celestial_engine.ports import PeerUnreachableError, Transport, Writer

_COMPARED_TURNS = 100


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
        state, known = node.state(session), list(node.peers(session).values())
    if state is None or not state.enabled:
        return RoundResult(0, 0, declined=Rejection.SWITCHED_OFF.value)
    asked = random.sample(known, min(len(known), node.config.peers_a_round))
    outgoing = {peer.key: message for peer in asked if (message := write_message(node, peer.key)) is not None}
    rejected: dict[str, int] = {}
    accepted = 0
    for peer, raw in _exchanged(node, transport, asked, outgoing):
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
    return RoundResult(len(asked), accepted, rejected, used, state.declined)


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
        node.put_state(session, state)
        if _vector_of(state.shared) != _vector_of(before.shared):
            node.record(
                session, "aggregated", peers=0 if state.shared is None else state.shared.peers,
                declined=state.declined or "",
            )  # fmt: skip
    return state


def _candidate(node: Node, session: Writer, before: Shared | None, now: float) -> Shared:
    config = node.config
    peers = [peer for peer in node.peers(session).values() if any(peer.usable_update(now) or ())]
    updates = [clipped(peer.update or (), config.max_norm) for peer in peers]
    weights = [staleness_weight(now - peer.update_at, config.stale_half_life) for peer in peers]
    own = newest_lesson(session, node.owner, node.learning).learned
    own_update = clipped(update_of(own, node.learning), config.max_norm)
    result = aggregate(
        updates, weights, config.aggregation, config.tolerated_attackers, own_update if any(own_update) else None
    )
    _judge_peers(node, session, peers, result.used, result.outliers, now)
    after = refreshed(before, as_stored(result.vector), now, len(result.used))
    if before is not None and after.update == before.update:
        return replace(after, at=before.at)
    turns = session.lessons.replay(node.owner, [place / _COMPARED_TURNS for place in range(_COMPARED_TURNS)])
    distinct = list({turn.turn_id: turn for turn in turns}.values())
    fresh = replace(after, fits=True)
    return replace(fresh, fits=not worse_on_own_turns(own, combined(own, fresh), distinct))


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
        known = node.peer(session, peer.key)
        if known is not None:
            node.put_peer(session, reject(known, Rejection.UNREACHABLE, node.clock(), node.config))


def _vector_of(shared: Shared | None) -> Vector | None:
    return None if shared is None else shared.update
