"""Conformance tests for the ledger: numbered, hash-chained, per owner, with the version before each change."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.ledger.chain import Head, checked
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item


class LedgerPromises(StorePromises):
    def test_entries_are_numbered_and_chained(self) -> None:
        """Numbers increase by one over all owners and transactions, and every hash depends on the previous one."""
        with self.opened() as store:
            with store.write(None) as session:
                numbers = [
                    session.ledger.record(_stored("m1")),
                    session.ledger.record(replace(_stored("m2"), owner=SOMEBODY_ELSE)),
                ]
            with store.write(SOMEBODY) as session:
                numbers.append(session.ledger.record(_stored("m3")))
            with store.read() as session:
                entries = session.ledger.entries(0, 9)
                assert numbers == [1, 2, 3] == [entry.number for entry in entries]
                assert [fault for _, fault in checked(entries)] == [None, None, None]
                assert session.ledger.head() == Head(3, entries[2].hash)
                assert session.ledger.highest_number() == 3
                assert session.ledger.entries(1, 1) == [entries[1]]
                assert session.ledger.damaged_versions() == []

    def test_an_empty_ledger_has_no_head(self) -> None:
        """An empty ledger has no head, no entries and no number at any time."""
        with self.opened() as store, store.read() as session:
            assert (session.ledger.head(), session.ledger.entries(0, 9), session.ledger.number_at(NOON)) == (
                None,
                [],
                0,
            )

    def test_what_is_rolled_back_was_never_numbered(self) -> None:
        """A failed transaction leaves no gap in the numbers."""
        with self.opened() as store:
            try:
                with store.write(SOMEBODY) as session:
                    session.ledger.record(_stored("m1"))
                    raise KeyError
            except KeyError:
                pass
            with store.write(SOMEBODY) as session:
                assert session.ledger.record(_stored("m2")) == 1

    def test_every_field_of_an_event_comes_back(self) -> None:
        """Events are read exactly as recorded, including the fields of a host program."""
        event = Event(
            EventType.HOST, SOMEBODY, NOON + 0.1, "m1", {"name": "검토", "n": 1.5}, "s1", "synthesis", ("m1", "m2"),
            {"rhythm_phase": "integration"}, {"impact_score": 0.74}, {"action": "재배열"},
        )  # fmt: skip
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                number = session.ledger.record(event)
            with store.read() as session:
                read = session.ledger.event(SOMEBODY, number)
                assert read == event
                assert read is not None
                assert (read.number, len(read.hash or "")) == (number, 64)
                assert session.ledger.events(SOMEBODY, "m1", 9) == [event]

    def test_events_by_number(self) -> None:
        """Ranges by number and by time follow the order of writing, whatever the clock said."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for at, item_id in ((NOON, "m1"), (NOON + 900, "m2"), (NOON + 10, "m1"), (NOON + 20, "m3")):
                    session.ledger.record(replace(_stored(item_id), at=at))
            with store.read() as session:
                assert [event.number for event in session.ledger.events(SOMEBODY, None, 9, 2)] == [2, 1]
                assert [event.number for event in session.ledger.events_since(SOMEBODY, 1)] == [2, 3, 4]
                assert [event.number for event in session.ledger.events_since(SOMEBODY, 0, "m1")] == [1, 3]
                assert [event.number for event in session.ledger.events_since(SOMEBODY, 1, limit=2)] == [2, 3]
                moments = (NOON - 1, NOON, NOON + 10, NOON + 15, NOON + 1000)
                assert [session.ledger.number_at(moment) for moment in moments] == [0, 1, 3, 3, 4]

    def test_owners_do_not_see_each_others_events(self) -> None:
        """Another owner's events, versions and numbers are invisible."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(an_item("m1"), a_course())
                session.items.rewrite(an_item("m1", "녹차"), a_course())
                number = session.ledger.record(Event(EventType.UPDATED, SOMEBODY, NOON, "m1"))
            with store.read() as session:
                assert session.ledger.event(SOMEBODY, number) is not None
                assert session.ledger.event(SOMEBODY_ELSE, number) is None
                assert session.ledger.version(SOMEBODY_ELSE, number) is None
                assert session.ledger.versions_since(SOMEBODY_ELSE, 0) == []
                assert session.ledger.events_since(SOMEBODY_ELSE, 0) == []

    def test_a_rewritten_memory_leaves_its_version(self) -> None:
        """The event after a rewrite keeps the previous version without its vector; other events keep none."""
        with self.opened() as store:
            first = replace(an_item("m1"), embedding=[1.0, 0.0], tags=("a",), metadata={"k": "값"})
            with store.write(SOMEBODY) as session:
                session.items.add(first, a_course())
                stored = session.ledger.record(_stored("m1"))
                session.items.rewrite(replace(first, content="둘"), a_course())
                session.items.rewrite(replace(first, content="셋"), a_course())
                second = session.ledger.record(Event(EventType.UPDATED, SOMEBODY, NOON, "m1"))
                session.items.rewrite(replace(first, content="넷"), a_course())
                third = session.ledger.record(Event(EventType.UPDATED, SOMEBODY, NOON, "m1"))
                recalled = session.ledger.record(Event(EventType.RECALLED, SOMEBODY, NOON, "m1"))
            with store.read() as session:
                assert session.ledger.version(SOMEBODY, stored) is None
                assert session.ledger.version(SOMEBODY, second) == replace(first, embedding=None)
                assert session.ledger.version(SOMEBODY, third) == replace(first, content="셋", embedding=None)
                assert session.ledger.version(SOMEBODY, recalled) is None
                since = session.ledger.versions_since(SOMEBODY, second)
                assert [(number, memory.content) for number, memory in since] == [(third, "셋")]
                since = session.ledger.versions_since(SOMEBODY, 0)
                assert [(number, memory.content) for number, memory in since] == [(second, first.content)]
                assert session.ledger.damaged_versions() == []

    def test_purging_takes_the_versions(self) -> None:
        """Versions of a purged memory are deleted, and the hash chain still verifies."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(an_item("m1"), a_course())
                session.items.rewrite(an_item("m1", "녹차"), a_course())
                number = session.ledger.record(Event(EventType.UPDATED, SOMEBODY, NOON, "m1"))
                session.items.purge(SOMEBODY, "m1")
                session.ledger.record(Event(EventType.PURGED, SOMEBODY, NOON, "m1"))
                session.items.add(an_item("m1", "같은 아이디의 새 기억"), a_course())
            with store.read() as session:
                assert session.ledger.version(SOMEBODY, number) is None
                assert session.ledger.versions_since(SOMEBODY, 0) == []
                assert [fault for _, fault in checked(session.ledger.entries(0, 9))] == [None, None]
                assert session.ledger.damaged_versions() == []

    def test_the_ledger_keeps_order(self) -> None:
        """Events are returned newest first by the order of writing, even if the clock went back."""
        with self.opened() as store:
            first = Event(EventType.STORED, SOMEBODY, NOON, "m1", {"zone": 2})
            second = Event(EventType.FORGOTTEN, SOMEBODY, NOON - 100, "m1", {"reason": "manual"})
            with store.write(SOMEBODY) as session:
                session.ledger.record(first)
                session.ledger.record(second)
                session.ledger.record(Event(EventType.STORED, SOMEBODY, NOON, "m2"))
            with store.read() as session:
                assert session.ledger.events(SOMEBODY, "m1", 9) == [second, first]
                assert len(session.ledger.events(SOMEBODY, None, 2)) == 2

    def test_the_ledger_is_asked_by_type(self) -> None:
        """The latest events come first; events since a number are counted."""
        with self.opened() as store:
            with store.write(None) as session:
                session.items.add(an_item("a"), a_course())
                for place, kind in enumerate((EventType.SLEPT, EventType.RATED, EventType.SLEPT)):
                    session.ledger.record(Event(kind, SOMEBODY, NOON, None, {"place": place}))
                session.ledger.record(Event(EventType.SLEPT, SOMEBODY_ELSE, NOON))
            with store.read() as reader:
                nights = reader.ledger.latest(SOMEBODY, (EventType.SLEPT,), 5)
                assert [night.detail["place"] for night in nights] == [2, 0]
                assert len(reader.ledger.latest(SOMEBODY, (EventType.SLEPT, EventType.RATED), 2)) == 2
                last = nights[1].number or 0
                assert reader.ledger.event_counts(SOMEBODY, last) == {EventType.SLEPT: 1, EventType.RATED: 1}

    def test_the_ledger_says_what_was_told_of_whom(self) -> None:
        """Ids are found by event type and memory; another owner's events do not count."""
        with self.opened() as store:
            with store.write(None) as session:
                session.items.add(an_item("a"), a_course())
                session.ledger.record(Event(EventType.PROMOTED, SOMEBODY, NOON, "a", {"into": "d", "tier": "M90"}))
                session.ledger.record(Event(EventType.PROMOTED, SOMEBODY, NOON, "d", {"sources": 1, "tier": "M90"}))
                session.ledger.record(Event(EventType.FADED, SOMEBODY, NOON, "b"))
                session.ledger.record(Event(EventType.PROMOTED, SOMEBODY_ELSE, NOON, "c"))
            with store.read() as reader:
                assert reader.ledger.ids_with_event(SOMEBODY, ["a", "b", "c", "d"], EventType.PROMOTED) == {"a", "d"}
                assert reader.ledger.ids_with_event(SOMEBODY, ["a", "b", "c", "d"], EventType.PROMOTED, "into") == {
                    "a"
                }
                assert reader.ledger.ids_with_event(SOMEBODY, [], EventType.PROMOTED) == set()


def _stored(item_id: str) -> Event:
    return Event(EventType.STORED, SOMEBODY, NOON, item_id)
