"""Nights under a lease: due once, held when too much would leave, ended early, and never in anybody's way."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass

import pytest

from celestial_engine import CelestialMemory, NightSettings, Settings
from celestial_engine.core.night.sleep import Duty, Outcome, SleepSettings
from celestial_engine.core.record.forgetting import DepartureReason, State
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine.schedule.night import LEASE_SECONDS, NightRunner, SleepRequest, Work, lease_of
from celestial_engine.errors import InvalidInputError, Reason, StorageError
from celestial_engine.flow.base.placement import move_to_cliff
from celestial_engine.ports import ItemFilter
from celestial_engine.testing.fakes import FakeClock
from celestial_engine.testing.in_memory.store import DictStore

pytestmark = pytest.mark.usefixtures("calendar_time")  # their owners do nothing for weeks

ME = Owner()


@dataclass(frozen=True)
class Marked:
    """The memories whose text says that they are to go."""

    leaving: tuple[str, ...]


def forgetting(mark: str = "leaves", a_time: int = 1) -> Work:
    """A simple duty with a plan and small steps: it forgets what is marked."""

    def plan(session, law, owner, now, last_run):
        found = session.items.newest(owner, ItemFilter(), None)
        return Marked(tuple(sorted(item.id for item in found if mark in item.content)))

    def carry_out(store, law, owner, planned, now, step):
        done = 0
        for start in range(0, len(planned.leaving), a_time):
            step(done, len(planned.leaving))
            with store.write(owner) as session:
                for item in session.items.get_many(owner, planned.leaving[start : start + a_time]):
                    if item.state is State.ACTIVE:
                        move_to_cliff(session, law, item, DepartureReason.MERGED, now)
                        done += 1
        return {"forgotten": done}

    return Work(plan, carry_out)


@pytest.fixture(params=["sqlite", "dictionaries"])
def memory(request, clock):
    store = DictStore() if request.param == "dictionaries" else None
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, item_store=store) as opened:
        yield opened


def sleeper(memory, clock, works=None, settings=None, woken=lambda: False) -> NightRunner:
    works = {Duty.CONSOLIDATE: forgetting()} if works is None else works
    return NightRunner(memory.parts.store, memory.parts.law, works, settings or SleepSettings(), clock, woken)


def filled(memory, staying: int, leaving: int, **whose) -> None:
    memory.of(**whose).store_many([f"this one stays {number}" for number in range(staying)])
    memory.of(**whose).store_many([f"this one leaves {number}" for number in range(leaving)])


# -- once a night -------------------------------------------------------------------------------------


def test_a_night_is_slept_once(memory, clock):
    """Then there is nothing to do until the next day, unless somebody insists."""
    filled(memory, 30, 2)
    one = sleeper(memory, clock)
    assert one.sleep(ME, SleepRequest()).count("forgotten") == 2
    assert one.sleep(ME, SleepRequest()).duties == ()
    assert [done.outcome for done in one.sleep(ME, SleepRequest(force=True)).duties] == [Outcome.DONE]
    clock.advance(days=1)
    assert len(one.sleep(ME, SleepRequest()).duties) == 1


def test_the_report_counts_before_and_after(memory, clock):
    filled(memory, 30, 2)
    report = sleeper(memory, clock).sleep(ME, SleepRequest())
    assert (report.before.in_orbit, report.after.in_orbit, report.after.states[State.CLIFF]) == (32, 30, 2)
    (told,) = memory.night.reports()
    assert (told.before, told.after, told.count("forgotten")) == (report.before, report.after, 2)


def test_a_dry_run_says_what_would_leave_and_changes_nothing(memory, clock):
    filled(memory, 30, 2)
    before = memory.ledger.history(limit=100)
    one = sleeper(memory, clock)
    report = one.sleep(ME, SleepRequest(dry_run=True))
    assert [(done.outcome, len(done.leaving)) for done in report.duties] == [(Outcome.PLANNED, 2)]
    assert memory.ledger.history(limit=100) == before
    assert one.sleep(ME, SleepRequest()).count("forgotten") == 2


def test_a_dry_run_counts_nobody_twice(memory, clock):
    """Whose time is over does not fade as well: what would be held is what the night would hold."""
    filled(memory, 20, 80)
    works = {Duty.EXPIRE: forgetting(), Duty.FADE: forgetting()}
    report = sleeper(memory, clock, works).sleep(ME, SleepRequest(dry_run=True))
    assert [(one.outcome, len(one.planned)) for one in report.duties] == [
        (Outcome.PLANNED, 80),
        (Outcome.PLANNED, 0),
    ]
    assert not sleeper(memory, clock, works).sleep(ME, SleepRequest()).held


def test_a_dry_run_tells_who_would_be_gone_for_good(memory, clock):
    """The purge is the one step that nobody can take back."""
    item = memory.store("the tent is in the cellar")
    memory.of("mina").forget(memory.of("mina").store("somebody else's").id)
    memory.forget(item.id)
    clock.advance(days=8)
    planned = [one for duty in memory.sleep(dry_run=True).duties for one in duty.planned]
    assert [(one.item_id, one.change) for one in planned] == [(item.id, "is_purged")]
    assert memory.get(item.id).state is State.CLIFF


def test_everybody_sleeps_and_what_is_for_all_is_done_once(memory, clock):
    """Each owner has a night of their own."""
    filled(memory, 30, 1)
    filled(memory, 30, 2, user_id="mina")
    tidied = []

    def tidy(store, law, owner, plan, now, step):
        tidied.append(owner)
        return {}

    works = {Duty.CONSOLIDATE: forgetting(), Duty.TIDY: Work(lambda *_: Marked(()), tidy)}
    one = sleeper(memory, clock, works)
    reports = {report.owner: report for report in one.sleep_if_due()}
    assert {owner: report.count("forgotten") for owner, report in reports.items()} == {ME: 1, Owner("mina"): 2}
    assert len(tidied) == 1
    assert one.sleep_if_due() == []
    assert len(memory.of("mina").night.reports()) == 1


def test_processes_share_the_owners(memory, clock):
    """Whose night another process runs is left to it, and the whole store waits until all are done."""
    filled(memory, 30, 1)
    filled(memory, 30, 2, user_id="mina")
    tidied = []

    def tidy(store, law, owner, plan, now, step):
        tidied.append(owner)
        return {}

    works = {Duty.CONSOLIDATE: forgetting(), Duty.TIDY: Work(lambda *_: Marked(()), tidy)}
    jobs, other = memory.parts.store.jobs, lease_of(ME)
    assert jobs.claim(other, "somebody", clock(), 0.0, LEASE_SECONDS)
    first = {report.owner: report for report in sleeper(memory, clock, works).sleep_everybody(SleepRequest())}
    assert first[ME].busy == "somebody"
    assert (first[Owner("mina")].count("forgotten"), tidied) == (2, [])
    jobs.finish(other, "somebody", None)
    second = {report.owner: report for report in sleeper(memory, clock, works).sleep_everybody(SleepRequest())}
    assert (second[ME].count("forgotten"), second[Owner("mina")].count("forgotten")) == (1, 0)
    assert len(tidied) == 1
    assert sleeper(memory, clock, works).sleep_if_due() == []


def test_what_a_dead_process_had_done_is_not_done_again(memory, clock):
    """Even by force: the record of the night says which duties were done since the run began."""
    filled(memory, 30, 2)
    works = {Duty.CONSOLIDATE: forgetting(), Duty.FADE: forgetting("never")}
    began = clock()
    one = sleeper(memory, clock, works)
    one.sleep(ME, SleepRequest(duties=(Duty.CONSOLIDATE,)))
    clock.advance(seconds=1)
    again = one.sleep(ME, SleepRequest(force=True, not_since=began))
    assert [done.duty for done in again.duties] == [Duty.FADE]
    assert one.sleep(ME, SleepRequest(force=True, not_since=began)).duties == ()


def test_who_has_no_memories_sleeps_without_a_trace(memory, clock):
    assert memory.sleep().owner == ME
    assert memory.ledger.history() == []


def test_only_the_duties_that_are_named(memory, clock):
    works = {Duty.CONSOLIDATE: forgetting(), Duty.FADE: forgetting("never")}
    report = sleeper(memory, clock, works).sleep(ME, SleepRequest(duties=(Duty.FADE,)))
    assert [done.duty for done in report.duties] == [Duty.FADE]
    with pytest.raises(InvalidInputError, match="dance"):
        memory.sleep(duties=["dance"])


# -- the guard ----------------------------------------------------------------------------------------


def test_a_wipe_out_stops_and_asks(memory, clock):
    """Nobody leaves; the next night asks again; the user's word lets them go, and they can be restored."""
    filled(memory, 20, 80)
    one = sleeper(memory, clock)
    (held,) = one.sleep(ME, SleepRequest()).held
    assert (held.duty, len(held.leaving)) == (Duty.CONSOLIDATE, 80)
    assert memory.stats()["total"] == 100
    assert one.sleep(ME, SleepRequest(dry_run=True)).held
    report = one.sleep(ME, SleepRequest(allow_large=True))
    assert (report.held, memory.stats()["total"]) == ((), 20)
    assert memory.restore(held.leaving[0]).state is State.ACTIVE


