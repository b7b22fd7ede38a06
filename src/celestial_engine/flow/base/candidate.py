"""Read what others learned, and credit it with the rewards of the owner's turns."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.federation.peers import Peer
from celestial_engine.core.federation.records import GossipState, packed_state, unpacked_peer, unpacked_state
from celestial_engine.core.federation.shared import Shared, examined
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.learned_policy import Learned
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import Reader, Writer


def read_state(session: Reader, owner: Owner) -> GossipState | None:
    """Return the owner's node; None if there is none, or its row is damaged."""
    raw = session.gossip.state(owner)
    return None if raw is None else unpacked_state(raw)


def read_peers(session: Reader, owner: Owner) -> dict[str, Peer]:
    """Return the owner's peers by key; a damaged row is passed over."""
    read = (unpacked_peer(raw) for raw in session.gossip.peers(owner).values())
    return {peer.key: peer for peer in read if peer is not None}


def shared_in(raw: bytes | None) -> Shared | None:
    """Return the candidate in a packed node, if the owner takes part."""
    state = None if raw is None else unpacked_state(raw)
    return state.shared if state is not None and state.enabled else None


def credit_candidate(
    session: Writer, owner: Owner, own: Learned, turn: PendingTurn, reward: float, now: float
) -> tuple[str, ...]:
    """Count the reward for the candidate. Returns the parts of it that were switched off by this."""
    state = read_state(session, owner)
    if state is None or not state.enabled or state.shared is None:
        return ()
    before, after = state.shared, examined(state.shared, own, turn, reward)
    if after is before:
        return ()
    session.gossip.put_state(owner, packed_state(replace(state, shared=after)))
    parts = (("policy", before.on, after.on), ("reranker", before.reranker_on, after.reranker_on))
    off = tuple(part for part, was_on, is_on in parts if was_on and not is_on)
    if off:
        detail = {"action": "switched_off", "parts": ", ".join(off)}
        session.ledger.record(Event(EventType.GOSSIPED, owner, now, None, detail))
    return off
