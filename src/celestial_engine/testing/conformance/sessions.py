"""Conformance tests for sessions: atomic, and for one owner or for all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from celestial_engine.core.imagination.rules import PatternStrength
from celestial_engine.core.learning.rewards import Reward, RewardKind
from celestial_engine.core.orbit.zones import Move
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.versions import UsedKey
from celestial_engine.errors import ClosedError
from celestial_engine.ports import OwnerMismatchError, Recalled, SyncRecord, Writer
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item
from celestial_engine.testing.conformance.lessons import a_checkpoint, a_turn
from celestial_engine.testing.conformance.self_state import A_BELIEF, A_SELF_VERSION, AN_ISLAND, a_proposal


class _InterruptedError(Exception):
    pass


Write = Callable[[Writer], object]


def writes_for(owner: Owner) -> dict[str, Write]:
    """Every method that writes for an owner, by name."""
    return {
        "items.add": lambda session: session.items.add(an_item("new", owner=owner), a_course()),
        "items.add_many": lambda session: session.items.add_many([(an_item("more", owner=owner), a_course())]),
        "items.rewrite": lambda session: session.items.rewrite(an_item("m1", "녹차", owner=owner), a_course()),
        "items.reinforce": lambda session: session.items.reinforce(owner, NOON, [Recalled(1, 0.5, 1, a_course())]),
        "items.mention": lambda session: session.items.mention(owner, "m1"),
        "items.purge": lambda session: session.items.purge(owner, "m1"),
        "vectors.put_missing": lambda session: session.vectors.put_missing(owner, [(1, "text", [1.0])]),
        "orbits.set_courses": lambda session: session.orbits.set_courses(owner, [(1, 0, a_course())]),
        "orbits.move": lambda session: session.orbits.move(owner, []),
        "orbits.settle_again": lambda session: session.orbits.settle_again(owner, NOON),
        "presence.set_active": lambda session: session.presence.set_active(owner, NOON),
        "presence.wait_for": lambda session: session.presence.wait_for(owner),
        "presence.shift_clocks": lambda session: session.presence.shift_clocks(owner, 0.0, NOON, None),
        "archives.begin": lambda session: session.archives.begin(owner, f"new of {owner}", None, NOON),
        "archives.add_members": lambda session: session.archives.add_members(owner, "file", ["m1"]),
        "archives.remove": lambda session: session.archives.remove(owner, "file"),
        "archives.take_versions": lambda session: session.archives.take_versions(owner, "m1"),
        "archives.put_versions": lambda session: session.archives.put_versions(owner, "m1", []),
        "ledger.record": lambda session: session.ledger.record(Event(EventType.RATED, owner, NOON)),
        "self.put_island": lambda session: session.self.put_island(owner, AN_ISLAND),
        "self.remove_island": lambda session: session.self.remove_island(owner, "i"),
        "self.put_belief": lambda session: session.self.put_belief(owner, A_BELIEF),
        "self.remove_belief": lambda session: session.self.remove_belief(owner, "b"),
        "self.put_proposal": lambda session: session.self.put_proposal(owner, a_proposal("p")),
        "self.add_version": lambda session: session.self.add_version(owner, A_SELF_VERSION),
        "self.set_soul_digest": lambda session: session.self.set_soul_digest(owner, "SOUL.md", "digest"),
        "lessons.add_turn": lambda session: session.lessons.add_turn(owner, a_turn("t"), 9),
        "lessons.credit_turn": lambda session: session.lessons.credit_turn(
            owner, "t", Reward(1.0, RewardKind.PRAISE)
        ),
        "lessons.put_checkpoint": lambda session: session.lessons.put_checkpoint(owner, a_checkpoint(1, b""), b"", 9),
        "ideas.put_pattern": lambda session: session.ideas.put_pattern(owner, PatternStrength("pattern")),
        "gossip.put_state": lambda session: session.gossip.put_state(owner, b"state"),
        "gossip.drop_state": lambda session: session.gossip.drop_state(owner),
        "gossip.put_peer": lambda session: session.gossip.put_peer(owner, "aa", b"peer"),
        "gossip.drop_peer": lambda session: session.gossip.drop_peer(owner, "aa"),
        "sync.put_note": lambda session: session.sync.put_note(owner, "device", b"note"),
        "sync.drop_note": lambda session: session.sync.drop_note(owner, "device"),
        "sync.put_record": lambda session: session.sync.put_record(owner, SyncRecord("m1", b"marks", b"texts", 1)),
        "keys.put": lambda session: session.keys.put(owner, "k", UsedKey("digest", "m1"), NOON, NOON),
    }


WRITES_FOR_ALL: dict[str, Write] = {
    "ledger.anchor": lambda session: session.ledger.anchor(NOON),
    "orbits.adopt_law": lambda session: session.orbits.adopt_law("another"),
    "vectors.adopt_embedder": lambda session: session.vectors.adopt_embedder("another"),
}


class SessionPromises(StorePromises):
    def test_all_or_nothing(self) -> None:
        """A failed block is rolled back: the memory, its words and its ledger entry."""
        with self.opened() as store:
            try:
                with store.write(SOMEBODY) as session:
                    session.items.add(replace(an_item("m1"), embedding=[1.0, 0.0]), a_course())
                    session.ledger.record(Event(EventType.STORED, SOMEBODY, NOON, "m1"))
                    raise _InterruptedError
            except _InterruptedError:
                pass
            with store.read() as session:
                assert session.items.get(SOMEBODY, "m1") is None
                assert session.search.by_words(SOMEBODY, "커피", 5).matches == []
                assert session.ledger.events(SOMEBODY, None, 5) == []
            assert store.check() == []

    def test_closed_is_closed(self) -> None:
        """After close every use raises ClosedError; closing twice is allowed."""
        store = self.make_store()
        store.close()
        store.close()
        try:
            with store.read():
                pass
        except ClosedError:
            return
        raise AssertionError("a closed store was read")

    def test_a_session_writes_for_its_owner_alone(self) -> None:
        """Every write for another owner, or for all, is refused, and nothing is written."""
        with self.opened() as store:
            with store.write(SOMEBODY_ELSE) as session:
                session.items.add(an_item("m1", owner=SOMEBODY_ELSE), a_course())
                session.archives.begin(SOMEBODY_ELSE, "file", None, NOON)
                session.lessons.add_turn(SOMEBODY_ELSE, a_turn("t"), 9)
            for name, write in (writes_for(SOMEBODY_ELSE) | WRITES_FOR_ALL).items():
                with store.write(SOMEBODY) as session:
                    assert _refused(session, write) == (None if name in WRITES_FOR_ALL else SOMEBODY_ELSE), name
            with store.read() as reader:
                assert reader.items.page(SOMEBODY_ELSE, -1, 9)[0][1] == an_item("m1", owner=SOMEBODY_ELSE)
                assert reader.ledger.written(0, 9) == []
                assert (reader.orbits.law(), reader.vectors.embedder_name()) == (None, None)

    def test_a_session_of_all_owners_writes_for_each(self) -> None:
        """A session for all owners may do every write of a single owner."""
        with self.opened() as store:
            for owner, opened in ((SOMEBODY, store.write(SOMEBODY)), (SOMEBODY_ELSE, store.write_whole_store())):
                with opened as session:
                    session.items.add(an_item("m1", owner=owner), a_course())
                    session.archives.begin(owner, f"file of {owner}", None, NOON)
                    for name, write in writes_for(owner).items():
                        if name not in ("items.purge", "archives.add_members", "archives.remove"):
                            write(session)
            with store.write_whole_store() as session:
                for write in WRITES_FOR_ALL.values():
                    write(session)
            with store.read() as reader:
                for owner in (SOMEBODY, SOMEBODY_ELSE):
                    assert len(reader.items.page(owner, -1, 9)) == 3
                    assert len(reader.ledger.events(owner, None, 9)) == 1
                assert reader.orbits.law() == "another"

    def test_a_session_of_one_owner_reads_all(self) -> None:
        """Reading is not limited to the owner of the session."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(an_item("m1"), a_course())
            with store.write(SOMEBODY_ELSE) as session:
                assert session.items.get(SOMEBODY, "m1") == an_item("m1")
                assert session.orbits.count() == 1

    def test_a_key_means_nothing_without_its_owner(self) -> None:
        """The key of a memory does not work with another owner."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                key = session.items.add(an_item("m1"), a_course())
                session.items.add(an_item("x", owner=SOMEBODY_ELSE), a_course())
                theirs = session.items.key_of(SOMEBODY_ELSE, "x")
                wrong = key if key != theirs else key + 1
                session.items.reinforce(SOMEBODY_ELSE, NOON + 1, [Recalled(wrong, 0.5, 0, a_course())])
                session.orbits.move(SOMEBODY_ELSE, [Move(wrong, 2, 0)])
                session.orbits.set_courses(SOMEBODY_ELSE, [(wrong, 0, a_course(9.0))])
                session.vectors.put_missing(SOMEBODY_ELSE, [(wrong, an_item("m1").content, [1.0, 0.0])])
                try:
                    session.items.id_of(SOMEBODY_ELSE, wrong)
                except KeyError:
                    pass
                else:
                    raise AssertionError("an id was given for another owner's key")
            with store.read() as reader:
                assert reader.items.get(SOMEBODY, "m1") == an_item("m1")
                assert reader.items.get(SOMEBODY_ELSE, "x") == an_item("x", owner=SOMEBODY_ELSE)
                assert reader.orbits.zone_counts(SOMEBODY, [0, 2]) == {0: 0, 2: 1}
                assert len(reader.vectors.missing(None, 9)) == 2
            assert store.check() == []


def _refused(session: Writer, write: Write) -> Owner | None:
    """The owner that a write was refused for."""
    try:
        write(session)
    except OwnerMismatchError as error:
        return error.owner
    raise AssertionError("a session wrote for somebody else")
