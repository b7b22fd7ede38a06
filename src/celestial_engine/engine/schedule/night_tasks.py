"""The nights of all owners, run by several processes or by a cluster.

A driver hands out owners, one task each. What runs the tasks is an engine: processes on this machine, or Ray. A task
whose process died is repeated once, and the record of the owner's night says where it goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from celestial_engine.core.night.sleep import SleepReport
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine.schedule.lease import holder_name
from celestial_engine.engine.schedule.night import NightRunner, SleepRequest, is_complete

logger = logging.getLogger(__name__)

OwnersProgress = Callable[[int, int], None]  # called with the done and total number of owners


class Database(NamedTuple):
    """How a worker opens the engine: as the driver did. Everything else is in its environment."""

    path: str
    user_id: str
    agent_id: str


@dataclass(frozen=True)
class NightTask:
    """One owner's night. `holder` is the name of its lease, so that the driver can release it."""

    owner: Owner
    request: SleepRequest
    holder: str
    for_all: bool = False

    def run_on(self, runner: NightRunner) -> SleepReport:
        return runner.as_holder(self.holder).sleep_if_needed(self.owner, self.request, for_all=self.for_all)


class Finished(NamedTuple):
    """A task that ended; without a report if its process died."""

    task: NightTask
    report: SleepReport | None


class NightEngine(Protocol):
    """Runs tasks somewhere, in any order."""

    def run(self, tasks: Sequence[NightTask]) -> Iterator[Finished]:
        """Yields each task when it ends, exactly once; stops what still runs if the caller stops iterating.

        An error of the work itself is raised here. A process that dies is no error.
        """
        ...


class InThisProcess:
    """Runs one task after the other here."""

    def __init__(self, runner: NightRunner) -> None:
        self._runner = runner

    def run(self, tasks: Sequence[NightTask]) -> Iterator[Finished]:
        for task in tasks:
            yield Finished(task, task.run_on(self._runner))


def run_task(database: Database, task: NightTask) -> SleepReport:
    """Runs one task in this process, on an engine of its own; workers call it."""
    from celestial_engine.engine.memory import CelestialMemory

    with CelestialMemory(
        database.path, rebalance_interval=None, user_id=database.user_id, agent_id=database.agent_id
    ) as memory:
        return task.run_on(memory.night.runner)


class NightDriver:
    """Hands the nights of all owners to an engine."""

    def __init__(self, runner: NightRunner, engine: NightEngine, progress: OwnersProgress | None = None) -> None:
        self._runner, self._engine, self._progress = runner, engine, progress
        self._reports: dict[Owner, SleepReport] = {}

    def sleep_everybody(self, request: SleepRequest) -> list[SleepReport]:
        """Runs every owner's night; the last one, when all others are complete, with the duties for the whole store.

        Reports come in the order of the owners. An owner whose process died twice is reported as woken.
        """
        began, owners = self._runner.now(), self._runner.owners()
        request = replace(request, progress=None)
        if self._progress is not None:
            self._progress(0, len(owners))
        self._run([self._task(owner, request) for owner in owners[:-1]], began, len(owners))
        for_all = all(map(is_complete, self._reports.values()))
        last = [self._task(owner, request, for_all=for_all) for owner in owners[-1:]]
        self._run(last, began, len(owners))
        reports = [self._reports[owner] for owner in owners]
        if not request.dry_run:
            self._runner.note_all(reports, owners)
        return reports

    def _run(self, tasks: Sequence[NightTask], began: float, total: int) -> None:
        lost = self._run_once(tasks, total)
        repeated = [
            self._task(task.owner, replace(task.request, not_since=began), for_all=task.for_all) for task in lost
        ]
        for task in self._run_once(repeated, total):
            logger.error("sleep: the process that slept for %s died twice", task.owner)
            self._report(SleepReport(task.owner, self._runner.now(), woken=True), total)

    def _run_once(self, tasks: Sequence[NightTask], total: int) -> list[NightTask]:
        """Returns the tasks whose processes died; their leases are released."""
        unfinished, lost = {task.holder: task for task in tasks}, list[NightTask]()
        try:
            for task, report in self._engine.run(tasks) if tasks else ():
                if report is None:
                    logger.warning("sleep: the process that slept for %s died", task.owner)
                    lost.append(task)
                else:
                    del unfinished[task.holder]
                    self._report(report, total)
        finally:
            for task in unfinished.values():
                self._runner.release(task.owner, task.holder)
        return lost

    def _report(self, report: SleepReport, total: int) -> None:
        self._reports[report.owner] = report
        if self._progress is not None:
            self._progress(len(self._reports), total)

    def _task(self, owner: Owner, request: SleepRequest, *, for_all: bool = False) -> NightTask:
        return NightTask(owner, request, holder_name(), for_all)
