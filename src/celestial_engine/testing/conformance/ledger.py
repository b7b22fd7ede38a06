"""Conformance tests for the ledger: numbered, hash-chained, per owner, with the version before each change."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from celestial_engine.core.ledger.anchors import checked_anchors
from celestial_engine.core.ledger.chain import START, Head, checked
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.recall_event import DisplacedMemory, RecalledMemory, recall_event
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item


class LedgerPromises(StorePromises):
    def test_entries_are_numbered_and_chained(self) -> None:
        """Each owner has a chain: numbers increase by one, and every hash depends on the owner's previous one."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                numbers = [
                    session.ledger.record(_stored("m1")),
                    session.ledger.record(replace(_stored("m2"), owner=SOMEBODY_ELSE)),
                ]
            with store.write(SOMEBODY) as session:
                numbers.append(session.ledger.record(_stored("m3")))
            with store.read() as session:
                entries = session.ledger.entries(SOMEBODY, 0, 9)
                (other,) = session.ledger.entries(SOMEBODY_ELSE, 0, 9)
                assert numbers == [1, 1, 2]
                assert [entry.number for entry in entries] == [1, 2]
                assert [fault for _, fault in checked(entries)] == [None, None]
                assert [fault for _, fault in checked([other])] == [None]
                assert session.ledger.head(SOMEBODY) == Head(2, entries[1].hash)
                assert session.ledger.head(SOMEBODY_ELSE) == Head(1, other.hash)
                assert dict(session.ledger.chains()) == {
                    SOMEBODY: Head(2, entries[1].hash),
                    SOMEBODY_ELSE: Head(1, other.hash),
                }
                assert session.ledger.entries(SOMEBODY, 1, 1) == [entries[1]]
                assert [session.ledger.entry_count(SOMEBODY, until) for until in (0, 1, 9)] == [0, 1, 2]
                assert (session.ledger.sealed_head(), session.ledger.sealed_entries(0, 9)) == (START, [])
                assert session.ledger.carried(SOMEBODY) is None
                assert session.ledger.damaged_versions() == []
                assert session.ledger.damaged_versions(SOMEBODY) == []

    def test_entries_of_all_owners_have_a_position(self) -> None:
        """Positions follow the order of writing over all owners, and the last one is known."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.ledger.record(_stored("m1"))
                session.ledger.record(replace(_stored("m2"), owner=SOMEBODY_ELSE))
                session.ledger.record(_stored("m3"))
            with store.read() as session:
                written = session.ledger.written(0, 9)
                assert [(one.entry.item_id, one.entry.number) for one in written] == [("m1", 1), ("m2", 1), ("m3", 2)]
                assert session.ledger.total() == 3
                first, second, third = (one.position for one in written)
                assert 0 < first < second < third
                assert session.ledger.written(first, 1) == [written[1]]
                assert session.ledger.last_written() == Head(third, written[2].entry.hash)

    def test_a_head_is_known_where_it_was_written(self) -> None:
        """A session that appended sees the new head before it ends; the next one continues from it."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.ledger.record(_stored("m1"))
                first = session.ledger.head(SOMEBODY)
                assert first is not None
                assert first.number == 1
            with store.write(SOMEBODY) as session:
                assert session.ledger.head(SOMEBODY) == first
                assert session.ledger.record(_stored("m2")) == 2

    def test_many_writers_keep_every_chain_whole(self) -> None:
        """Writers of the same and of different owners at once leave no gap and no fork in any chain."""
        with self.opened() as store, ThreadPoolExecutor(4) as threads:

            def append(turn: int) -> None:
                owner = (SOMEBODY, SOMEBODY_ELSE)[turn % 2]
                with store.write(owner) as session:
                    session.ledger.record(replace(_stored(f"m{turn}"), owner=owner))

            list(threads.map(append, range(24)))
            with store.read() as session:
                for owner in (SOMEBODY, SOMEBODY_ELSE):
                    entries = session.ledger.entries(owner, 0, 99)
                    assert [entry.number for entry in entries] == list(range(1, 13))
                    assert [fault for _, fault in checked(entries)] == [None] * 12
                    assert session.ledger.head(owner) == Head(12, entries[-1].hash)
                assert len(session.ledger.written(0, 99)) == 24

    def test_an_anchor_covers_the_chains_that_grew(self) -> None:
        """Anchors are chained and hold the heads that changed since the last one; without a change there is none."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                assert session.ledger.anchor(NOON) is None
                session.ledger.record(_stored("m1"))
                session.ledger.record(replace(_stored("m2"), owner=SOMEBODY_ELSE))
            with store.write_whole_store() as session:
                first = session.ledger.anchor(NOON)
                assert session.ledger.anchor(NOON) is None
            with store.write(SOMEBODY) as session:
                session.ledger.record(_stored("m3"))
            with store.write_whole_store() as session:
                second = session.ledger.anchor(NOON + 1)
            with store.read() as session:
                anchors = session.ledger.anchors(0, 9)
                assert anchors == [first, second]
                assert [follows for _, follows in checked_anchors(anchors)] == [True, True]
                assert {head.number for head in anchors[0].heads} == {1}
                assert [(head.user_id, head.number) for head in anchors[1].heads] == [(SOMEBODY.user_id, 2)]
                assert session.ledger.anchors(1, 9) == anchors[1:]
                assert session.ledger.newest_anchor() == Head(2, anchors[1].hash)

    def test_an_empty_ledger_has_no_head(self) -> None:
        """An empty ledger has no head, no entries and no number at any time."""
        with self.opened() as store, store.read() as session:
            ledger = session.ledger
            assert (ledger.head(SOMEBODY), ledger.last_written(), ledger.newest_anchor()) == (None, None, None)
            assert (ledger.entries(SOMEBODY, 0, 9), ledger.written(0, 9), list(ledger.chains())) == ([], [], [])
            assert ledger.number_at(SOMEBODY, NOON) == 0

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
                assert [session.ledger.number_at(SOMEBODY, moment) for moment in moments] == [0, 1, 3, 3, 4]
                assert session.ledger.number_at(SOMEBODY_ELSE, NOON + 1000) == 0

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
                assert [fault for _, fault in checked(session.ledger.entries(SOMEBODY, 0, 9))] == [None, None]
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
            with store.write_whole_store() as session:
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

    def test_a_question_is_one_entry(self) -> None:
        """A recall of several is one entry; each memory has its part, and later numbers follow."""
        first = RecalledMemory("m1", 1, 0.6123), RecalledMemory("m2", 2, 0.0)
        moved = (DisplacedMemory("m3", 3, "m2"),)
        with self.opened() as store:
            with store.write_whole_store() as session:
                session.ledger.record(_stored("m1"))
                number = session.ledger.record(recall_event(SOMEBODY, NOON + 1, first, moved))
                session.ledger.record(recall_event(SOMEBODY, NOON + 2, first[::-1]))
                session.ledger.record(recall_event(SOMEBODY, NOON + 3, first[:1]))
                session.ledger.record(recall_event(SOMEBODY_ELSE, NOON, (RecalledMemory("m1", -1, -0.25), first[1])))
            with store.read() as reader:
                ledger = reader.ledger
                assert ledger.event(SOMEBODY, number) == recall_event(SOMEBODY, NOON + 1, first, moved)
                assert [event.number for event in ledger.events(SOMEBODY, None, 9)] == [4, 3, 2, 1]
                assert [event.number for event in ledger.events(SOMEBODY, "m1", 9)] == [4, 3, 2, 1]
                assert [event.number for event in ledger.events(SOMEBODY, "m1", 2, 3)] == [3, 2]
                assert [event.number for event in ledger.events_since(SOMEBODY, 1, "m2")] == [2, 3]
                assert [event.number for event in ledger.events_since(SOMEBODY, 1, "m1", 2)] == [2, 3]
                assert ledger.events(SOMEBODY, "m1", 1, number) == [
                    Event(EventType.RECALLED, SOMEBODY, NOON + 1, "m1", {"zone": 1, "context": 0.6123})
                ]
                assert ledger.events(SOMEBODY, "m3", 9) == [
                    Event(EventType.MOVED, SOMEBODY, NOON + 1, "m3", {"zone": 3, "by": "m2"})
                ]
                assert ledger.events(SOMEBODY_ELSE, "m1", 9)[0].detail == {"zone": -1, "context": -0.25}
                assert ledger.events(SOMEBODY_ELSE, "m3", 9) == []
                asked = ["m1", "m2", "m3", "m4"]
                assert ledger.ids_with_event(SOMEBODY, asked, EventType.RECALLED) == {"m1", "m2"}
                assert ledger.ids_with_event(SOMEBODY, asked, EventType.MOVED, "by") == {"m3"}
                assert ledger.ids_with_event(SOMEBODY, asked, EventType.MOVED, "context") == set()
                assert ledger.event_counts(SOMEBODY, 0)[EventType.RECALLED] == 3
                assert ledger.latest(SOMEBODY, (EventType.RECALLED,), 1)[0].item_id == "m1"
                told = [
                    (one.item_id, one.kind, one.context) for one in reader.pictures.past_events(SOMEBODY, NOON + 2, 9)
                ]
                assert told == [
                    ("m1", "stored", 0.0), ("m1", "recalled", 0.6123), ("m2", "recalled", 0.0),
                    ("m2", "recalled", 0.0), ("m1", "recalled", 0.6123),
                ]  # fmt: skip
                assert len(reader.pictures.past_events(SOMEBODY, NOON + 2, 3)) == 3
                for owner, count in ((SOMEBODY, 4), (SOMEBODY_ELSE, 1)):
                    faults = [fault for _, fault in checked(ledger.entries(owner, 0, 9))]
                    assert faults == [None] * count

    def test_the_ledger_says_what_was_told_of_whom(self) -> None:
        """Ids are found by event type and memory; another owner's events do not count."""
        with self.opened() as store:
            with store.write_whole_store() as session:
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
