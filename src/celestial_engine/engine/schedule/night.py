"""A night: one duty after the other under the owner's lease; each is completed or run again.

Any number of processes may run the nights of a store: each owner has a lease, and a record of the duties that were
done. What concerns the whole store has a lease of its own, and comes after the last owner.
"""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from celestial_engine.core.night.leases import may_claim
from celestial_engine.core.night.sleep import (
    Census,
    Duty,
    DutyReport,
    DutyStatus,
    Outcome,
    Planned,
    Rhythm,
    SleepReport,
    SleepSettings,
    SleepStatus,
    due_duties,
)
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine.schedule.lease import Lease, LeaseLostError, Leases
from celestial_engine.errors import CelestialError
from celestial_engine.ports import Clock, ItemStore, JobState, Reader

logger = logging.getLogger(__name__)

JOB = "night"  # when all owners last had their night
LEASE_SECONDS = 120.0
_EVERYBODY = "*"

DutyProgress = Callable[[Duty, int, int], None]
Step = Callable[[int, int], None]


class Plan(Protocol):
    """What a duty would do."""

    @property
    def leaving(self) -> Sequence[str]:
        """The ids that would leave the active memories."""
        ...


@dataclass(frozen=True)
class Work:
    """A duty's plan and its execution.

    The plan only reads, and receives the time of the last run. `carry_out` reads each memory again, in small
    transactions, and may be interrupted anywhere. `planned` lists the plan for people. `carry_out_large` is for a
    duty that itself holds back what would leave at once, and is used when the user allowed it.
    """

    plan: Callable[[Reader, Law, Owner, float, float | None], Plan]
    carry_out: Callable[[ItemStore, Law, Owner, Any, float, Step], Mapping[str, int]]
    planned: Callable[[Any], Iterable[Planned]] = lambda plan: [
        Planned(item_id, "leaves") for item_id in plan.leaving
    ]
    carry_out_large: Callable[[ItemStore, Law, Owner, Any, float, Step], Mapping[str, int]] | None = None


@dataclass(frozen=True)
class SleepRequest:
    """A request for a night: these duties, or those that are due; `force` does not wait for the lease.

    `not_since` leaves out what was done since that moment: work that a dead process began is repeated from there.
    """

    duties: tuple[Duty, ...] | None = None
    dry_run: bool = False
    force: bool = False
    allow_large: bool = False
    progress: DutyProgress | None = None
    not_since: float | None = None


