"""Rounds between memories: what is sent, what becomes of it, and that leaving undoes it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.gossip_nodes import taught

from celestial_engine import CelestialMemory, Settings
from celestial_engine.core.federation import shared
from celestial_engine.core.federation.messages import Rejection
from celestial_engine.core.federation.peers import PeerState
from celestial_engine.core.federation.settings import GossipConfig
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.record.events import EventType
from celestial_engine.errors import InvalidInputError, PeerNotFoundError


def weights(memory):
    learned = memory.parts.lessons.lesson(memory.owner).learned
    return [weight for layer in learned.network.layers for weight in layer]


def test_a_round_makes_a_candidate_of_what_the_others_learned(village):
    made = village(7)
    made.rounds(2)
    status = made.memories["n0"].federation.status()
    assert (status.enabled, status.rounds, status.candidate_on, status.declined) == (True, 2, True, None)
    assert status.used_updates == 5 or status.used_updates == 6  # all but one, which may be the own update
    assert {peer.state for peer in status.peers} == {PeerState.ACTIVE}
    assert all(peer.accepted >= 2 for peer in status.peers)


def test_too_few_peers_are_refused_and_said_so(village):
    made = village(4)
    made.rounds(2)
    status = made.memories["n0"].federation.status()
    assert (status.candidate_on, status.declined) == (False, "too_few 4/5")


def test_the_own_policy_is_not_touched_and_leaving_removes_everything(village):
    made = village(7)
    memory = made.memories["n0"]
    before, versions = weights(memory), memory.policy.versions()
    made.rounds(3)
    memory.parts.lessons.lesson(memory.owner)
    candidate = memory.parts.lessons.candidate(memory.owner)
    assert candidate is not None
    assert candidate.decides
    assert weights(memory) == before
    status = memory.federation.leave()
    assert (status.enabled, status.peers, status.used_updates, status.rounds) == (False, (), 0, 0)
    assert status.releases == 1  # privacy that was spent stays spent
    assert memory.parts.lessons.lesson(memory.owner) is not None
    assert memory.parts.lessons.candidate(memory.owner) is None
    assert weights(memory) == before
    assert memory.policy.versions() == versions


def test_recalls_do_not_make_the_candidate_again(village, monkeypatch):
    """It is made when something was learned, here or elsewhere, and then only read."""
    made = village(7)
    made.rounds(2)
    memory, combined = made.memories["n0"], []
    original = shared.combined
    monkeypatch.setattr(shared, "combined", lambda *given: combined.append(given) or original(*given))
    for _ in range(3):
        memory.recall("tea")
    assert len(combined) == 1
    memory.policy.adopt(taught(99), 100)
    memory.recall("tea")
    assert len(combined) == 2


def test_a_pause_stops_everything_and_keeps_the_peers(village):
    made = village(7)
    made.rounds(2)
    memory = made.memories["n0"]
    status = memory.federation.pause()
    assert (status.enabled, len(status.peers)) == (False, 6)
    memory.parts.lessons.lesson(memory.owner)
    assert memory.parts.lessons.candidate(memory.owner) is None
    result = made.memories["n1"].federation.round(made)
    assert result.rejected == {"unreachable": 1}
    assert memory.federation.round(made).declined == "switched_off"


def test_the_same_parameters_are_sent_until_enough_was_learned(village):
    made = village(7)
    made.rounds(10)
    assert made.memories["n0"].federation.status().releases == 1


def test_an_answer_to_another_question_is_a_replay(village):
    made = village(7)
    made.rounds(1)
    sender = made.memories["n1"].federation.key()
    old = next(raw for raw in made.captured if raw[12:44].hex() == sender)
    made.tamper["n1"] = lambda raw: old
    result = made.memories["n0"].federation.round(made)
    assert result.rejected == {"replayed": 1}


def test_a_replayed_message_changes_nothing(village):
    made = village(7)
    made.rounds(1)
    first = made.captured[0]  # from n0 to one of the others
    to = first[44:76].hex()
    receiver = next(memory for memory in made.memories.values() if memory.federation.key() == to)
    before = receiver.federation.status()
    with pytest.raises(ValueError, match="replayed"):
        receiver.federation.receive(first)
    after = receiver.federation.status()
    sender = made.memories["n0"].federation.key()
    changed = next(peer for peer in after.peers if peer.key == sender)
    assert changed.rejected == {"replayed": 1}
    assert replace(after, peers=()) == replace(before, peers=())


def test_garbage_is_counted_and_nothing_else_changes(village):
    made = village(7)
    memory = made.memories["n0"]
    for raw in (b"", b"hello", bytes(5_496), b"CELGOSSP" + bytes(9_000)):
        with pytest.raises(ValueError, match=r"garbage|truncated|too_large"):
            memory.federation.receive(raw)
    status = memory.federation.status()
    assert sum(status.rejected.values()) == 4
    assert all(not peer.rejected for peer in status.peers)


def test_other_rules_are_listed_and_ignored(village, clock):
    made = village(7)
    settings = Settings(learning=LearningSettings(seed=8), gossip=GossipConfig())
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=settings) as stranger:
        made.memories["n7"] = stranger
        made.introduce()
        made.rounds(1)
        status = made.memories["n0"].federation.status()
        peer = next(peer for peer in status.peers if peer.key == stranger.federation.key())
        assert peer.state is PeerState.OTHER_RULES
        assert peer.rejected["rules"] >= 1
        assert stranger.federation.status().declined == "too_few 0/5"


def test_silent_peers_only_miss_the_round(village):
    made = village(8)
    made.silent = {"n7"}
    made.rounds(2)
    status = made.memories["n0"].federation.status()
    assert status.candidate_on
    silent = next(peer for peer in status.peers if peer.url.endswith("n7"))
    assert (silent.state, silent.rejected) == (PeerState.NEW, {Rejection.UNREACHABLE.value: 2})


def test_a_partition_heals(village):
    """Both halves go on by themselves, and know each other's newest updates again after one round together."""
    made = village(10, peers_a_round=9)
    made.rounds(1)
    names = list(made.memories)
    halves = (set(names[:5]), set(names[5:]))
    made.cut_between(*halves)
    for name in names:
        learned = made.memories[name].parts.lessons.lesson(made.memories[name].owner).learned
        made.memories[name].policy.adopt(replace(learned, updates=learned.updates + 100), 100)
    made.rounds(3)
    for name in names:
        status = made.memories[name].federation.status()
        assert status.candidate_on  # the half itself is enough, and what was known before stays
        far = halves[1] if name in halves[0] else halves[0]
        silent = [peer for peer in status.peers if peer.url.rpartition("/")[2] in far]
        assert all(peer.rejected["unreachable"] == 3 for peer in silent)
    made.cut_between()
    made.rounds(1)
    for memory in made.memories.values():
        assert memory.federation.status().candidate_on
        peers = memory.federation._node.peers
        with memory.parts.store.read() as session:
            stored = {key: peer.update for key, peer in peers(session).items()}
        for other in made.memories.values():
            if other is not memory:
                with other.parts.store.read() as session:
                    sent = other.federation._node.state(session).release
                assert stored[other.federation.key()] == sent