def test_many_small_steps_are_no_way_around_the_guard(memory, clock):
    """What one duty took counts for the next."""
    memory.store_many([f"stays {number}" for number in range(70)])
    memory.store_many([f"first {number}" for number in range(15)])
    memory.store_many([f"second {number}" for number in range(15)])
    works = {Duty.CONSOLIDATE: forgetting("first"), Duty.FADE: forgetting("second")}
    report = sleeper(memory, clock, works).sleep(ME, SleepRequest())
    assert [(done.duty, done.outcome) for done in report.duties] == [
        (Duty.CONSOLIDATE, Outcome.DONE),
        (Duty.FADE, Outcome.HELD),
    ]


def test_what_was_announced_is_not_held(memory, clock):
    """A lifetime that is over is over, whatever the share."""
    filled(memory, 20, 80)
    report = sleeper(memory, clock, {Duty.EXPIRE: forgetting()}).sleep(ME, SleepRequest())
    assert (report.count("forgotten"), report.held) == (80, ())


def test_a_held_duty_does_not_hold_up_the_others(memory, clock):
    filled(memory, 20, 80)
    works = {Duty.CONSOLIDATE: forgetting(), Duty.EXPIRE: forgetting("stays")}
    report = sleeper(memory, clock, works).sleep(ME, SleepRequest())
    assert report.count("forgotten") == 20


