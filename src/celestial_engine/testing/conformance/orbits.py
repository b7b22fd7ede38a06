"""Promises about orbits, transactions, the ledger and shared jobs."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.orbit.zones import Body, Move
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import ClosedError
from celestial_engine.testing.conformance.base import (
    FAST,
    FLAT,
    NOON,
    SLOW,
    SOMEBODY,
    SOMEBODY_ELSE,
    StorePromises,
    a_course,
    an_item,
)


class _InterruptedError(Exception):
    pass


class OrbitPromises(StorePromises):
    def test_orbit_queries(self) -> None:
        """Occupants, the lowest line of each piece, and who waits highest."""
        levels = {"a": (FAST, 3.0), "b": (FAST, 1.0), "c": (SLOW, 2.0), "d": (SLOW, 5.0), "e": (FAST, 1.0)}
        with self.opened() as store, store.write() as session:
            keys = {
                name: session.add(an_item(name, zone=1), a_course(level, piece))
                for name, (piece, level) in levels.items()
            }
            assert session.zone_counts(SOMEBODY, [0, 1]) == {0: 0, 1: 5}
            assert sorted(body.key for body in session.occupants(SOMEBODY, [0, 1])) == sorted(keys.values())
            lowest = {body.piece: body for body in session.lowest(SOMEBODY, 1)}
            assert lowest == {FAST: Body(keys["b"], 1, FAST, 1.0), SLOW: Body(keys["c"], 1, SLOW, 2.0)}
            waiting = session.waiting(SOMEBODY, 1, FAST, 1.0, 2)
            assert [body.key for body in waiting] == [keys["a"], keys["e"]], "of equals the newer first"
            assert session.id_of(keys["a"]) == "a"
            session.move([Move(keys["a"], 1, 0)])
            assert session.zone_counts(SOMEBODY, [0, 1]) == {0: 1, 1: 4}
            session.set_courses([(keys["b"], 3, a_course(9.0, FLAT))])
            assert session.occupants(SOMEBODY, [3]) == [Body(keys["b"], 3, FLAT, 9.0)]

    def test_reinforcing_counts(self) -> None:
        """One more recall each time, with the new time, context, zone and course."""
        with self.opened() as store:
            with store.write() as session:
                key = session.add(an_item("m1"), a_course())
                session.reinforce(key, NOON + 5, 0.5, 1, a_course(2.0))
                session.reinforce(key, NOON + 6, 0.25, 0, a_course(3.0))
            with store.read() as session:
                item = session.get(SOMEBODY, "m1")
                assert item is not None
                assert (item.recall_count, item.last_recalled_at, item.context_score) == (2, NOON + 6, 0.25)
                assert session.occupants(SOMEBODY, [0]) == [Body(key, 0, FAST, 3.0)]

    def test_mentioning_counts(self) -> None:
        """One more mention each time, and nothing else changes; others' memories are counted apart."""
        with self.opened() as store:
            with store.write() as session:
                key = session.add(an_item("m1"), a_course())
                session.add(an_item("m2", owner=SOMEBODY_ELSE), a_course())
                session.mention(key)
                session.mention(key)
            with store.read() as session:
                item = session.get(SOMEBODY, "m1")
                assert item == replace(an_item("m1"), mention_count=an_item("m1").mention_count + 2)
                assert (session.orbiting(SOMEBODY), session.orbiting(Owner("nobody")), session.orbiting()) == (
                    1,
                    0,
                    2,
                )

    def test_due(self) -> None:
        """Whose moment has come, earliest first, of every owner; never the rest."""
        with self.opened() as store:
            with store.write() as session:
                session.add(an_item("late"), a_course(moment=NOON + 2))
                session.add(an_item("early", owner=SOMEBODY_ELSE), a_course(moment=NOON + 1))
                session.add(an_item("never"), a_course(moment=None))
                session.add(an_item("future"), a_course(moment=NOON + 9))
            with store.read() as session:
                assert [(due.item_id, due.owner) for due in session.due(NOON + 2, 9)] == [
                    ("early", SOMEBODY_ELSE),
                    ("late", SOMEBODY),
                ]
                assert len(session.due(NOON + 9, 1)) == 1

    def test_owners_that_need_seats(self) -> None:
        """An owner is unsettled from the moment that was set, until it is unset."""
        with self.opened() as store, store.write() as session:
            session.add(an_item("m1"), a_course())
            session.settle_again(SOMEBODY, NOON)
            assert session.unsettled(NOON - 1, 9) == []
            assert session.unsettled(NOON, 9) == [SOMEBODY]
            session.settle_again(SOMEBODY, None)
            assert session.unsettled(NOON, 9) == []

    def test_another_law(self) -> None:
        """When the law changes every memory in orbit becomes due; when it does not, none does."""
        with self.opened() as store, store.write() as session:
            assert session.law_in_force() is None
            session.adopt_law("one")
            session.add(an_item("m1"), a_course(moment=NOON))
            session.adopt_law("one")
            assert session.due(NOON - 1, 9) == []
            session.adopt_law("two")
            assert session.law_in_force() == "two"
            assert [due.item_id for due in session.due(NOON - 1, 9)] == ["m1"]

    # -- transactions, ledger, jobs -----------------------------------------------------------------

    def test_all_or_nothing(self) -> None:
        """A block that fails leaves no trace: not the memory, not its words, not its ledger entry."""
        with self.opened() as store:
            try:
                with store.write() as session:
                    session.add(replace(an_item("m1"), embedding=[1.0, 0.0]), a_course())
                    session.record(Event(EventType.STORED, SOMEBODY, NOON, "m1"))
                    raise _InterruptedError
            except _InterruptedError:
                pass
            with store.read() as session:
                assert session.get(SOMEBODY, "m1") is None
                assert session.by_words(SOMEBODY, "커피", 5).matches == []
                assert session.events(SOMEBODY, None, 5) == []
            assert store.check() == []

    def test_the_ledger_keeps_order(self) -> None:
        """Events come back newest first by the order of writing, even if the clock went back."""
        with self.opened() as store:
            first = Event(EventType.STORED, SOMEBODY, NOON, "m1", {"zone": 2})
            second = Event(EventType.FORGOTTEN, SOMEBODY, NOON - 100, "m1", {"reason": "manual"})
            with store.write() as session:
                session.record(first)
                session.record(second)
                session.record(Event(EventType.STORED, SOMEBODY, NOON, "m2"))
            with store.read() as session:
                assert session.events(SOMEBODY, "m1", 9) == [second, first]
                assert len(session.events(SOMEBODY, None, 2)) == 2

    def test_one_of_many_does_the_job(self) -> None:
        """A claimed job is nobody else's until it is finished or its lease is over; then it rests."""
        with self.opened() as store:
            jobs = store.jobs
            assert jobs.claim("job", "a", NOON, every=300, lease=60)
            assert not jobs.claim("job", "b", NOON + 59, every=300, lease=60)
            jobs.finish("job", "b", NOON + 59)  # not the holder: no effect
            assert not jobs.claim("job", "b", NOON + 59, every=300, lease=60)
            jobs.finish("job", "a", NOON + 59)
            assert not jobs.claim("job", "b", NOON + 300, every=300, lease=60)
            assert jobs.claim("job", "b", NOON + 359, every=300, lease=60)
            assert jobs.claim("job", "c", NOON + 420, every=300, lease=60), "b died with the lease"

    def test_a_job_that_failed_is_still_due(self) -> None:
        """Given back undone, it can be claimed at once."""
        with self.opened() as store:
            assert store.jobs.claim("job", "a", NOON, every=300, lease=60)
            store.jobs.finish("job", "a", None)
            assert store.jobs.claim("job", "b", NOON, every=300, lease=60)

    def test_a_wrong_clock_does_not_block_a_job(self) -> None:
        """Times that nobody could have set yet count for nothing."""
        with self.opened() as store:
            assert store.jobs.claim("job", "a", NOON + 10**9, every=300, lease=60)
            assert store.jobs.claim("job", "b", NOON, every=300, lease=60)
            store.jobs.finish("job", "b", NOON + 10**9)
            assert store.jobs.claim("job", "c", NOON, every=300, lease=60)

    def test_closed_is_closed(self) -> None:
        """After close every use is a ClosedError; closing twice is fine."""
        store = self.make_store()
        store.close()
        store.close()
        try:
            with store.read():
                pass
        except ClosedError:
            return
        raise AssertionError("a closed store was read")