def test_a_clock_that_is_wrong_is_refused_and_forgiven(village, clock):
    made = village(7)
    late = made.memories["n6"]
    late.federation._node.__dict__["clock"] = lambda: clock() + 3_600
    made.rounds(1)
    peer = next(p for p in made.memories["n0"].federation.status().peers if p.key == late.federation.key())
    assert peer.rejected.get("from_the_future", 0) >= 1
    assert peer.state is PeerState.NEW
    late.federation._node.__dict__["clock"] = clock
    clock.advance(hours=1)
    made.rounds(2)
    peer = next(p for p in made.memories["n0"].federation.status().peers if p.key == late.federation.key())
    assert peer.state is PeerState.ACTIVE


def test_noise_has_a_bound_and_a_budget(village):
    made = village(7, dp_enabled=True, dp_noise=8.0, dp_epsilon=1.0)
    made.rounds(1)
    memory = made.memories["n0"]
    first = memory.federation.status()
    assert (first.releases, first.noise) == (1, True)
    assert 0.0 < first.epsilon <= 1.0
    for number in range(10):
        learned = memory.parts.lessons.lesson(memory.owner).learned
        memory.policy.adopt(replace(learned, updates=learned.updates + 100), 100 + number)
        made.rounds(1)
    spent = memory.federation.status()
    assert first.epsilon < spent.epsilon <= 1.0
    assert spent.releases < 11  # the budget is spent, and nothing new is sent