def test_what_was_held_has_taken_nobody(memory, clock):
    """A merge that waits for the user's word is no reason that nothing may fade."""
    filled(memory, 20, 80)
    works = {Duty.CONSOLIDATE: forgetting(), Duty.FADE: forgetting("stays 1")}
    for dry_run, done in ((True, Outcome.PLANNED), (False, Outcome.DONE)):
        report = sleeper(memory, clock, works).sleep(ME, SleepRequest(dry_run=dry_run))
        assert [one.outcome for one in report.duties] == [Outcome.HELD, done]
    assert memory.stats()["total"] == 89


def test_in_the_background_a_held_duty_is_logged(memory, clock, caplog):
    filled(memory, 20, 80)
    with caplog.at_level(logging.WARNING):
        sleeper(memory, clock).sleep_if_due()
    assert "80 of 100" in caplog.text
    assert "--allow-large" in caplog.text


# -- the lease ----------------------------------------------------------------------------------------


def test_only_one_sleeps_at_a_time(memory, clock):
    """The other is told who it is; after the lease, or by force, it takes over."""
    filled(memory, 30, 2)
    memory.parts.store.jobs.claim(lease_of(ME), "somebody", clock(), 0.0, LEASE_SECONDS)
    one = sleeper(memory, clock)
    assert one.sleep(ME, SleepRequest()).busy == "somebody"
    assert one.status(ME).holder == "somebody"
    assert one.sleep_if_due() == []
    clock.advance(seconds=LEASE_SECONDS)
    assert one.sleep(ME, SleepRequest()).count("forgotten") == 2
    memory.parts.store.jobs.claim(lease_of(ME), "somebody", clock(), 0.0, LEASE_SECONDS)
    assert one.sleep(ME, SleepRequest(force=True)).busy is None


def test_a_long_night_keeps_its_lease(memory, clock):
    """As long as its steps go on, nobody takes it for dead."""
    filled(memory, 30, 5)
    others = []

    def slow(store, law, owner, plan, now, step):
        for number in range(5):
            clock.advance(seconds=LEASE_SECONDS / 2)
            step(number, 5)
            others.append(sleeper(memory, clock).sleep(ME, SleepRequest()).busy)
        return {}

    report = sleeper(memory, clock, {Duty.EXPIRE: Work(lambda *_: Marked(()), slow)}).sleep(ME, SleepRequest())
    assert all(others)
    assert [done.outcome for done in report.duties] == [Outcome.DONE]


def test_whoever_loses_the_lease_stops(memory, clock):
    filled(memory, 30, 5)
    one = sleeper(memory, clock)

    def robbed(duty, done, total):
        if done == 2:
            jobs, lease = memory.parts.store.jobs, lease_of(ME)
            jobs.finish(lease, jobs.states(lease)[lease].holder, None)
            clock.advance(seconds=LEASE_SECONDS)

    report = one.sleep(ME, SleepRequest(progress=robbed))
    assert report.woken
    assert memory.stats()["cliff"] == 3
    assert one.sleep(ME, SleepRequest()).count("forgotten") == 2  # it was not done, so it is due


