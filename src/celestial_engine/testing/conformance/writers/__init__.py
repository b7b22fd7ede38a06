"""Conformance tests for writers at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from celestial_engine.core.record.events import Event, EventType
from celestial_engine.ports import ItemStore
from celestial_engine.testing.conformance.base import (
    NOON,
    SOMEBODY,
    SOMEBODY_ELSE,
    StorePromises,
    a_course,
    an_item,
)

_ROUNDS = 12


def _together(*works: Callable[[], None]) -> None:
    """Runs them in threads that begin at the same time, and raises what one of them raises."""
    start = threading.Barrier(len(works))

    def begin(work: Callable[[], None]) -> None:
        start.wait()
        work()

    with ThreadPoolExecutor(len(works)) as threads:
        for done in [threads.submit(begin, work) for work in works]:
            done.result()


def _count_mention(store: ItemStore, name: str) -> None:
    with store.write(SOMEBODY) as session:
        item = session.items.get(SOMEBODY, name)
        assert item is not None
        session.items.rewrite(replace(item, mention_count=item.mention_count + 1), a_course())
        session.ledger.record(Event(EventType.UPDATED, SOMEBODY, NOON, name))


class WriterPromises(StorePromises):
    def test_two_writers_of_one_owner_lose_nothing(self) -> None:
        """What a session read of its owner stays so until it ends: no change of another writer is overwritten."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(an_item("m1"), a_course())

            def mention() -> None:
                for _ in range(_ROUNDS):
                    _count_mention(store, "m1")

            _together(mention, mention)
            with store.read() as reader:
                item = reader.items.get(SOMEBODY, "m1")
                assert item is not None
                assert item.mention_count == 2 * _ROUNDS
                numbers = [entry.number for entry in reader.ledger.entries(SOMEBODY, 0, 99)]
                assert numbers == list(range(numbers[0], numbers[0] + 2 * _ROUNDS)), (
                    "the chain has no gap and no fork"
                )
            assert store.check() == []

    def test_writers_of_two_owners_lose_nothing(self) -> None:
        """Each owner has exactly what was written for them, and counts are exact."""
        with self.opened() as store:

            def fill(owner_number: int) -> None:
                owner = (SOMEBODY, SOMEBODY_ELSE)[owner_number]
                for number in range(_ROUNDS):
                    with store.write(owner) as session:
                        session.items.add(an_item(f"{owner_number}-{number}", owner=owner), a_course())
                        session.ledger.record(Event(EventType.STORED, owner, NOON, f"{owner_number}-{number}"))

            _together(lambda: fill(0), lambda: fill(1))
            with store.read() as session:
                for number, owner in enumerate((SOMEBODY, SOMEBODY_ELSE)):
                    names = [item.id for _, item in session.items.page(owner, -1, 99)]
                    assert names == [f"{number}-{each}" for each in range(_ROUNDS)]
                    assert session.orbits.count(owner) == _ROUNDS
                    assert session.search.by_words(owner, "커피", 99).matches
            assert store.check() == []

    def test_a_reader_sees_whole_changes(self) -> None:
        """A session that writes adds two memories; nobody ever sees one of them alone."""
        with self.opened() as store:
            counts: list[int] = []

            def fill() -> None:
                for number in range(_ROUNDS):
                    with store.write(SOMEBODY) as session:
                        session.items.add(an_item(f"a{number}"), a_course())
                        session.items.add(an_item(f"b{number}"), a_course())

            def watch() -> None:
                for _ in range(_ROUNDS):
                    with store.read() as session:
                        counts.append(session.orbits.count(SOMEBODY))
                        assert session.orbits.count(SOMEBODY) == counts[-1], "a session sees one state"

            _together(fill, watch)
            assert all(count % 2 == 0 for count in counts)
            assert counts == sorted(counts)
