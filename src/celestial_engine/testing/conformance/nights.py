"""What a store promises to whoever sleeps on it."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.night.sleep import Census
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.ports import JobState
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item

DAY = 86_400.0


class NightPromises(StorePromises):
    def test_everybody_is_counted_where_they_are(self) -> None:
        """By state; by zone and tier only those in orbit; nobody else's."""
        with self.opened() as store:
            with store.write() as session:
                session.add(replace(an_item("a", zone=3), tier=Tier.M30), a_course())
                session.add(replace(an_item("b", zone=3), state=State.FADED), a_course())
                session.add(replace(an_item("c"), state=State.CLIFF), a_course())
                session.add(an_item("d", owner=SOMEBODY_ELSE), a_course())
            with store.read() as reader:
                assert set(reader.owners()) == {SOMEBODY, SOMEBODY_ELSE}
                assert reader.census(SOMEBODY) == Census(
                    {State.ACTIVE: 1, State.FADED: 1, State.CLIFF: 1}, {3: 2}, {Tier.M30: 1, Tier.M90: 1}
                )

    def test_the_ledger_is_asked_by_type(self) -> None:
        """The newest first, and how many there were since a number."""
        with self.opened() as store:
            with store.write() as session:
                session.add(an_item("a"), a_course())
                for place, kind in enumerate((EventType.SLEPT, EventType.RATED, EventType.SLEPT)):
                    session.record(Event(kind, SOMEBODY, NOON, None, {"place": place}))
                session.record(Event(EventType.SLEPT, SOMEBODY_ELSE, NOON))
            with store.read() as reader:
                nights = reader.latest(SOMEBODY, (EventType.SLEPT,), 5)
                assert [night.detail["place"] for night in nights] == [2, 0]
                assert len(reader.latest(SOMEBODY, (EventType.SLEPT, EventType.RATED), 2)) == 2
                last = nights[1].number or 0
                assert reader.event_counts(SOMEBODY, last) == {EventType.SLEPT: 1, EventType.RATED: 1}

    def test_a_lease_is_held_by_whoever_extends_it(self) -> None:
        """Until it ends; then it is the next one's, and extending it is refused."""
        with self.opened() as store:
            jobs = store.jobs
            assert jobs.claim("sleep", "a", NOON, 0.0, 100.0)
            assert jobs.extend("sleep", "a", NOON + 90, 100.0)
            assert not jobs.claim("sleep", "b", NOON + 110, 0.0, 100.0)
            assert jobs.states("sleep") == {"sleep": JobState(None, "a", NOON + 190)}
            assert jobs.claim("sleep", "b", NOON + 190, 0.0, 100.0)
            assert not jobs.extend("sleep", "a", NOON + 191, 100.0)
            jobs.finish("sleep", "b", NOON)
            assert jobs.states("sleep") == {"sleep": JobState(NOON, None, None)}

    def test_work_done_under_another_lease_is_noted(self) -> None:
        """By names, and found again by how they begin."""
        with self.opened() as store:
            store.jobs.note({"sleep/fade a": NOON, "sleep/expire a": NOON, "rebalance": NOON})
            store.jobs.note({"sleep/fade a": NOON + DAY})
            found = {name: state.last_run for name, state in store.jobs.states("sleep/").items()}
            assert found == {"sleep/fade a": NOON + DAY, "sleep/expire a": NOON}
