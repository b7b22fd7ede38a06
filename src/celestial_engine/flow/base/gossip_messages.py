"""Write messages to peers, and read theirs. A message that is refused changes nothing but a count."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from celestial_engine.core.federation.messages import (
    NO_NONCE,
    NONCE_BYTES,
    BadMessageError,
    Message,
    Rejection,
    check_moment,
    decode,
    encode,
    next_round,
)
from celestial_engine.core.federation.parameters import WEIGHTS, rules_digest, update_of
from celestial_engine.core.federation.peers import accept, reject
from celestial_engine.core.federation.privacy import epsilon
from celestial_engine.core.federation.records import GossipState
from celestial_engine.core.federation.vectors import clipped, noised
from celestial_engine.core.learning.learned_policy import Learned
from celestial_engine.flow.base.gossip_node import Node
from celestial_engine.flow.base.lesson import newest_lesson
from celestial_engine.ports import Writer

_NOTHING = (0.0,) * WEIGHTS


@dataclass(frozen=True)
class Outgoing:
    """A signed message, and the nonce that its answer must name."""

    raw: bytes
    nonce: bytes


def write_message(node: Node, key: str, reply_to: bytes = NO_NONCE) -> Outgoing | None:
    """Return a message to a peer; None if this node takes no part, or does not know the peer."""
    with node.store.write(node.owner, durable=False) as session:
        state, peer = node.state(session), node.peer(session, key)
        if state is None or not state.enabled or peer is None:
            return None
        state = _with_release(node, session, state)
        now, nonce = node.clock(), secrets.token_bytes(NONCE_BYTES)
        number = next_round(peer.sent_round, now)
        node.put_peer(session, replace(peer, sent_round=number))
    message = Message(
        node.identity.key, bytes.fromhex(key), rules_digest(node.learning), nonce, number, now,
        now + node.config.message_lifetime, state.release or _NOTHING, reply_to,
    )  # fmt: skip
    return Outgoing(encode(message, node.identity.sign), nonce)


def read_message(node: Node, raw: bytes, reply_to: bytes = NO_NONCE) -> Message:
    """Accept a peer's message and keep its update; raises BadMessageError.

    `reply_to` is the nonce that an answer must name. Refusals are counted: for the peer if its signature proves that
    it sent this, else for the node.
    """
    try:
        return _accepted(node, raw, reply_to)
    except BadMessageError as error:
        _count(node, error)
        raise


def privacy_spent(state: GossipState, delta: float) -> float | None:
    """Return the epsilon of everything that was sent; None if some of it was sent without noise."""
    if state.releases > state.noisy_releases:
        return None
    return epsilon(state.noise, state.noisy_releases, delta)


def _accepted(node: Node, raw: bytes, reply_to: bytes) -> Message:
    with node.store.read() as session:
        state, peers = node.state(session), session.gossip.peers(node.owner)
    if state is None or not state.enabled:
        raise BadMessageError(Rejection.SWITCHED_OFF)
    message = decode(raw, node.identity.verify, lambda key: key.hex() in peers, node.identity.key)
    if message.reply_to != reply_to:
        raise BadMessageError(Rejection.REPLAYED, message.sender)
    same_rules = message.rules == rules_digest(node.learning) or not node.config.rule_hash_verify
    key, now = message.sender.hex(), node.clock()
    with node.store.write(node.owner, durable=False) as session:
        peer = node.peer(session, key)
        if peer is None:
            raise BadMessageError(Rejection.UNKNOWN_PEER)
        # In the transaction, so that of two copies that arrive at once only one is new.
        check_moment(message, peer.seen_round, now, node.config.message_lifetime)
        node.put_peer(session, accept(peer, message, now, node.config, same_rules=same_rules))
    if not same_rules:
        raise BadMessageError(Rejection.RULES)
    if peer.is_quarantined(now):
        raise BadMessageError(Rejection.QUARANTINED)
    return message


def _count(node: Node, error: BadMessageError) -> None:
    if error.rejection in (Rejection.RULES, Rejection.QUARANTINED):
        return  # counted with the message
    with node.store.write(node.owner, durable=False) as session:
        peer = None if error.sender is None else node.peer(session, error.sender.hex())
        if peer is not None:
            node.put_peer(session, reject(peer, error.rejection, node.clock(), node.config))
            return
        _count_strangers(node, session, {error.rejection: 1})


def count_refused(node: Node, counts: Mapping[Rejection, int]) -> None:
    """Count what was turned away before it was read; nobody is blamed."""
    with node.store.write(node.owner, durable=False) as session:
        _count_strangers(node, session, counts)


def _count_strangers(node: Node, session: Writer, counts: Mapping[Rejection, int]) -> None:
    state = node.state(session)
    if state is not None:
        totals = Counter(state.rejected) + Counter({reason.value: count for reason, count in counts.items()})
        node.put_state(session, replace(state, rejected=dict(totals)))


def _with_release(node: Node, session: Writer, state: GossipState) -> GossipState:
    """Make a new release if enough was learned since the last one; in between the same vector is sent.

    So privacy is spent by lessons, not by rounds: to send the same bytes again tells nothing new.
    """
    learned, config = newest_lesson(session, node.owner, node.learning).learned, node.config
    lessons = learned.updates + learned.reranker_updates
    due = lessons - max(0, state.release_lessons) >= config.updates_a_release or lessons < state.release_lessons
    if not due:
        return state
    noise = config.dp_noise if config.dp_enabled else 0.0
    if config.dp_enabled:
        least = min(noise, state.noise) if state.noisy_releases else noise
        if epsilon(least, state.noisy_releases + 1, config.dp_delta) > config.dp_epsilon:
            return state  # the budget is spent: listen, and send nothing new
    release = noised(clipped(_own_update(node, learned), config.max_norm), noise * config.max_norm, node.chance())
    after = replace(
        state, releases=state.releases + 1, release=release, release_lessons=lessons,
        noisy_releases=state.noisy_releases + config.dp_enabled,
        noise=state.noise if not config.dp_enabled else min(noise, state.noise) if state.noise else noise,
    )  # fmt: skip
    node.put_state(session, after)
    return after


def _own_update(node: Node, learned: Learned) -> tuple[float, ...]:
    return update_of(learned, node.learning)