def test_without_noise_there_is_no_bound(village):
    made = village(7)
    made.rounds(1)
    assert made.memories["n0"].federation.status().epsilon is None


def test_the_ledger_tells_what_happened_and_does_not_grow_with_rounds(village):
    made = village(7)
    made.rounds(5)
    memory = made.memories["n0"]

    def actions():
        events = memory.ledger.history(limit=1_000)
        return [event.detail["action"] for event in events if event.type is EventType.GOSSIPED]

    after_five = actions()
    assert {"joined", "peer_added", "aggregated"} <= set(after_five)
    made.rounds(20)
    assert actions() == after_five
    memory.federation.leave()
    assert "left" in actions()
    assert memory.ledger.verify().ok


def test_traffic_holds_no_piece_of_any_memory(village):
    made = village(7)
    texts = [
        "My passport number is in the blue folder",
        "민수는 땅콩 알레르기가 있고 부산에 산다",
        "The wifi is hunter2hunter2",
    ]
    ids = [memory.store(text).id for memory in made.memories.values() for text in texts]
    for memory in made.memories.values():
        memory.observe("What do you know about my passport?")
    made.rounds(3)
    traffic = b"".join(made.captured)
    assert len(traffic) > 100_000
    for text in (*texts, *ids):
        for raw in (text.encode(), text.encode("utf-16-le")):
            assert all(raw[start : start + 8] not in traffic for start in range(len(raw) - 7))


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://example.com", "ab" * 32),
        ("http://127.example.com", "ab" * 32),
        ("http://127.0.0.1.example.com", "ab" * 32),
        ("http://localhost.example.com", "ab" * 32),
        ("http://192.0.2.7", "ab" * 32),
        ("ftp://127.0.0.1", "ab" * 32),
        ("https://user:pw@example.com", "ab" * 32),
        ("https://", "ab" * 32),
        ("https://example.com/ x", "ab" * 32),
        ("https://example.com", "ab" * 31),
        ("https://example.com", "zz" * 32),
    ],
)
def test_only_tls_or_this_machine_and_whole_keys(memory, url, key):
    with pytest.raises(InvalidInputError):
        memory.federation.add_peer(url, key)
    assert memory.federation.status().peers == ()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.0.0.2", "[::1]"])
def test_this_machine_needs_no_tls(memory, host):
    assert memory.federation.add_peer(f"http://{host}:9400", "ab" * 32).url == f"http://{host}:9400"


def test_peers_are_added_changed_and_removed(memory):
    federation = memory.federation
    with pytest.raises(InvalidInputError):
        federation.add_peer("https://example.com", federation.key())
    federation.add_peer("https://example.com/", "AB" * 32)
    federation.add_peer("https://other.example.com", "ab" * 32)
    assert [(peer.url, peer.key) for peer in federation.status().peers] == [("https://other.example.com", "ab" * 32)]
    federation.remove_peer("ab" * 32)
    with pytest.raises(PeerNotFoundError):
        federation.remove_peer("ab" * 32)
    for number in range(64):
        federation.add_peer("https://example.com", f"{number:064x}")
    with pytest.raises(InvalidInputError):
        federation.add_peer("https://example.com", f"{64:064x}")


def test_looking_makes_no_key(tmp_path):
    """Whoever never took part has no key, and no file beside the database."""
    with CelestialMemory(tmp_path / "memory.db", rebalance_interval=None) as memory:
        assert memory.federation.status().key == ""
        assert not list(tmp_path.glob("*gossip-key"))
        assert len(memory.federation.join().key) == 64
        (path,) = tmp_path.glob("*gossip-key")
        assert path.stat().st_mode & 0o077 == 0


def test_rich_states_do_not_take_part():
    settings = Settings(learning=LearningSettings(rich_state=True))
    with (
        CelestialMemory(":memory:", rebalance_interval=None, settings=settings) as memory,
        pytest.raises(InvalidInputError),
    ):
        memory.federation.join()


def test_an_aggregate_is_no_longer_than_an_update(village):
    made = village(7, max_norm=0.01)
    made.rounds(2)
    raw = made.memories["n0"].federation._node
    with raw.store.read() as session:
        shared = raw.state(session).shared
    assert math.hypot(*shared.update) <= 0.01 * (1 + 1e-6)
