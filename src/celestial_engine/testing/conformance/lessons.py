"""Conformance tests for turns that wait for a reward, learned checkpoints, and nodes that learn together."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.learning.checkpoints import Checkpoint, digest_of
from celestial_engine.core.learning.credit import PendingHit, PendingTurn
from celestial_engine.core.learning.rewards import Reward, RewardKind
from celestial_engine.core.turn.policy import Action, Phase
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item


def a_turn(turn_id: str, session_id: str | None = "s", *, saved_id: str | None = None, hits: int = 0) -> PendingTurn:
    return PendingTurn(
        turn_id, session_id, NOON, Action.SAVE, Phase.LEARNED, (0.5, 0.25, 1.0), Action.SKIP, Action.SAVE, True,
        saved_id, tuple(PendingHit(f"m{number}", (0.5, float(number))) for number in range(hits)),
    )  # fmt: skip


def a_checkpoint(version: int, packed: bytes) -> Checkpoint:
    return Checkpoint(version, NOON + version, 20 * version, digest_of(packed), {"updates": version})


class LessonPromises(StorePromises):
    def test_a_noted_turn_is_found_again(self) -> None:
        """A turn is found by id, as the last of its session and as the newest, only by its owner."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.lessons.add_turn(SOMEBODY, a_turn("a", hits=2), 9)
                session.lessons.add_turn(SOMEBODY, a_turn("b", "other"), 9)
                session.lessons.add_turn(SOMEBODY, a_turn("c", None), 9)
            with store.read() as reader:
                assert reader.lessons.turn(SOMEBODY, "a") == a_turn("a", hits=2)
                assert reader.lessons.last_turn(SOMEBODY, "s") == a_turn("a", hits=2)
                assert reader.lessons.last_turn(SOMEBODY, None) == a_turn("c", None)
                assert reader.lessons.newest_turn(SOMEBODY) == a_turn("c", None)
                assert reader.lessons.last_turn(SOMEBODY, "nowhere") is None
                assert reader.lessons.turn(SOMEBODY_ELSE, "a") is None
                assert reader.lessons.newest_turn(SOMEBODY_ELSE) is None
                assert reader.lessons.action_counts(SOMEBODY) == {Action.SAVE: 3, Action.SKIP: 0, Action.RETRIEVE: 0}
                assert sum(reader.lessons.action_counts(SOMEBODY_ELSE).values()) == 0

    def test_turns_are_listed_newest_first(self) -> None:
        """Of all sessions, with their hits, page by page; of one owner only."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                for name in "abc":
                    session.lessons.add_turn(SOMEBODY, a_turn(name, name, hits=1), 9)
                session.lessons.add_turn(SOMEBODY_ELSE, a_turn("d"), 9)
            with store.read() as reader:
                assert reader.lessons.turns(SOMEBODY, 2) == [a_turn("c", "c", hits=1), a_turn("b", "b", hits=1)]
                assert [turn.turn_id for turn in reader.lessons.turns(SOMEBODY, 9, "b")] == ["a"]
                assert reader.lessons.turns(SOMEBODY, 9, "d") == []

    def test_a_turn_keeps_why_it_was_decided_so(self) -> None:
        """The reason is kept with the turn, also once it was rewarded; None where none was noted."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.lessons.add_turn(SOMEBODY, replace(a_turn("a"), reason="unwanted"), 9)
                session.lessons.add_turn(SOMEBODY, a_turn("b"), 9)
                session.lessons.credit_turn(SOMEBODY, "a", Reward(-1.0, RewardKind.GIVEN))
            with store.read() as reader:
                assert [turn.reason for turn in reader.lessons.turns(SOMEBODY, 9)] == [None, "unwanted"]

    def test_a_turn_keeps_what_others_would_have_done(self) -> None:
        """The action of what peers learned is kept with the turn; None if they took no part."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.lessons.add_turn(SOMEBODY, replace(a_turn("a"), shared=Action.RETRIEVE), 9)
                session.lessons.add_turn(SOMEBODY, a_turn("b"), 9)
            with store.read() as reader:
                turns = [reader.lessons.turn(SOMEBODY, turn_id) for turn_id in ("a", "b")]
                assert [turn.shared for turn in turns if turn is not None] == [Action.RETRIEVE, None]

    def test_only_the_newest_turns_are_kept(self) -> None:
        """Turns are per owner; adding one twice does not change it."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.lessons.add_turn(SOMEBODY_ELSE, a_turn("a"), 2)
                for name in "abcd":
                    session.lessons.add_turn(SOMEBODY, a_turn(name, hits=1), 2)
                session.lessons.add_turn(SOMEBODY, a_turn("d", "changed"), 2)
            with store.read() as reader:
                assert [name for name in "abcd" if reader.lessons.turn(SOMEBODY, name) is not None] == ["c", "d"]
                assert reader.lessons.turn(SOMEBODY, "d") == a_turn("d", hits=1)
                assert reader.lessons.turn(SOMEBODY_ELSE, "a") is not None
            assert store.check() == []

    def test_rewarded_turns_can_be_gone_through_again(self) -> None:
        """Rewarded turns are listed by position, oldest first; those without a reward are left out."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for name in "abc":
                    session.lessons.add_turn(SOMEBODY, a_turn(name, hits=1), 9)
                session.lessons.credit_turn(SOMEBODY, "a", Reward(0.5, RewardKind.PICKED_UP))
                session.lessons.credit_turn(SOMEBODY, "c", Reward(-1.0, RewardKind.BLAME))
            with store.read() as reader:
                assert [turn.turn_id for turn in reader.lessons.replay(SOMEBODY, [0.0, 0.49, 0.5, 0.99])] == list(
                    "aacc"
                )
                (last,) = reader.lessons.replay(SOMEBODY, [0.99])
                assert last == replace(a_turn("c"), reward=-1.0, rewarded_as=RewardKind.BLAME)
                assert reader.lessons.replay(SOMEBODY_ELSE, [0.5]) == []

    def test_a_purged_memory_leaves_no_turn_that_names_it(self) -> None:
        """Purging a memory deletes the turn that saved it, and its hits in other turns."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(an_item("m0"), a_course())
                session.items.add(an_item("m0", owner=SOMEBODY_ELSE), a_course())
                session.lessons.add_turn(SOMEBODY, a_turn("saved it", saved_id="m0"), 9)
                session.lessons.add_turn(SOMEBODY, a_turn("found it", hits=2), 9)
                session.lessons.add_turn(SOMEBODY_ELSE, a_turn("found another", hits=1), 9)
                session.items.purge(SOMEBODY, "m0")
            with store.read() as reader:
                assert reader.lessons.turn(SOMEBODY, "saved it") is None
                remaining = reader.lessons.turn(SOMEBODY, "found it")
                assert remaining is not None
                assert [hit.item_id for hit in remaining.hits] == ["m1"]
                assert reader.lessons.turn(SOMEBODY_ELSE, "found another") == a_turn("found another", hits=1)
            assert store.check() == []

    def test_versions_are_kept_newest_first(self) -> None:
        """At most `keep` checkpoints are kept; putting a version again replaces it."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for version in (1, 2, 3, 4):
                    session.lessons.put_checkpoint(SOMEBODY, a_checkpoint(version, b"old"), b"old", 3)
                session.lessons.put_checkpoint(SOMEBODY, a_checkpoint(4, b"new"), b"new", 3)
            with store.read() as reader:
                assert reader.lessons.checkpoints(SOMEBODY) == [
                    a_checkpoint(4, b"new"),
                    a_checkpoint(3, b"old"),
                    a_checkpoint(2, b"old"),
                ]
                assert reader.lessons.checkpoint_bytes(SOMEBODY, 4) == b"new"
                assert reader.lessons.checkpoint_bytes(SOMEBODY, 1) is None
                assert reader.lessons.checkpoints(SOMEBODY_ELSE) == []
                assert reader.lessons.checkpoint_bytes(SOMEBODY_ELSE, 4) is None

    def test_a_failed_transaction_teaches_nothing(self) -> None:
        """A failed transaction leaves no turn, reward or checkpoint."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.lessons.add_turn(SOMEBODY, a_turn("a"), 9)
            try:
                with store.write(SOMEBODY) as session:
                    session.lessons.add_turn(SOMEBODY, a_turn("b"), 9)
                    session.lessons.credit_turn(SOMEBODY, "a", Reward(1.0, RewardKind.PRAISE))
                    session.lessons.put_checkpoint(SOMEBODY, a_checkpoint(1, b"x"), b"x", 3)
                    raise RuntimeError("power cut")
            except RuntimeError:
                pass
            with store.read() as reader:
                assert reader.lessons.turn(SOMEBODY, "b") is None
                assert reader.lessons.turn(SOMEBODY, "a") == a_turn("a")
                assert reader.lessons.checkpoints(SOMEBODY) == []


