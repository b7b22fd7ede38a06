"""Schedule: an engine's periodic work, in one background thread, once for all processes on a store."""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from celestial_engine.config import is_server
from celestial_engine.core.orbit.law import Law
from celestial_engine.engine.schedule.lease import Leases
from celestial_engine.errors import CelestialError, Reason, StorageError
from celestial_engine.flow.departures import retain
from celestial_engine.flow.night import rebalance as rebalancing
from celestial_engine.ports import Clock, ItemStore

if TYPE_CHECKING:
    from celestial_engine.core.keeping.retention import RetentionPolicy
    from celestial_engine.core.night.brake import SleepSettings
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.flow.night.rebalance import RebalanceResult

logger = logging.getLogger(__name__)

REBALANCE = "rebalance"
_HOUR, _DAY = 3_600.0, 86_400.0
_DAILY_KEPT = 7


@dataclass(frozen=True)
class Job:
    """Work that one process does for all, every so many seconds. `run` receives the time."""

    name: str
    every: float
    run: Callable[[float], object]


class Schedule:
    """Rebalances every `interval` seconds, then runs the other jobs that are due.

    A run that was missed while no process was running is made up at the next start.
    """

    def __init__(
        self,
        store: ItemStore,
        law: Callable[[], Law],
        clock: Clock,
        interval: float = 300,
        jobs: Sequence[Job] = (),
        nightly: Callable[[], object] | None = None,
        brake: SleepSettings | None = None,
    ) -> None:
        """`nightly` runs only in the background, before each round but the first.

        So an engine that is opened briefly does not wait for a night's work. `brake` limits how many memories a
        rebalance may remove at once.
        """
        self._store = store
        self._law = law
        self._clock = clock
        self._interval = interval
        self._jobs = tuple(jobs)
        self.nightly = nightly
        self._brake = brake
        self._leases = Leases(store.jobs)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def rebalance(
        self, now: float | None = None, *, most: int | None = None, allow_large: bool = False
    ) -> RebalanceResult:
        """Rebalances now, even if another process has just done it; `allow_large` lifts the brake."""
        at = self._clock() if now is None else now
        result = rebalancing.rebalance(
            self._store, self._law(), at, most=most, brake=self._brake, allow_large=allow_large
        )
        with self._store.read() as session:
            return replace(result, total_items=session.orbits.count())

    def rebalance_if_due(self, *, most: int | None = None) -> RebalanceResult | None:
        """Rebalances if the interval has passed since any process's last run and none is running; then other jobs."""
        now = self._store.jobs.now(self._clock())
        with self._leases.hold(REBALANCE, now, every=self._interval) as lease:
            if not lease.held:
                return None
            result = self.rebalance(now, most=most)
            lease.done_at = now  # when it read the state, not when it finished
        for job in self._jobs:
            self._run_if_due(job, now)
        return result

    def _run_if_due(self, job: Job, now: float) -> None:
        with self._leases.hold(job.name, now, every=job.every) as lease:
            if not lease.held:
                return
            try:
                job.run(now)
                lease.done_at = now
            except CelestialError as error:
                # The job stays due and runs again in the next round.
                logger.error("%s failed: %s", job.name, error)

    # -- the background thread ------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the background runs: at once if a run was missed, then at every interval."""
        if self._thread is None:
            self._stop.clear()
            arguments = (weakref.ref(self), self._stop, self._interval)
            self._thread = threading.Thread(target=_run, args=arguments, name="celestial-schedule", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stops the background runs and waits for a running one."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def stopping(self) -> bool:
        return self._stop.is_set()

    def tick(self, *, settled_in: bool = False) -> None:
        """Runs one round. Failures are logged: what is due stays due."""
        try:
            if settled_in and self.nightly is not None:
                self.nightly()
            started = time.perf_counter()
            result = self.rebalance_if_due()
            if result is not None and (result.moved or result.forgotten):
                logger.info(
                    "rebalance: moved=%d evicted=%d forgotten=%d (%.1f ms)",
                    result.moved, result.evicted, result.forgotten, (time.perf_counter() - started) * 1000,
                )  # fmt: skip
        except Exception as error:  # noqa: BLE001 - the caller's clock may raise anything; the thread must live on
            logger.error("rebalance failed: %s", error)


def _run(reference: weakref.ref[Schedule], stop: threading.Event, interval: float) -> None:
    """Holds no strong reference while waiting, so that an unused engine can be garbage-collected."""
    settled_in = False
    while True:
        schedule = reference()
        if schedule is None:
            return
        schedule.tick(settled_in=settled_in)
        del schedule
        settled_in = True
        if stop.wait(interval):
            return


class Backups:
    """Where backups of a store go, and the daily backup."""

    def __init__(self, store: ItemStore, folder: str | None) -> None:
        self._store = store
        self._folder = folder

    def target(self, path: str | os.PathLike[str] | None, now: float, kind: str = "") -> str:
        """Returns the path of a backup; in a folder it gets a generated name."""
        if is_server(self._store.path):
            raise StorageError(self._store.path, Reason.NOT_ON_SERVER, command="pg_dump or pgbackrest")
        home, name = os.path.split(os.path.abspath(self._store.path))
        stem = os.path.splitext(name)[0]
        moment = f"{datetime.fromtimestamp(now, timezone.utc):%Y%m%dT%H%M%SZ}"
        default = os.path.join(self._folder or home, f"{stem}-{kind}{moment}.db")
        if path is None:
            return default
        chosen = os.path.abspath(os.path.expanduser(os.fspath(path)))
        return os.path.join(chosen, os.path.basename(default)) if os.path.isdir(chosen) else chosen

    def existing(self) -> list[str]:
        """Returns the database files beside the database and in the backup folder, without the database itself."""
        own = os.path.abspath(self._store.path)
        folders = dict.fromkeys((os.path.dirname(own), os.path.abspath(self._folder or os.path.dirname(own))))
        files = (
            os.path.join(folder, name) for folder in folders if os.path.isdir(folder) for name in os.listdir(folder)
        )
        return sorted(file for file in files if file.endswith(".db") and file != own and os.path.isfile(file))

    def make_daily(self, now: float) -> None:
        """Makes the daily backup, and removes all but the last seven."""
        import shutil  # slow to import, rarely needed

        target = self.target(None, now, "daily-")
        self._store.back_up(target)
        folder, name = os.path.split(target)
        prefix = name[: name.index("-daily-") + len("-daily-")]
        backups = sorted(one for one in os.listdir(folder) if one.startswith(prefix) and one.endswith(".db"))
        for old in backups[:-_DAILY_KEPT]:
            os.unlink(os.path.join(folder, old))
            shutil.rmtree(os.path.join(folder, f"{old}.archive"), ignore_errors=True)


def jobs_of(
    store: ItemStore, law: Callable[[], Law], owner: Owner, policy: RetentionPolicy | None, daily: Backups | None
) -> list[Job]:
    """Returns the jobs after a rebalance: one owner's retention policy, archive files, the daily backup."""
    jobs = []
    if policy:
        jobs.append(
            Job(
                f"retain {owner.user_id}/{owner.agent_id}",
                _HOUR,
                lambda now: retain.retain(store, law(), owner, policy, now),
            )
        )
    # Also without a policy: one may have been applied by hand.
    jobs.append(Job("tidy archives", _DAY, lambda now: retain.tidy(store, now)))
    if daily is not None:
        jobs.append(Job("backup", _DAY, daily.make_daily))
    return jobs
