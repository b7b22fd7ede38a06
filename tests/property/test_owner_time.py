"""Whatever the clock does, memories leave only after days with their owner."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.forgetting import Departure, DepartureReason, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier, expiry
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.flow.base.owner_time import owner_time
from celestial_engine.flow.base.placement import course_of
from celestial_engine.flow.night import expire, fade
from celestial_engine.flow.night.rebalance import rebalance
from celestial_engine.flow.turn.be_present import be_present
from celestial_engine.testing.in_memory.store import DictStore

DAY = 86_400.0
NOW = 20_454 * DAY + 36_000  # ten in the morning, UTC, in 2026
OWNER, LAW = LOCAL_OWNER, Law()
FAR = {"1970": 0.0, "2038": 2_147_483_648.0, "2100": 4_102_444_800.0, "9999": 253_402_300_000.0}


def a_store(now: float) -> DictStore:
    """A memory of a month, one of a quarter and one on the cliff, of an owner who is there."""
    store = DictStore()
    month = CelestialItem("month", "a", now, now, arbitrary_importance=0.0, zone=4, tier=Tier.M30)
    quarter = replace(month, id="quarter", tier=Tier.M90, expires_at=expiry(Tier.M90, now))
    gone = replace(month, id="gone", state=State.CLIFF, departure=Departure.begin(DepartureReason.EXPIRED, now))
    be_present(store, lambda: LAW, OWNER, now, new_owner=True)
    with store.write(OWNER) as session:
        for item in (replace(month, expires_at=expiry(Tier.M30, now)), quarter, gone):
            session.items.add(item, course_of(LAW, item, now))
    return store


def a_night(store: DictStore, now: float) -> None:
    with store.read() as session:
        at = owner_time(session, LAW, OWNER, now)
        expiring, fading = expire.plan(session, OWNER, at), fade.plan(session, OWNER, at)
    expire.carry_out(store, LAW, OWNER, expiring, now)
    fade.carry_out(store, LAW, OWNER, fading, now)
    rebalance(store, LAW, now)


def states(store: DictStore) -> dict[str, State]:
    with store.read() as session:
        return {item.id: item.state for _, item in session.items.page(OWNER, -1, 9)}


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, 400), st.floats(0, DAY - 1)), max_size=45))
def test_nothing_is_removed_before_its_active_days_have_passed(steps):
    """However long the gaps between them: after n days with the owner a clock of n days is over, and not before."""
    store, day, active = a_store(NOW), int(NOW // DAY), 0
    for gap, seconds in steps:
        day += gap
        active += gap > 0
        now = max(NOW, day * DAY + seconds)
        a_night(store, now)  # before the owner comes, and after
        be_present(store, lambda: LAW, OWNER, now)
        a_night(store, now)
        found = states(store)
        if active < 7:
            assert found["gone"] is State.CLIFF
        if active < 20:
            assert found["month"] is State.ACTIVE
        if active < 30:
            assert found["month"].in_orbit
        if active > 7:
            assert "gone" not in found
        if active > 30:
            assert found.get("month") in (State.CLIFF, None)
        if active < 60:
            assert found["quarter"] is State.ACTIVE


@settings(max_examples=150)
@given(st.integers(0, 6), st.lists(st.floats(0, 40_000 * DAY), min_size=1, max_size=4))
def test_an_absence_of_any_length_changes_nothing(days_before, absences):
    store, now = a_store(NOW), NOW
    for _ in range(days_before):
        now += DAY
        be_present(store, lambda: LAW, OWNER, now)
        a_night(store, now)
    before = states(store)
    for seconds in absences:
        now += seconds
        a_night(store, now)
    assert states(store) == before
    be_present(store, lambda: LAW, OWNER, now)
    assert states(store) == before


@pytest.mark.parametrize("histories", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_clocks_lose_nothing(histories):
    """Short histories of clocks that jump to other centuries and back; seven days with the owner at most."""
    dice = random.Random(7)
    for _ in range(histories):
        store, now = a_store(NOW), NOW
        for _ in range(dice.randrange(1, 7)):
            jump = dice.random()
            if jump < 0.4:
                now = dice.choice([*FAR.values(), NOW]) + dice.uniform(0, 3 * DAY)
            elif jump < 0.7:
                now += dice.uniform(-400, 400) * DAY
            else:
                now = max(0.0, now + dice.uniform(-DAY, DAY))
            if dice.random() < 0.7:
                be_present(store, lambda: LAW, OWNER, now)
            a_night(store, now)
        found = states(store)
        assert found["gone"] is State.CLIFF
        assert found["month"] is State.ACTIVE
        assert found["quarter"] is State.ACTIVE
