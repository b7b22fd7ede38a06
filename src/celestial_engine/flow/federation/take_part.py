"""take part: join, pause, leave, and the list of peers."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.federation.peers import Peer
from celestial_engine.core.federation.records import GossipState
from celestial_engine.flow.base.gossip_node import Node


def join(node: Node) -> GossipState:
    """Take part from now on. A candidate that was switched off gets another chance."""
    with node.store.write(node.owner) as session:
        before = node.state(session) or GossipState()
        shared = before.shared
        if shared is not None:
            shared = replace(shared, on=True, reranker_on=True, exams=(), hit_exams=())
        state = replace(before, enabled=True, shared=shared)
        node.put_state(session, state)
        node.record(session, "joined", key=node.key[:16])
    return state


def pause(node: Node) -> GossipState:
    """Send and accept nothing, and decide by the own policy alone; peers stay listed."""
    with node.store.write(node.owner) as session:
        state = replace(node.state(session) or GossipState(), enabled=False)
        node.put_state(session, state)
        node.record(session, "paused")
    return state


def leave(node: Node) -> int:
    """Delete all peers and everything that came from them. Returns how many peers there were.

    What was sent stays counted: privacy that was spent is not given back.
    """
    with node.store.write(node.owner) as session:
        before, peers = node.state(session) or GossipState(), node.peers(session)
        for key in session.gossip.peers(node.owner):
            session.gossip.drop_peer(node.owner, key)
        node.put_state(
            session,
            GossipState(
                enabled=False, releases=before.releases, noisy_releases=before.noisy_releases, noise=before.noise
            ),
        )
        node.record(session, "left", peers=len(peers))
    return len(peers)


def add_peer(node: Node, url: str, key: str) -> Peer:
    """Add a peer, or change the address of a known one."""
    with node.store.write(node.owner) as session:
        existing = node.peers(session).get(key)
        peer = Peer(key, url, node.clock()) if existing is None else replace(existing, url=url)
        node.put_peer(session, peer)
        node.record(session, "peer_added", peer=key[:16])
    return peer


def remove_peer(node: Node, key: str) -> bool:
    """Delete a peer and its update; the next aggregate is made without it. False if it is unknown."""
    with node.store.write(node.owner) as session:
        if key not in session.gossip.peers(node.owner):
            return False
        session.gossip.drop_peer(node.owner, key)
        node.record(session, "peer_removed", peer=key[:16])
    return True
