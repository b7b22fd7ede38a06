"""Nothing leaves while the owner is away, whatever the clock says; with the owner every lifetime holds to the second."""

from __future__ import annotations

import logging
import sqlite3

import pytest
from tests.older_databases import before_owner_chains

from celestial_engine import CelestialMemory, ItemFilter, KeepingSettings, NightSettings, Settings, State, Tier
from celestial_engine.core.keeping.retention import RetentionPolicy
from celestial_engine.core.night.sleep import Duty, Outcome, SleepSettings
from celestial_engine.core.record.events import EventType
from celestial_engine.errors import ConfigError, NotFoundError
from celestial_engine.testing.fakes import FakeClock
from celestial_engine.testing.in_memory.store import DictStore

DAY = 86_400.0
YEAR_2100 = 4_102_444_800.0
ANY_STATE = ItemFilter(states=tuple(state for state in State if state is not State.PURGED))


@pytest.fixture(params=["sqlite", "dictionaries"])
def memory(request, clock):
    store = DictStore() if request.param == "dictionaries" else None
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, item_store=store) as opened:
        yield opened


def live(memory, clock, days):
    """A user who is there every day; the nights are slept."""
    for _ in range(days):
        clock.advance(days=1)
        memory.remind(memory.company)
        memory.sleep(force=True)


@pytest.fixture
def company(memory):
    """A memory that the user recalls every day."""
    memory.company = memory.store("the one that is recalled every day", tier=Tier.M90, pinned=True).id
    return memory


def states(memory):
    return {item.id: item.state for item in memory.list(1000, where=ANY_STATE)}


# -- with the owner ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tier", "days"), [(Tier.M30, 30), (Tier.M90, 90), (Tier.M365, 365)])
def test_a_lifetime_holds_to_the_second(company, clock, tier, days):
    """Seed 004: 30, 90, 365 days, then seven on the cliff, then gone, for an owner who is there every day."""
    memory, item = company, company.store("a word", importance=1.0, tier=tier)
    assert item.expires_at == clock() + days * DAY
    for _ in range(days - 1):
        clock.advance(days=1)
        memory.remind(item.id)
    clock.advance(days=1, seconds=-1)
    memory.remind(item.id)
    memory.sleep(duties=["expire"])
    assert memory.get(item.id).state is State.ACTIVE
    clock.advance(seconds=1)
    memory.sleep(duties=["expire"])
    gone = memory.get(item.id)
    assert gone.departure is not None
    assert (gone.state, gone.departure.purge_at) == (State.CLIFF, clock() + 7 * DAY)
    for _ in range(6):
        clock.advance(days=1)
        memory.remind(company.company)
    clock.advance(days=1, seconds=-1)
    memory.remind(company.company)
    assert memory.rebalance().purged == 0
    clock.advance(seconds=1)
    assert memory.rebalance().purged == 1
    with pytest.raises(NotFoundError):
        memory.get(item.id)


def test_ninety_idle_days_with_the_owner(company, clock):
    item = company.store("idle", importance=0.0, tier=Tier.M90)
    for _ in range(89):
        clock.advance(days=1)
        company.remind(company.company)
        company.rebalance()
    clock.advance(days=1, seconds=-1)
    company.remind(company.company)
    assert company.rebalance().forgotten == 0
    clock.advance(seconds=1)
    assert company.rebalance().forgotten == 1
    assert company.get(item.id).state is State.CLIFF


def test_looking_is_not_being_there(memory, clock):
    """Search, lists, explanations and nights are no activity."""
    item = memory.store("a note", tier=Tier.M30)
    for _ in range(60):
        clock.advance(days=1)
        memory.search("note")
        memory.list()
        memory.explain(item.id)
        memory.compose("note", reinforce=False)
        memory.sleep(force=True)
    assert memory.get(item.id).state is State.ACTIVE


# -- without ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [2, 40, 400, 27_000])
def test_an_absence_changes_no_set_of_memories(company, clock, days):
    """With active, faded and inactive memories and some on the cliff; then every clock goes on where it stopped."""
    memory = company
    old = memory.store("an old note", tier=Tier.M30)
    live(memory, clock, 26)
    assert memory.get(old.id).state is State.FADED
    young = memory.store("a young note", tier=Tier.M30)
    gone = memory.store("a forgotten note")
    memory.forget(gone.id)
    live(memory, clock, 2)
    before, left = states(memory), {item.id: _left(memory, item.id) for item in (old, young, gone)}
    for _ in range(5):
        clock.advance(days=days / 5)
        memory.rebalance()
        memory.sleep(force=True)
    assert states(memory) == before
    clock.advance(days=1)
    memory.remind(memory.company)
    memory.sleep(force=True)
    assert states(memory) == before
    for item_id, seconds in left.items():
        assert abs(_left(memory, item_id) - seconds) <= 2 * DAY
    live(memory, clock, 4)
    assert memory.get(old.id).state is State.CLIFF
    live(memory, clock, 8)
    with pytest.raises(NotFoundError):
        memory.get(old.id)
    with pytest.raises(NotFoundError):
        memory.get(gone.id)
    assert memory.get(young.id).state.in_orbit
    assert memory.maintenance.check() == []


