"""Conformance tests for orbits: the zone of each memory, and when it is due for a check."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.orbit.zones import Body, Move
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import Recalled
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


class OrbitPromises(StorePromises):
    def test_orbit_queries(self) -> None:
        """Occupants, the lowest of each piece, and the highest that wait."""
        levels = {"a": (FAST, 3.0), "b": (FAST, 1.0), "c": (SLOW, 2.0), "d": (SLOW, 5.0), "e": (FAST, 1.0)}
        with self.opened() as store, store.write(SOMEBODY) as session:
            keys = {
                name: session.items.add(an_item(name, zone=1), a_course(level, piece))
                for name, (piece, level) in levels.items()
            }
            assert session.orbits.zone_counts(SOMEBODY, [0, 1]) == {0: 0, 1: 5}
            assert sorted(body.key for body in session.orbits.occupants(SOMEBODY, [0, 1])) == sorted(keys.values())
            lowest = {body.piece: body for body in session.orbits.lowest(SOMEBODY, 1)}
            assert lowest == {FAST: Body(keys["b"], 1, FAST, 1.0), SLOW: Body(keys["c"], 1, SLOW, 2.0)}
            waiting = session.orbits.waiting(SOMEBODY, 1, FAST, 1.0, 2)
            assert [body.key for body in waiting] == [keys["a"], keys["e"]], "of equals the newer first"
            assert session.items.id_of(SOMEBODY, keys["a"]) == "a"
            session.orbits.move(SOMEBODY, [Move(keys["a"], 1, 0)])
            assert session.orbits.zone_counts(SOMEBODY, [0, 1]) == {0: 1, 1: 4}
            session.orbits.set_courses(SOMEBODY, [(keys["b"], 3, a_course(9.0, FLAT))])
            assert session.orbits.occupants(SOMEBODY, [3]) == [Body(keys["b"], 3, FLAT, 9.0)]

    def test_reinforcing_counts(self) -> None:
        """Each call adds one recall and sets the time, context, zone and course."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                key = session.items.add(an_item("m1"), a_course())
                session.items.reinforce(SOMEBODY, NOON + 5, [Recalled(key, 0.5, 1, a_course(2.0))])
                session.items.reinforce(SOMEBODY, NOON + 6, [Recalled(key, 0.25, 0, a_course(3.0))])
            with store.read() as session:
                item = session.items.get(SOMEBODY, "m1")
                assert item is not None
                assert (item.recall_count, item.last_recalled_at, item.context_score) == (2, NOON + 6, 0.25)
                assert session.orbits.occupants(SOMEBODY, [0]) == [Body(key, 0, FAST, 3.0)]

    def test_mentioning_counts(self) -> None:
        """Each call adds one mention and changes nothing else; owners are counted separately."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(an_item("m1"), a_course())
                session.items.add(an_item("m1", owner=SOMEBODY_ELSE), a_course())
                session.items.mention(SOMEBODY, "m1")
                session.items.mention(SOMEBODY, "m1")
            with store.read() as session:
                item = session.items.get(SOMEBODY, "m1")
                assert item == replace(an_item("m1"), mention_count=an_item("m1").mention_count + 2)
                assert session.items.get(SOMEBODY_ELSE, "m1") == an_item("m1", owner=SOMEBODY_ELSE)
                owners = (SOMEBODY, Owner("nobody"), None)
                assert [session.orbits.count(owner) for owner in owners] == [1, 0, 2]

    def test_due(self) -> None:
        """Memories that are due, earliest first, of every owner."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.items.add(an_item("late"), a_course(moment=NOON + 2))
                session.items.add(an_item("early", owner=SOMEBODY_ELSE), a_course(moment=NOON + 1))
                session.items.add(an_item("never"), a_course(moment=None))
                session.items.add(an_item("future"), a_course(moment=NOON + 9))
            with store.read() as session:
                assert [(due.item_id, due.owner) for due in session.orbits.due(NOON + 2, 9)] == [
                    ("early", SOMEBODY_ELSE),
                    ("late", SOMEBODY),
                ]
                assert len(session.orbits.due(NOON + 9, 1)) == 1
                keys = [due.key for due in session.orbits.due(NOON + 9, 9)]
                assert [due.item_id for due in session.orbits.still_due(SOMEBODY, keys, NOON + 9)] == [
                    "late",
                    "future",
                ]
                assert [due.item_id for due in session.orbits.still_due(SOMEBODY, keys, NOON + 2)] == ["late"]
                assert session.orbits.still_due(SOMEBODY, [], NOON + 9) == []

    def test_owners_that_need_seats(self) -> None:
        """An owner is unsettled from the time that was set until it is cleared."""
        with self.opened() as store, store.write(SOMEBODY) as session:
            session.items.add(an_item("m1"), a_course())
            session.orbits.settle_again(SOMEBODY, NOON)
            assert session.orbits.unsettled(NOON - 1, 9) == []
            assert session.orbits.unsettled(NOON, 9) == [SOMEBODY]
            session.orbits.settle_again(SOMEBODY, None)
            assert session.orbits.unsettled(NOON, 9) == []

    def test_another_law(self) -> None:
        """A changed law makes every memory in orbit due; an unchanged one makes none due."""
        with self.opened() as store, store.write_whole_store() as session:
            assert session.orbits.law() is None
            session.orbits.adopt_law("one")
            session.items.add(an_item("m1"), a_course(moment=NOON))
            session.orbits.adopt_law("one")
            assert session.orbits.due(NOON - 1, 9) == []
            session.orbits.adopt_law("two")
            assert session.orbits.law() == "two"
            assert [due.item_id for due in session.orbits.due(NOON - 1, 9)] == ["m1"]
