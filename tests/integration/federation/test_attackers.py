"""Attackers among the peers of a real memory: what they send is clipped, outvoted, counted and put in quarantine."""

from __future__ import annotations

import math
import random
from array import array
from dataclasses import replace

import pytest

from celestial_engine.core.federation.peers import PeerState
from celestial_engine.core.learning.network import Network


def poison(memory, change):
    """The attacker's own parameters are what it sends, by its own honest software."""
    learned = memory.parts.lessons.lesson(memory.owner).learned
    layers = tuple(array("d", map(change, layer)) for layer in learned.network.layers)
    network = Network(learned.network.sizes, layers)
    memory.policy.adopt(replace(learned, network=network, updates=learned.updates + 100), 1)


def candidate_of(memory):
    node = memory.federation._node
    with node.store.read() as session:
        return node.state(session).shared


@pytest.mark.parametrize(
    "change",
    [lambda x: -x, lambda x: 1_000 * x, lambda x: -7.0, lambda x: x + random.Random(x).gauss(0, 1)],
    ids=["sign flip", "scaled", "constant", "noise"],
)
def test_two_attackers_of_nine_do_not_move_the_aggregate_far(village, change):
    made = village(9, tolerated_attackers=2)
    made.rounds(1)
    clean = candidate_of(made.memories["n0"]).update
    for name in ("n7", "n8"):
        poison(made.memories[name], change)
    made.rounds(2)
    attacked = candidate_of(made.memories["n0"]).update
    assert math.dist(clean, attacked) < 0.5 * math.hypot(*clean)


def test_a_clear_outlier_ends_in_quarantine(village):
    made = village(8, quarantine_after=3)
    attacker = made.memories["n7"]
    for number in range(5):
        poison(attacker, lambda x, number=number: -3.0 - number)
        made.rounds(1)
    status = made.memories["n0"].federation.status()
    peer = next(peer for peer in status.peers if peer.key == attacker.federation.key())
    assert peer.state is PeerState.QUARANTINED
    assert peer.rejected["outlier"] == 3
    assert status.candidate_on
    assert all(other.state is PeerState.ACTIVE for other in status.peers if other is not peer)


def test_the_same_update_is_judged_once(village):
    """A peer that has not learned anything new is not struck again in every round."""
    made = village(8)
    poison(made.memories["n7"], lambda x: -3.0)
    made.rounds(6)
    status = made.memories["n0"].federation.status()
    peer = next(peer for peer in status.peers if peer.key == made.memories["n7"].federation.key())
    assert (peer.rejected, peer.state) == ({"outlier": 1}, PeerState.ACTIVE)


@pytest.mark.slow
def test_a_thousand_rounds_leave_no_more_behind_than_ten(village):
    made = village(8)
    memory = made.memories["n0"]

    def rows():
        counts = {}
        with memory.parts.store.read() as session:
            counts["peers"] = len(session.gossip.peers(memory.owner))
            counts["peer bytes"] = max(map(len, session.gossip.peers(memory.owner).values())) // 100
            counts["state bytes"] = len(session.gossip.state(memory.owner)) // 100
        return counts, len(memory.ledger.history(limit=1_000))

    made.rounds(10)
    made.silent.add("n7")  # what it sent grows old, and that alone is no event of a round
    memory.federation.round(made)
    before = rows()
    for _ in range(1_000):
        memory.federation.round(made)
        made.clock.advance(seconds=60)
        made.captured.clear()
    assert rows() == before
    assert memory.federation.status().rounds == 1_011
