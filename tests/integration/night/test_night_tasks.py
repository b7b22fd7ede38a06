"""The nights of all owners, handed out as tasks: once each, and once more if their process dies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from celestial_engine.core.night.sleep import Duty, SleepReport
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine.schedule.night import LEASE_SECONDS, lease_of
from celestial_engine.engine.schedule.night_tasks import Finished, NightTask

NAMES = ("ann", "bob", "cho")
OWNERS = [Owner(name) for name in NAMES]


@pytest.fixture
def memory(memory):
    for name in NAMES:
        memory.of(name).store(f"{name} likes tea")
    return memory


class Dying:
    """Runs tasks here. The processes of some owners die: after a duty was done, with the lease in their hands."""

    def __init__(self, memory, clock, deaths: dict[str, int]) -> None:
        self._memory, self._clock, self._deaths = memory, clock, dict(deaths)
        self.tasks: list[NightTask] = []

    def run(self, tasks: Sequence[NightTask]) -> Iterator[Finished]:
        for task in tasks:
            self.tasks.append(task)
            self._clock.advance(seconds=1)
            yield Finished(task, self._report(task))

    def _report(self, task: NightTask) -> SleepReport | None:
        name = task.owner.user_id
        if not self._deaths.get(name):
            return task.run_on(self._memory.night.runner)
        self._deaths[name] -= 1
        jobs = self._memory.parts.store.jobs
        self._memory.of(name).sleep(duties=[Duty.SUPERSEDE])
        assert jobs.claim(lease_of(task.owner), task.holder, self._clock(), 0.0, LEASE_SECONDS)
        return None


def done(report: SleepReport) -> list[Duty]:
    return [one.duty for one in report.duties]


def test_every_owner_has_one_night_and_the_store_comes_last(memory, clock):
    engine, seen = Dying(memory, clock, {}), []
    reports = memory.night.sleep_everybody_on(engine, progress=lambda *counts: seen.append(counts))
    assert [report.owner for report in reports] == [task.owner for task in engine.tasks] == OWNERS
    assert [Duty.TIDY in done(report) for report in reports] == [False, False, True]
    assert seen == [(number, 3) for number in range(4)]
    assert len({task.holder for task in engine.tasks}) == 3
    assert memory.night.sleep_if_due() == []
    assert not any(done(report) for report in memory.night.sleep_everybody_on())


@pytest.mark.parametrize("who", NAMES)
@pytest.mark.parametrize("force", [False, True])
def test_a_night_whose_process_died_goes_on_where_it_was(memory, clock, who, force):
    """Its lease is released, and the duty that it had done is not done again, not even by force."""
    engine = Dying(memory, clock, {who: 1})
    reports = {report.owner.user_id: report for report in memory.night.sleep_everybody_on(engine, force=force)}
    assert [task.owner.user_id for task in engine.tasks].count(who) == 2
    assert len(engine.tasks) == 4
    for name in NAMES:
        assert (Duty.SUPERSEDE in done(reports[name])) is (name != who)
        assert Duty.EXPIRE in done(reports[name])
    assert [Duty.TIDY in done(reports[name]) for name in NAMES] == [False, False, True]


def test_an_owner_whose_process_dies_again_is_given_up_for_today(memory, clock):
    """The others are done; the whole store waits, and the next run does the rest."""
    engine = Dying(memory, clock, {"bob": 2})
    reports = {report.owner.user_id: report for report in memory.night.sleep_everybody_on(engine)}
    assert {name: report.woken for name, report in reports.items()} == {"ann": False, "bob": True, "cho": False}
    assert Duty.TIDY not in done(reports["cho"])
    again = {report.owner.user_id: report for report in memory.night.sleep_everybody_on()}
    assert (done(again["ann"]), Duty.EXPIRE in done(again["bob"])) == ([], True)
    assert set(done(again["cho"])) == {Duty.REBALANCE, Duty.TIDY}


def test_whoever_stops_waiting_leaves_no_lease(memory, clock):
    class Interrupted(Dying):
        def run(self, tasks: Sequence[NightTask]) -> Iterator[Finished]:
            jobs = memory.parts.store.jobs
            assert jobs.claim(lease_of(tasks[0].owner), tasks[0].holder, clock(), 0.0, LEASE_SECONDS)
            raise KeyboardInterrupt
            yield

    with pytest.raises(KeyboardInterrupt):
        memory.night.sleep_everybody_on(Interrupted(memory, clock, {}))
    assert memory.of("ann").sleep().busy is None


def test_a_dry_run_changes_nothing(memory, clock):
    before = memory.of("ann").ledger.history()
    reports = memory.night.sleep_everybody_on(Dying(memory, clock, {}), dry_run=True)
    assert all(report.dry_run for report in reports)
    assert memory.of("ann").ledger.history() == before
    assert memory.night.sleep_everybody_on()[0].duties