def test_closing_wakes_the_sleeper(memory, clock):
    """What was done is done, the rest is done the next time."""
    filled(memory, 30, 5)
    steps = iter([False, False, False])
    one = sleeper(memory, clock, woken=lambda: next(steps, True))
    assert one.sleep_if_due() == []
    left = memory.stats()["cliff"]
    assert 0 < left < 5
    assert [report.count("forgotten") for report in sleeper(memory, clock).sleep_if_due()] == [5 - left]


# -- failures -----------------------------------------------------------------------------------------


def test_a_duty_that_fails_is_told_and_tried_again(memory, clock):
    """The others are done."""
    filled(memory, 30, 2)

    def broken(*_):
        raise StorageError("here", Reason.SYSTEM_ERROR, cause="the disk is on fire")

    works = {Duty.CONSOLIDATE: Work(lambda *_: Marked(()), broken), Duty.FADE: forgetting()}
    report = sleeper(memory, clock, works).sleep(ME, SleepRequest())
    assert [(done.duty, done.outcome) for done in report.duties] == [
        (Duty.CONSOLIDATE, Outcome.FAILED),
        (Duty.FADE, Outcome.DONE),
    ]
    assert "on fire" in str(report.failed[0].error)
    again = sleeper(memory, clock, works).sleep(ME, SleepRequest())
    assert [done.duty for done in again.duties] == [Duty.CONSOLIDATE]


# -- in the background --------------------------------------------------------------------------------


def slept(memory, clock, seconds: float = 60.0) -> bool:
    waiting = threading.Event()
    for _ in range(int(seconds / 0.01)):
        if memory.night.reports():
            return True
        waiting.wait(0.01)
    return False


def test_a_process_that_stays_sleeps_by_itself(tmp_path, clock):
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=0.01, clock=clock) as memory:
        memory.store("something")
        assert slept(memory, clock)


@pytest.mark.parametrize("how", ["argument", "environment"])
def test_sleep_can_be_turned_off(tmp_path, clock, monkeypatch, how):
    if how == "environment":
        monkeypatch.setenv("CELESTIAL_SLEEP", "off")
    enabled = None if how == "environment" else False
    with CelestialMemory(
        tmp_path / "m.db",
        rebalance_interval=0.01,
        clock=clock,
        settings=Settings(night=NightSettings(enabled=enabled)),
    ) as memory:
        memory.store("something")
        assert not slept(memory, clock, 0.2)
        assert memory.sleep().duties  # by hand it sleeps all the same


def test_who_opens_a_memory_for_a_moment_does_not_sleep(tmp_path, clock):
    """A night's work begins when the process has stayed for one interval."""
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=3_600, clock=clock) as memory:
        memory.store("something")
        assert not slept(memory, clock, 0.2)


def test_the_status_tells_when_each_duty_is_due(memory, clock):
    memory.store("something")
    assert all(duty.last_run is None and duty.next_run == clock() for duty in memory.night.status().duties)
    memory.sleep()
    status = memory.night.status()
    assert status.holder is None
    assert all(duty.last_run == clock() < duty.next_run for duty in status.duties)


def test_owners_with_strange_names_do_not_share_their_nights(memory, clock):
    """Whatever stands in a name, "a/b" of c is not "a" of "b/c"."""
    names = [("a/b", "c"), ("a", "b/c"), ('a", "b', "c"), ("*", "default")]
    for user, agent in names:
        filled(memory, 10, 1, user_id=user, agent_id=agent)
    one = sleeper(memory, clock)
    assert [one.sleep(Owner(*name), SleepRequest()).count("forgotten") for name in names] == [1, 1, 1, 1]


def test_the_clock_is_the_engines(tmp_path):
    clock = FakeClock(0.0)
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as memory:
        memory.store("something")
        assert memory.sleep().at == 0.0


# -- duties together ----------------------------------------------------------------------------------


def test_three_appointments_at_three_survive_every_night(embedded, clock):
    """Pinned ones stay pinned; weekdays, likes and dislikes are facts, not wordings."""
    texts = ["Meeting on Monday at 3pm", "Meeting on Tuesday at 3pm", "Meeting on Friday at 3pm"]
    kept = [embedded.store(text, pinned=True).id for text in texts]
    others = [embedded.store(text).id for text in ("나는 오이를 좋아한다", "민아는 오이를 싫어한다", "I like rain")]
    for _ in range(30):
        clock.advance(days=1)
        embedded.sleep()
    assert {embedded.get(item_id).state for item_id in kept + others} == {State.ACTIVE}
