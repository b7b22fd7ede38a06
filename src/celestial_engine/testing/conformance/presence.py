"""Conformance tests for presence: when an owner was last active, and the clocks that wait for them."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.record.forgetting import Departure, DepartureReason, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.ports import Recalled
from celestial_engine.testing.conformance.base import (
    FLAT,
    NOON,
    SOMEBODY,
    SOMEBODY_ELSE,
    StorePromises,
    a_course,
    an_item,
)

DAY = 86_400.0
STALE_AFTER = 90 * DAY


class PresencePromises(StorePromises):
    def test_last_active(self) -> None:
        """One moment for each owner, replaced by the next; an owner may be known before their first memory."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                assert session.presence.last_active(SOMEBODY) is None
                session.presence.set_active(SOMEBODY, NOON)
                session.presence.set_active(SOMEBODY, NOON - 5)
            with store.read() as session:
                assert session.presence.last_active(SOMEBODY) == NOON - 5
                assert session.presence.last_active(SOMEBODY_ELSE) is None

    def test_waiting(self) -> None:
        """Memories wait for an owner until they are active again; nobody waits for one who was never seen."""
        with self.opened() as store, store.write(SOMEBODY) as session:
            session.presence.wait_for(SOMEBODY)
            assert not session.presence.is_waited_for(SOMEBODY)
            session.presence.set_active(SOMEBODY, NOON)
            session.presence.wait_for(SOMEBODY)
            assert session.presence.is_waited_for(SOMEBODY)
            session.presence.set_active(SOMEBODY, NOON + 1)
            assert not session.presence.is_waited_for(SOMEBODY)

    def test_moments_are_set_again(self) -> None:
        """With no seconds the clocks stay, and what they end gets its next moment back."""
        with self.opened() as store, store.write(SOMEBODY) as session:
            for item in _memories():
                session.items.add(item, a_course(moment=None))
            session.presence.shift_clocks(SOMEBODY, 0.0, NOON, STALE_AFTER)
            assert session.items.get_many(SOMEBODY, ["active", "inactive", "gone"]) == _memories()
            assert [memory.item_id for memory in session.orbits.due(NOON + 90 * DAY, 9)] == ["gone", "active"]

    def test_clocks_are_set_forward(self) -> None:
        """Ends and beginnings move by the same seconds, of one owner; what the calendar says stays."""
        with self.opened() as store:
            with store.write_whole_store() as session:
                for owner in (SOMEBODY, SOMEBODY_ELSE):
                    for item in _memories():
                        session.items.add(replace(item, owner=owner), a_course(moment=NOON + 400 * DAY))
                session.presence.shift_clocks(SOMEBODY, 10 * DAY, NOON + 20 * DAY, STALE_AFTER)
            with store.read() as session:
                before = [replace(item, owner=SOMEBODY_ELSE) for item in _memories()]
                assert session.items.get_many(SOMEBODY_ELSE, ["active", "inactive", "gone"]) == before
                active, inactive, gone = session.items.get_many(SOMEBODY, ["active", "inactive", "gone"])
                assert (active.created_at, active.last_recalled_at) == (NOON, NOON)
                assert (active.expires_at, active.idle_from) == (NOON + 40 * DAY, NOON + 10 * DAY)
                assert (inactive.state_since, inactive.expires_at) == (NOON + 12 * DAY, None)
                assert gone.departure == Departure(DepartureReason.STALE, NOON, NOON + 17 * DAY)
                due = session.orbits.due(NOON + 100 * DAY, 9)
                assert [memory.item_id for memory in due] == ["gone", "active"], "rescheduled by their clocks"

    def test_clocks_are_set_back_without_running_out(self) -> None:
        """A clock that would have run out stays as it is, and idle time does not begin before the memory."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for item in _memories():
                    session.items.add(item, a_course())
                ahead = replace(an_item("ahead"), last_recalled_at=NOON + 99 * DAY)
                session.items.add(ahead, a_course(moment=NOON + 100 * DAY))
                session.presence.shift_clocks(SOMEBODY, -20 * DAY, NOON + 1, None)
            with store.read() as session:
                active, gone, ahead = session.items.get_many(SOMEBODY, ["active", "gone", "ahead"])
                assert (active.expires_at, active.idle_from) == (NOON + 10 * DAY, NOON)
                assert gone.departure is not None
                assert gone.departure.purge_at == NOON + 7 * DAY
                assert (ahead.last_recalled_at, ahead.idle_from) == (NOON + 1, NOON + 79 * DAY)
                assert "ahead" in [memory.item_id for memory in session.orbits.due(NOON + 1, 9)]

    def test_idle_time_ends_with_a_recall(self) -> None:
        """A recall makes a memory idle since then, whatever its clock was set to."""
        with self.opened() as store, store.write(SOMEBODY) as session:
            key = session.items.add(replace(an_item("m1"), idle_since=NOON + 5), a_course())
            session.items.reinforce(SOMEBODY, NOON + 9, [Recalled(key, 0.0, 2, a_course())])
            item = session.items.get(SOMEBODY, "m1")
            assert item is not None
            assert (item.idle_since, item.idle_from) == (None, NOON + 9)

    def test_overdue(self) -> None:
        """What may leave by a moment: purged from the cliff, or idle for long, of M30 or M90 and not protected."""
        with self.opened() as store, store.write_whole_store() as session:
            for item in _memories():
                session.items.add(item, a_course(0.0, FLAT))
            session.items.add(replace(an_item("year"), tier=Tier.M365), a_course())
            session.items.add(an_item("other", owner=SOMEBODY_ELSE), a_course())

            def overdue(at: float, stale_after: float | None) -> list[str]:
                return [memory.item_id for memory in session.orbits.overdue(SOMEBODY, at, stale_after)]

            assert overdue(NOON + 90 * DAY, STALE_AFTER) == ["active", "gone"]
            assert overdue(NOON + 90 * DAY, None) == ["gone"]
            assert overdue(NOON + 7 * DAY - 1, STALE_AFTER) == []


def _memories() -> list[CelestialItem]:
    return [
        replace(an_item("active"), expires_at=NOON + 30 * DAY),
        replace(an_item("inactive"), state=State.INACTIVE, state_since=NOON + 2 * DAY),
        replace(an_item("gone"), state=State.CLIFF, departure=Departure.begin(DepartureReason.STALE, NOON)),
    ]
