"""A time machine: a user's year, in Korean and English, with every duty of every night.

Small by default; CELESTIAL_TEST_YEAR=10 makes it ten memories a day.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[2]))  # the benchmarks are not installed with the engine

from benchmarks.days import User, live

from celestial_engine import CelestialMemory, NightSettings, Settings
from celestial_engine.core.night.sleep import Duty, Outcome, SleepSettings
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.forgetting import CLIFF_STAY, INACTIVE_STAY, DepartureReason, Protection, State
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.flow.base.owner_time import owner_time
from celestial_engine.testing.fakes import FakeClock
from celestial_engine.testing.in_memory.store import DictStore

NEW_YEAR = 1_767_236_400.0  # 2026-01-01, three in the morning
EVERYTHING = 1_000_000
UNBRAKED = Settings(night=NightSettings(limits=SleepSettings(always_allowed=EVERYTHING)))  # has tests of its own
DAY = 86_400.0


def records(memory: CelestialMemory) -> dict[str, dict]:
    return {record["id"]: record for record in memory.transfer.export()}


def check_night(memory: CelestialMemory, user: User, now: float) -> None:
    """What is true every morning."""
    found, law = records(memory), memory.parts.law()
    with memory.parts.store.read() as session:
        now = owner_time(session, law, memory.owner, now)
    for item_id in user.pinned:
        assert found[item_id]["state"] == State.ACTIVE.value, "what is protected never leaves, and never fades"
    for item_id, record in found.items():
        free = record["protection"] == Protection.NONE.value
        in_use = State(record["state"]) in (State.ACTIVE, State.FADED, State.INACTIVE)
        lasting = record["tier"] == Tier.M365.value and record["tier_reason"] in ("lasting", "asked")
        if free and in_use and not lasting and record["expires_at"] is not None:
            assert record["expires_at"] > now, f"{item_id} outlived its time"
        if record["state"] == State.INACTIVE.value:
            assert record["state_since"] > now - INACTIVE_STAY.total_seconds()
        if record["state"] == State.CLIFF.value:
            assert record["departure"]["purge_at"] > now, f"{item_id} should be gone"
        if record["tier"] == Tier.M0.value:
            assert item_id in user.approved, "a core memory that nobody approved"
    census = memory.night.reports(1)[0].after
    assert sum(census.states.values()) == len(found)
    assert census.in_orbit == memory.stats()["total"]


def check_ledger(memory: CelestialMemory) -> None:
    """Everybody who ever was is here, or passed the cliff and is told of."""
    lives = defaultdict(list)
    for event in reversed(memory.ledger.history(limit=EVERYTHING)):
        if event.item_id is not None:
            lives[event.item_id].append(event)
    born = {item_id for item_id, events in lives.items() if events[0].type is EventType.STORED}
    here = records(memory).keys()
    gone = {item_id for item_id, events in lives.items() if events[-1].type is EventType.PURGED}
    assert born == here | gone
    assert not here & gone
    for item_id in gone:
        *_, leaving, purge = [
            event for event in lives[item_id] if event.type in (EventType.FORGOTTEN, EventType.PURGED)
        ]
        assert leaving.type is EventType.FORGOTTEN
        assert DepartureReason(leaving.detail["reason"])
        assert purge.at - leaving.at >= CLIFF_STAY.total_seconds()
    assert memory.ledger.verify().ok


def check_that_twice_is_once(memory: CelestialMemory) -> None:
    """A second night at the same moment changes nothing but the ledger."""
    memory.sleep(force=True)
    once = records(memory)
    again = memory.sleep(force=True)
    assert records(memory) == once
    assert again.before == again.after


def lived(memory: CelestialMemory, clock: FakeClock, days: int, seed: int, a_day: int, check_every: int = 1) -> User:
    user = User(memory, seed, a_day)
    for night in live(user, clock.advance, days):
        if night.report is None:
            continue
        assert not night.report.failed
        assert all(one.outcome in (Outcome.DONE, Outcome.HELD) for one in night.report.duties)
        assert {Duty.EXPIRE, Duty.FADE, Duty.REBALANCE} <= {one.duty for one in night.report.duties}
        if night.day % check_every == 0:
            check_night(memory, user, clock())
        if night.day % 45 == 44:
            check_that_twice_is_once(memory)
    check_ledger(memory)
    return user


@pytest.mark.slow
def test_a_year():
    """Nothing valuable disappears, nothing else stays, and the ledger knows it all."""
    clock = FakeClock(NEW_YEAR)
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=UNBRAKED) as memory:
        user = lived(memory, clock, 365, 1, int(os.environ.get("CELESTIAL_TEST_YEAR", "1")), check_every=5)
        told = {event.type for event in memory.ledger.history(limit=EVERYTHING)}
        happened = {EventType.FADED, EventType.PROMOTED, EventType.MERGED, EventType.SUPERSEDED, EventType.PURGED}
        assert happened <= told
        assert len(memory.night.reports(EVERYTHING)) >= 365 - 21
        now = records(memory)
        distilled = [record for record in now.values() if record["links"]["promoted_from"]]
        assert any(record["tier"] == Tier.M365.value for record in distilled)
        assert user.stored > len(now) / 2


@settings(max_examples=2)
@given(st.integers(0, 10_000), st.booleans())
def test_two_months_of_anybody(seed, dictionaries):
    """The same for other users, in both stores."""
    clock = FakeClock(NEW_YEAR)
    store = DictStore() if dictionaries else None
    with CelestialMemory(
        ":memory:", rebalance_interval=None, clock=clock, item_store=store, settings=UNBRAKED
    ) as memory:
        lived(memory, clock, 46, seed, 1, check_every=7)


@pytest.mark.usefixtures("calendar_time")
def test_a_month_away_promotes_before_it_expires():
    """What earned a longer life while nobody slept has it when the machine wakes up."""
    clock = FakeClock(NEW_YEAR)
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as memory:
        item = memory.store("the spare key is under the blue pot", tier=Tier.M30)
        memory.sleep()
        for _ in range(3):
            memory.recall("where is the spare key?")
        clock.advance(days=32)
        report = memory.sleep()
        assert (report.count("promoted"), report.count("expired")) == (1, 0)
        (kept,) = memory.list()
        assert (kept.id, kept.tier, kept.state) == (item.id, Tier.M90, State.ACTIVE)
        assert kept.expires_at == clock() + 90 * 86_400
