"""Nights on a Ray cluster. Needs the extra `ray`; with SQLite, all nodes must be on the machine of the file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from celestial_engine.core.night.sleep import SleepReport
from celestial_engine.engine.schedule.night_tasks import Database, Finished, NightTask, run_task

_QUEUED = 2  # tasks per processor: enough to keep it busy, few enough to hold a million owners


class RayNights:
    """Runs each night as a Ray task. Joins the cluster that RAY_ADDRESS names, or starts one on this machine."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def run(self, tasks: Sequence[NightTask]) -> Iterator[Finished]:
        if not ray.is_initialized():
            ray.init(log_to_driver=False, configure_logging=False, include_dashboard=False)
        # Ray must not repeat a task itself: the lease of the dead process is released first, by the driver.
        remote = ray.remote(max_retries=0)(run_task)
        waiting, running = deque(tasks), dict[Any, NightTask]()
        most = max(1, int(ray.cluster_resources().get("CPU", 1))) * _QUEUED
        try:
            while waiting or running:
                while waiting and len(running) < most:
                    task = waiting.popleft()
                    running[remote.remote(self._database, task)] = task
                for reference in ray.wait(list(running), num_returns=1)[0]:
                    yield Finished(running.pop(reference), _report(reference))
        finally:
            for reference in running:
                ray.cancel(reference, force=True)


def _report(reference: Any) -> SleepReport | None:
    """The report of a task; None if its process or its node died. Raises the error of the work."""
    try:
        report: SleepReport = ray.get(reference)
    except RayTaskError as error:
        raise error.cause from error
    except RayError:
        return None
    return report