class NightRunner:
    """Runs the nightly work of a store: for one owner, or for all in turn."""

    def __init__(
        self,
        store: ItemStore,
        law: Callable[[], Law],
        works: Mapping[Duty, Work],
        settings: SleepSettings,
        clock: Clock,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self.settings = settings
        self._store = store
        self._law = law
        self._works = works
        self._clock = clock
        self._stopping = stopping
        self._leases = Leases(store.jobs)

    def sleep(self, owner: Owner, wish: SleepRequest, *, for_all: bool = True) -> SleepReport:
        """Runs one owner's night, with the duties for the whole store unless `for_all` is False."""
        now = self.now()
        if wish.dry_run:
            return self._dry_run(owner, wish, now)
        with self._leases.hold(lease_of(owner), now, seconds=LEASE_SECONDS, force=wish.force) as lease:
            if not lease.held:
                return SleepReport(owner, now, busy=lease.other)
            return self._night(owner, wish, now, lease, for_all=for_all)

    def sleep_everybody(self, wish: SleepRequest) -> list[SleepReport]:
        """Runs every owner's night in turn; duties for the whole store come last.

        An owner whose night another process runs is left to it.
        """
        owners, reports = self.owners(), list[SleepReport]()
        for owner in owners:
            # Nobody may be forgotten right before their night promotes them: all others come before the store.
            for_all = owner == owners[-1] and all(map(is_complete, reports))
            reports.append(self.sleep_if_needed(owner, wish, for_all=for_all or wish.dry_run))
            if self._stopping():
                break
        if not wish.dry_run:
            self.note_all(reports, owners)
        return reports

    def sleep_if_needed(self, owner: Owner, wish: SleepRequest, *, for_all: bool) -> SleepReport:
        """Runs one owner's night; takes the lease only if there is something to do, as there mostly is not."""
        now = self.now()
        if not wish.dry_run and not self._requested(wish, self._last_runs(owner), now, for_all=for_all):
            census = self._census(owner)
            return SleepReport(owner, now, census, census)
        return self.sleep(owner, wish, for_all=for_all)

    def as_holder(self, holder: str) -> NightRunner:
        """The same runner under another name in its leases, which another process knows and may release."""
        other = NightRunner(self._store, self._law, self._works, self.settings, self._clock, self._stopping)
        other._leases = Leases(self._store.jobs, holder)
        return other

    def owners(self) -> list[Owner]:
        with self._store.read() as session:
            return session.night.owners()

    def note_all(self, reports: Sequence[SleepReport], owners: Sequence[Owner]) -> None:
        """Notes that all have slept today, if they have.

        An empty store stays due: an owner who arrives today need not wait for tomorrow.
        """
        if owners and len(reports) == len(owners) and all(map(is_complete, reports)):
            self._store.jobs.note({JOB: min(report.at for report in reports)})

    def release(self, owner: Owner, holder: str) -> None:
        """Releases the leases of a process that is known to be dead, so that nobody waits for them to end."""
        for name in (lease_of(owner), _STORE_LEASE):
            self._store.jobs.finish(name, holder, None)

    def sleep_if_due(self) -> list[SleepReport]:
        """Runs every owner's night unless one ran today; cheap when there is nothing to do."""
        slept = self._store.jobs.states(JOB).get(JOB, JobState()).last_run
        if slept is not None and Rhythm.DAILY.period(slept) == Rhythm.DAILY.period(self.now()):
            return []
        reports = [report for report in self.sleep_everybody(SleepRequest()) if report.duties]
        for report in reports:
            logger.info("slept for %s: %d duties, %.1f s", report.owner, len(report.duties), report.seconds)
            for duty_report in report.held:
                # No user can confirm here: it waits, and logs this every night.
                logger.warning(
                    "sleep: %s would take %d of %d memories of %s out of recall at once, and waits for your word: "
                    "sleep(allow_large=True) or `celestial sleep --allow-large`",
                    duty_report.duty.value, len(duty_report.leaving), report.before.in_orbit, report.owner,
                )  # fmt: skip
        return reports

    def status(self, owner: Owner) -> SleepStatus:
        """Returns each duty's last and next run, and which process is running them."""
        now, lasts = self.now(), self._last_runs(owner)
        lease = self._store.jobs.states(lease_of(owner)).get(lease_of(owner), JobState())
        busy = not may_claim(None, lease.lease_until, now, 0.0, LEASE_SECONDS)
        duties = (DutyStatus.of(duty, lasts.get(duty), now) for duty in Duty if duty in self._works)
        return SleepStatus(tuple(duties), lease.holder if busy else None)

    def now(self) -> float:
        """The database's now: servers whose clocks differ agree on what is due."""
        return self._store.jobs.now(self._clock())

    # -- the night ----------------------------------------------------------------------------------

    def _night(self, owner: Owner, wish: SleepRequest, now: float, lease: Lease, *, for_all: bool) -> SleepReport:
        lasts = self._last_runs(owner)
        before = self._census(owner)
        report = SleepReport(owner, now, before, before)
        for duty in self._requested(wish, lasts, now, for_all=for_all):
            try:
                result = self._run_duty(duty, owner, wish, now, lasts.get(duty), report, lease)
            except LeaseLostError:
                report = replace(report, woken=True)
                break
            if result is None:
                continue
            report = replace(report, duties=(*report.duties, result))
            if result.outcome is Outcome.DONE:
                self._store.jobs.note({_name(duty, owner): now})
        if not report.duties:
            return report
        report = replace(report, after=self._census(owner))
        if before.states:  # an owner without memories has no ledger
            with self._store.write(owner, durable=False) as session:
                session.ledger.record(Event(EventType.SLEPT, owner, now, None, report.to_detail()))
        return report

    def _run_duty(
        self,
        duty: Duty,
        owner: Owner,
        wish: SleepRequest,
        now: float,
        last_run: float | None,
        so_far: SleepReport,
        lease: Lease,
    ) -> DutyReport | None:
        """Runs a duty; None if it is for the whole store and another process runs one of those."""
        if not duty.for_all:
            return self._carry_out(duty, owner, wish, now, last_run, so_far, (lease,))
        with self._leases.hold(_STORE_LEASE, self.now(), seconds=LEASE_SECONDS, force=wish.force) as whole:
            if not whole.held:
                return None
            return self._carry_out(duty, owner, wish, now, last_run, so_far, (lease, whole))

    def _carry_out(
        self,
        duty: Duty,
        owner: Owner,
        wish: SleepRequest,
        now: float,
        last_run: float | None,
        so_far: SleepReport,
        leases: tuple[Lease, ...],
    ) -> DutyReport:
        self._check_leases(leases)
        started = time.perf_counter()
        leaving: tuple[str, ...] = ()

        def step(done: int, total: int) -> None:
            self._check_leases(leases)
            if wish.progress is not None:
                wish.progress(duty, done, total)

        try:
            plan = self._planned(duty, owner, now, last_run)
            leaving = tuple(plan.leaving) if duty.guarded else ()
            if not wish.allow_large and not self._allowed(leaving, so_far):
                return self._unfinished(duty, Outcome.HELD, plan, time.perf_counter() - started)
            work = self._works[duty]
            carry_out = (work.carry_out_large if wish.allow_large else None) or work.carry_out
            counts = carry_out(self._store, self._law(), owner, plan, now, step)
        except CelestialError as error:
            logger.error("sleep: %s failed for %s: %s", duty.value, owner, error)
            return DutyReport(duty, Outcome.FAILED, {}, time.perf_counter() - started, leaving, error)
        if counts.get("held"):
            leaving = tuple(plan.leaving)
        return DutyReport(
            duty,
            Outcome.HELD if counts.get("held") else Outcome.DONE,
            {name: n for name, n in counts.items() if n},
            time.perf_counter() - started,
            leaving,
        )

    def _dry_run(self, owner: Owner, wish: SleepRequest, now: float) -> SleepReport:
        """Plans every duty as of now; memories that an earlier duty would remove are left out of later ones."""
        lasts = self._last_runs(owner)
        before = self._census(owner)
        report = SleepReport(owner, now, before, before, dry_run=True)
        leaving_ids: set[str] = set()
        for duty in self._requested(wish, lasts, now):
            started = time.perf_counter()
            plan = self._planned(duty, owner, now, lasts.get(duty))
            duty_report = self._unfinished(duty, Outcome.PLANNED, plan, time.perf_counter() - started, leaving_ids)
            if duty.guarded and not wish.allow_large and not self._allowed(duty_report.leaving, report):
                duty_report = replace(duty_report, outcome=Outcome.HELD)
            elif duty.departs:
                leaving_ids.update(duty_report.leaving)
            report = replace(report, duties=(*report.duties, duty_report))
        return report

    def _unfinished(
        self, duty: Duty, outcome: Outcome, plan: Plan, seconds: float, excluded: Collection[str] = ()
    ) -> DutyReport:
        planned = tuple(entry for entry in self._works[duty].planned(plan) if entry.item_id not in excluded)
        leaving = tuple(item_id for item_id in plan.leaving if item_id not in excluded)
        return DutyReport(duty, outcome, {}, seconds, leaving, planned=planned)

    def _planned(self, duty: Duty, owner: Owner, now: float, last_run: float | None) -> Plan:
        law = self._law()
        with self._store.read() as session:
            return self._works[duty].plan(session, law, owner, now, last_run)

    def _allowed(self, leaving: Sequence[str], so_far: SleepReport) -> bool:
        """The limit counts the whole night, so that many small steps cannot exceed it."""
        finished = (
            duty_report
            for duty_report in so_far.duties
            if duty_report.duty.guarded and duty_report.outcome is not Outcome.HELD
        )
        left_ids = {item_id for duty_report in finished for item_id in duty_report.leaving}
        return not leaving or self.settings.allows(len(left_ids.union(leaving)), so_far.before.in_orbit)

    def _requested(
        self, wish: SleepRequest, lasts: Mapping[Duty, float], now: float, *, for_all: bool = True
    ) -> list[Duty]:
        if wish.duties is not None:
            chosen: Sequence[Duty] = wish.duties
        else:
            chosen = tuple(Duty) if wish.force else due_duties(lasts, now)
        since = math.inf if wish.not_since is None else wish.not_since
        return [
            duty
            for duty in chosen
            if duty in self._works and (for_all or not duty.for_all) and lasts.get(duty, -math.inf) < since
        ]

    def _census(self, owner: Owner) -> Census:
        with self._store.read() as session:
            return session.night.census(owner)

    def _last_runs(self, owner: Owner) -> dict[Duty, float]:
        last_runs: dict[Duty, float] = {}
        for owner_key in (_EVERYBODY, _owner_key(owner)):
            prefix = f"{_PREFIX}{owner_key} "
            states = self._store.jobs.states(prefix)
            runs = {duty: states.get(prefix + duty.value) for duty in Duty}
            last_runs |= {
                duty: run.last_run for duty, run in runs.items() if run is not None and run.last_run is not None
            }
        return last_runs

    def _check_leases(self, leases: Iterable[Lease]) -> None:
        """Stops if the engine closes or a lease was lost; called between two steps."""
        if self._stopping():
            raise LeaseLostError
        for lease in leases:
            lease.extend(self.now())


_PREFIX = "sleep "
_LEASE = "asleep "
_STORE_LEASE = f"{_LEASE}{_EVERYBODY}"


def lease_of(owner: Owner) -> str:
    """The job that is claimed during an owner's night."""
    return _LEASE + _owner_key(owner)


def is_complete(report: SleepReport) -> bool:
    """Whether this night was run to its end; what it holds back or could not do is due again tomorrow."""
    return report.busy is None and not report.woken


def _name(duty: Duty, owner: Owner) -> str:
    return f"{_PREFIX}{_EVERYBODY if duty.for_all else _owner_key(owner)} {duty.value}"


def _owner_key(owner: Owner) -> str:
    return json.dumps([owner.user_id, owner.agent_id], ensure_ascii=False)