def _left(memory, item_id):
    item = memory.get(item_id)
    end = item.expires_at if item.departure is None else item.departure.purge_at
    return end - memory.parts.now()


def test_the_owner_who_never_returns(memory, clock):
    """Nothing leaves, and nothing is visited again and again."""
    for number in range(20):
        memory.store(f"note {number}", importance=0.0, tier=Tier.M30)
    gone = memory.store("forgotten")
    memory.forget(gone.id)
    clock.advance(days=200)
    memory.rebalance()
    for _ in range(40):
        clock.advance(days=90)
        assert memory.rebalance().visited == 0
        memory.sleep(force=True)
    assert len(memory.list(100)) == 20
    assert memory.get(gone.id).state is State.CLIFF


def test_a_rebalance_comes_before_the_owner(company, clock):
    """What waits for the owner on the day itself goes when they come, without an absence."""
    memory = company
    gone, idle = memory.store("forgotten"), memory.store("idle", importance=0.0, tier=Tier.M90)
    for _ in range(83):
        clock.advance(days=1)
        memory.remind(memory.company)
    memory.forget(gone.id)
    for _ in range(6):
        clock.advance(days=1)
        memory.remind(memory.company)
    clock.advance(days=1)
    assert (memory.rebalance().purged, memory.get(idle.id).state) == (0, State.ACTIVE)
    assert memory.rebalance().visited == 0
    memory.remind(memory.company)
    result = memory.rebalance()
    assert (result.purged, result.forgotten) == (1, 1)


def test_owners_are_away_each_for_themselves(memory, clock):
    mina, jun = memory.of("mina"), memory.of("jun")
    notes = {owner: owner.store("a note", tier=Tier.M30) for owner in (mina, jun)}
    for _ in range(40):
        clock.advance(days=1)
        mina.recall("something else entirely")
        memory.night.sleep_everybody(force=True)
    with pytest.raises(NotFoundError):
        mina.get(notes[mina].id)
    assert jun.get(notes[jun].id).state is State.ACTIVE
    jun.recall("note")
    (event,) = [event for event in jun.ledger.history() if event.type is EventType.ABSENCE]
    assert event.detail["days"] == 39
    assert not [event for event in mina.ledger.history() if event.type is EventType.ABSENCE]


def test_retention_counts_days_with_the_owner(clock):
    policy = RetentionPolicy(archive_after_days=30, delete_after_days=180)
    settings = Settings(keeping=KeepingSettings(retention=policy))
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=settings) as memory:
        item = memory.store("an old session", tier=Tier.M365, session_id="s")
        clock.advance(days=900)
        assert not memory.departures.retain(dry_run=True).plan.archiving
        memory.sleep(force=True)
        assert memory.get(item.id).state is State.ACTIVE


def test_by_the_calendar_every_day_counts(monkeypatch, clock):
    """The choice is stored in the database, as the rest of its law."""
    store = DictStore()
    settings = Settings(keeping=KeepingSettings(time="calendar"))
    with CelestialMemory(
        ":memory:", None, rebalance_interval=None, clock=clock, item_store=store, settings=settings
    ) as memory:
        item = memory.store("a note", tier=Tier.M30)
        clock.advance(days=30)
        memory.sleep(force=True)
        assert memory.get(item.id).state is State.CLIFF
        memory.restore(item.id)
    with pytest.raises(ConfigError):
        CelestialMemory(":memory:", settings=Settings(keeping=KeepingSettings(time="lunar")))
    monkeypatch.setenv("CELESTIAL_TIME", "calendar")
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as memory:
        assert memory.parts.law().time.value == "calendar"


def test_waiting_memories_go_when_the_calendar_is_chosen(tmp_path, clock):
    path = tmp_path / "m.db"
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        memory.forget(memory.store("forgotten").id)
        clock.advance(days=50)
        assert memory.rebalance().purged == 0
    settings = Settings(keeping=KeepingSettings(time="calendar"))
    with CelestialMemory(path, rebalance_interval=None, clock=clock, settings=settings) as memory:
        assert memory.rebalance().purged == 1


# -- wrong clocks ------------------------------------------------------------------------------------------


def test_a_wrong_clock_removes_nothing(memory, clock, caplog):
    """A recall in 2100, ten days later once more, and back: everything is as it was, and the user is told."""
    items = [memory.store(f"topic {number}", tier=Tier.M30) for number in range(8)]
    gone = memory.store("a forgotten topic")
    memory.forget(gone.id)
    today, left = clock(), {item.id: _left(memory, item.id) for item in (*items, gone)}
    with caplog.at_level(logging.WARNING):
        for moment in (YEAR_2100, YEAR_2100 + 10 * DAY):
            clock.now = moment
            memory.recall("topic")
            memory.rebalance()
            memory.sleep(force=True)
        clock.now = today + 3600
        memory.recall("topic")
    assert {item.state for item in map(memory.get, (item.id for item in items))} == {State.ACTIVE}
    assert {item_id: _left(memory, item_id) for item_id in left} == pytest.approx(
        {item_id: seconds - 3600 for item_id, seconds in left.items()}, abs=DAY + 1
    )
    memory.rebalance()
    memory.sleep(force=True)
    assert memory.get(gone.id).state is State.CLIFF
    assert max(item.last_recalled_at for item in memory.list(20)) <= clock()
    assert "the clock was set back" in caplog.text
    assert [notice.detail["notice"] for notice in memory.ledger.notices()] == ["clock_set_back", "long_absence"]
    assert memory.ledger.verify().ok


