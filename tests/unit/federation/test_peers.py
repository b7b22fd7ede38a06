"""Peers: what counts against them, quarantine, and how they are stored."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from celestial_engine.core.federation.messages import Message, Rejection
from celestial_engine.core.federation.parameters import WEIGHTS
from celestial_engine.core.federation.peers import Peer, PeerState, accept, forgive, reject
from celestial_engine.core.federation.records import (
    GossipState,
    packed_peer,
    packed_state,
    unpacked_peer,
    unpacked_state,
)
from celestial_engine.core.federation.settings import GossipConfig
from celestial_engine.core.federation.shared import Shared
from celestial_engine.core.learning.learned_policy import Exam, HitExam
from celestial_engine.errors import ConfigError

CONFIG = GossipConfig(quarantine_after=3)
PEER = Peer("aa" * 32, "http://127.0.0.1:1", 0.0)
UPDATE = (3.0,) + (0.0,) * (WEIGHTS - 1)
MESSAGE = Message(b"a" * 32, b"b" * 32, b"r" * 32, b"n" * 16, 7, 10.0, 20.0, UPDATE)


def test_an_update_is_clipped_when_it_arrives():
    peer = accept(PEER, MESSAGE, 10.0, CONFIG, same_rules=True)
    assert math.hypot(*peer.update) == pytest.approx(CONFIG.max_norm)
    assert (peer.accepted, peer.seen_round, peer.state(10.0)) == (1, 7, PeerState.ACTIVE)


def test_other_rules_are_listed_and_ignored():
    before = accept(PEER, MESSAGE, 10.0, CONFIG, same_rules=True)
    peer = accept(before, replace(MESSAGE, round=8), 11.0, CONFIG, same_rules=False)
    assert (peer.state(11.0), peer.usable_update(11.0)) == (PeerState.OTHER_RULES, None)
    assert peer.rejected == {"rules": 1}


def test_repeated_rejections_lead_to_quarantine_which_ends():
    peer = accept(PEER, MESSAGE, 10.0, CONFIG, same_rules=True)
    for _ in range(3):
        peer = reject(peer, Rejection.NOT_FINITE, 20.0, CONFIG)
    assert (peer.state(21.0), peer.update) == (PeerState.QUARANTINED, None)
    during = accept(peer, replace(MESSAGE, round=8), 30.0, CONFIG, same_rules=True)
    assert (during.accepted, during.rejected["quarantined"], during.update) == (1, 1, None)
    later = 20.0 + CONFIG.quarantine_seconds + 1
    assert accept(during, replace(MESSAGE, round=9), later, CONFIG, same_rules=True).state(later) is PeerState.ACTIVE


@pytest.mark.parametrize("rejection", [Rejection.REPLAYED, Rejection.EXPIRED, Rejection.UNREACHABLE])
def test_nobody_is_blamed_for_what_others_can_do_in_their_name(rejection):
    """Whoever listens can send an old message again."""
    peer = PEER
    for _ in range(20):
        peer = reject(peer, rejection, 20.0, CONFIG)
    assert (peer.state(20.0), peer.strikes, peer.rejected) == (PeerState.NEW, 0, {rejection.value: 20})


def test_a_used_update_ends_the_row():
    peer = reject(reject(PEER, Rejection.OUTLIER, 1.0, CONFIG), Rejection.OUTLIER, 1.0, CONFIG)
    assert reject(forgive(peer), Rejection.OUTLIER, 1.0, CONFIG).strikes == 1


def test_peers_and_states_come_back_from_bytes():
    peer = reject(accept(PEER, MESSAGE, 10.0, CONFIG, same_rules=True), Rejection.OUTLIER, 11.0, CONFIG)
    assert unpacked_peer(packed_peer(peer)) == peer
    shared = Shared(
        UPDATE, 5.0, 3, 0.7, False, True, False, (Exam(True, 0.5),), (HitExam(0.1, -0.2),), (("aa", 0.7),), "digest"
    )
    state = GossipState(True, 9, 4.0, 2, 1, UPDATE, 40, 5.0, shared, "too_few", {"garbage": 3})
    assert unpacked_state(packed_state(state)) == state
    assert unpacked_state(packed_state(GossipState())) == GossipState()


@pytest.mark.parametrize("raw", [b"", b"{}", b"[]", b"\xff", b'{"shared": 5}', b"null", b"[" * 100_000])
def test_damaged_bytes_are_nobody(raw):
    assert unpacked_state(raw) is None
    assert unpacked_peer(raw) is None


def test_bad_settings_are_all_named():
    with pytest.raises(ConfigError) as refused:
        GossipConfig(max_norm=0, dp_delta=1, tolerated_attackers=-1, transport_port=70_000)
    assert all(
        name in str(refused.value) for name in ("max_norm", "dp_delta", "tolerated_attackers", "transport_port")
    )
    with pytest.raises(ConfigError):
        GossipConfig(aggregation="vote")
    with pytest.raises(ConfigError):
        GossipConfig(gossip_interval=math.nan)