class GossipPromises(StorePromises):
    def test_a_node_is_kept_as_it_was_put(self) -> None:
        """Bytes come back unchanged; putting again replaces them; every owner has an own node."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.gossip.put_state(SOMEBODY, b"first")
                session.gossip.put_state(SOMEBODY, bytes(range(256)))
                session.gossip.put_state(SOMEBODY_ELSE, b"other")
            with store.read() as reader:
                assert reader.gossip.state(SOMEBODY) == bytes(range(256))
                assert reader.gossip.state(SOMEBODY_ELSE) == b"other"

    def test_peers_are_listed_by_key(self) -> None:
        """Peers are per owner, in the order of their keys."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                for key in ("cc", "aa", "bb"):
                    session.gossip.put_peer(SOMEBODY, key, key.encode())
                session.gossip.put_peer(SOMEBODY_ELSE, "aa", b"other")
                session.gossip.put_peer(SOMEBODY, "bb", b"again")
            with store.read() as reader:
                assert list(reader.gossip.peers(SOMEBODY).items()) == [("aa", b"aa"), ("bb", b"again"), ("cc", b"cc")]
                assert reader.gossip.peers(SOMEBODY_ELSE) == {"aa": b"other"}

    def test_what_is_dropped_is_gone(self) -> None:
        """Dropping deletes one owner's row; dropping what is not there changes nothing."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.gossip.put_state(SOMEBODY, b"mine")
                session.gossip.put_peer(SOMEBODY, "aa", b"a")
                session.gossip.put_peer(SOMEBODY_ELSE, "aa", b"b")
            with store.write(SOMEBODY) as session:
                session.gossip.drop_state(SOMEBODY)
                session.gossip.drop_state(SOMEBODY)
                session.gossip.drop_peer(SOMEBODY, "aa")
                session.gossip.drop_peer(SOMEBODY, "zz")
            with store.read() as reader:
                assert reader.gossip.state(SOMEBODY) is None
                assert reader.gossip.peers(SOMEBODY) == {}
                assert reader.gossip.peers(SOMEBODY_ELSE) == {"aa": b"b"}

    def test_a_failed_transaction_changes_no_node(self) -> None:
        """A failed transaction changes nothing."""
        with self.opened() as store:
            try:
                with store.write(SOMEBODY) as session:
                    session.gossip.put_state(SOMEBODY, b"mine")
                    session.gossip.put_peer(SOMEBODY, "aa", b"a")
                    raise RuntimeError("power cut")
            except RuntimeError:
                pass
            with store.read() as reader:
                assert reader.gossip.state(SOMEBODY) is None
                assert reader.gossip.peers(SOMEBODY) == {}