def test_memories_stored_by_a_wrong_clock_live_their_time(company, clock):
    today = clock()
    clock.now = YEAR_2100
    item = company.store("stored in the wrong century", tier=Tier.M30)
    clock.now = today
    company.remind(company.company)
    live(company, clock, 28)
    assert company.get(item.id).state.in_orbit
    live(company, clock, 4)
    assert company.get(item.id).state is State.CLIFF


# -- transactions, files and brakes --------------------------------------------------------------------------


def test_a_return_is_one_transaction(clock):
    """Killed between the clocks and the note of the activity, neither is written."""
    store = DictStore()
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, item_store=store) as memory:
        item = memory.store("a note", tier=Tier.M30)
        clock.advance(days=100)
        with pytest.MonkeyPatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(
                "celestial_engine.testing.in_memory.presence.DictPresence.set_active", _killed, raising=True
            )
            memory.recall("note")
        assert memory.get(item.id).expires_at == item.expires_at
        memory.recall("note")
        assert memory.get(item.id).expires_at == item.expires_at + 99 * DAY


def _killed(*_):
    raise KeyboardInterrupt


def test_a_database_from_before_counts_from_its_newest_activity(tmp_path, clock):
    path = tmp_path / "m.db"
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        faded = memory.store("faded before", tier=Tier.M90)
        memory.store("a note", tier=Tier.M30)
        live_by = clock() + 5 * DAY
        clock.now = live_by
        memory.recall("note")
    before_owner_chains(path)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE texts SET facets = '{\"state_since\": 7.5}' WHERE content = 'faded before'")
        db.execute("UPDATE items SET state = 'faded' WHERE id = ?", (faded.id,))
        db.execute("DROP TABLE presence")
        db.execute("ALTER TABLE items DROP COLUMN idle_since")
        db.execute("ALTER TABLE items DROP COLUMN state_since")
        db.execute("PRAGMA user_version = 18")
    db.close()
    clock.advance(days=500)
    with CelestialMemory(path, rebalance_interval=None, clock=clock) as memory:
        with memory.parts.store.read() as session:
            assert session.presence.last_active(memory.owner) == live_by
        assert memory.get(faded.id).state_since == 7.5
        memory.sleep(force=True)
        assert {item.state.in_orbit for item in memory.list()} == {True}


def test_a_read_only_answer_does_not_need_the_note(memory, clock, monkeypatch):
    from celestial_engine.errors import BusyError

    memory.store("a note")
    clock.advance(days=9)

    def refuse(*_, **__):
        raise BusyError(path="m.db", seconds=1)

    monkeypatch.setattr("celestial_engine.engine.parts.be_present", refuse)
    assert [hit.content for hit in memory.recall("note")] == ["a note"]


def test_a_rebalance_asks_before_it_removes_many(clock, caplog):
    """Both what goes stale and what is purged; with the user's word all of it goes."""
    settings = Settings(night=NightSettings(limits=SleepSettings(0.2, 5)), keeping=KeepingSettings(time="calendar"))
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=settings) as memory:
        for number in range(30):
            memory.store(f"note {number}", importance=0.0, tier=Tier.M90)
        clock.advance(days=91)
        with caplog.at_level(logging.WARNING):
            result = memory.rebalance()
        assert (result.held, result.forgotten) == (30, 0)
        assert "wait for your word" in caplog.text
        assert memory.rebalance().visited == 0
        report = memory.sleep(duties=["rebalance"])
        assert report.duties[0].outcome is Outcome.DONE  # it asks again tomorrow
        clock.advance(days=1)
        (held,) = memory.sleep(duties=["rebalance"]).held
        assert (held.duty, len(held.leaving), held.counts) == (Duty.REBALANCE, 30, {"held": 30})
        assert memory.rebalance(allow_large=True).forgotten == 30
        clock.advance(days=7)
        assert (memory.rebalance().held, len(memory.departures.cliff())) == (30, 30)
        memory.sleep(duties=["rebalance"], allow_large=True)
        assert memory.departures.cliff() == []


def test_what_the_user_forgot_is_purged_without_asking(clock):
    settings = Settings(keeping=KeepingSettings(time="calendar"))
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, settings=settings) as memory:
        for number in range(30):
            memory.forget(memory.store(f"note {number}").id)
        clock.advance(days=7)
        assert memory.rebalance().purged == 30


def test_the_fake_clock_is_far_from_midnight():
    """The tests above count on it."""
    assert 3600 < FakeClock()() % DAY < DAY - 3600
