"""Nightly work: consolidating, promoting, fading, and its reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated

from celestial_engine.core.night.sleep import Census, Duty, Outcome, Rhythm, SleepReport
from celestial_engine.core.record.events import timestamp
from celestial_engine.errors import ExtraMissingError, InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import (
    LOCAL,
    About,
    Caller,
    Command,
    Effect,
    Operation,
    Route,
    Scope,
)
from celestial_engine.surfaces.operations.fields import EmptyRequest, Limit, StrictRequest
from celestial_engine.surfaces.operations.views import moment_view, view_of

if TYPE_CHECKING:
    from celestial_engine.engine.schedule.night_tasks import NightEngine

MOST_WORKERS = 64


@dataclass(frozen=True)
class SleepRequest(StrictRequest):
    dry_run: Annotated[bool, About("only tell what would be done")] = False
    duties: Annotated[tuple[Duty, ...] | None, About("only these; those that are due if left out")] = None
    force: Annotated[bool, About("all of them now, whatever the calendar says")] = False
    allow_large: Annotated[bool, About("confirms that many memories may be removed at once")] = False


class NightEngineName(str, Enum):
    """What runs the nights of all owners."""

    PROCESSES = "processes"
    RAY = "ray"


@dataclass(frozen=True)
class SleepAllRequest(SleepRequest):
    workers: Annotated[int, About("so many processes share the owners", 1, MOST_WORKERS)] = 1
    engine: Annotated[NightEngineName, About("what runs them: processes here, or a Ray cluster")] = (
        NightEngineName.PROCESSES
    )

    def __post_init__(self) -> None:
        if not 1 <= self.workers <= MOST_WORKERS:
            raise InvalidInputError("workers", Reason.WHOLE_OUT_OF_RANGE, low=1, high=MOST_WORKERS, got=self.workers)


@dataclass(frozen=True)
class PlannedChange:
    id: str
    change: Annotated[str, About("what would become of this memory")]
    other: Annotated[str | None, About("the other memory or the lifetime it has to do with")]


@dataclass(frozen=True)
class DutyResult:
    duty: Duty
    outcome: Annotated[Outcome, About("held: too many would leave, so it waits for allow_large")]
    counts: dict[str, int]
    seconds: float
    error: str | None
    leaving: Annotated[tuple[str, ...], About("ids of memories that leave recall")]
    planned: Annotated[tuple[PlannedChange, ...], About("what it would do, if it was not carried out")]


@dataclass(frozen=True)
class NightReport:
    owner: Annotated[str, About("whose night it was, as user/agent")]
    at: str
    dry_run: bool
    busy: Annotated[str | None, About("the process that was already running it")]
    woken: Annotated[bool, About("ended before its work did")]
    before: Annotated[dict[str, dict[str, int]], About("memories by state, zone and lifetime")]
    after: dict[str, dict[str, int]]
    duties: tuple[DutyResult, ...]


@dataclass(frozen=True)
class NightReports:
    nights: tuple[NightReport, ...]


@dataclass(frozen=True)
class SleepReportsRequest(StrictRequest):
    limit: Limit = 10


@dataclass(frozen=True)
class DutyTime:
    duty: Duty
    rhythm: Annotated[Rhythm, About("how often it is due")]
    last_run: str | None
    next_run: str
    due: bool


@dataclass(frozen=True)
class SleepSchedule:
    duties: tuple[DutyTime, ...]
    asleep: Annotated[str | None, About("the process that is running the nightly job")]


def sleep(caller: Caller, request: SleepRequest) -> NightReport:
    report = caller.memory.sleep(
        duties=request.duties, dry_run=request.dry_run, force=request.force, allow_large=request.allow_large,
        progress=_progress(caller)
    )  # fmt: skip
    return _night(caller, report)


def sleep_everybody(caller: Caller, request: SleepRequest) -> NightReports:
    report = caller.memory.night.sleep_everybody(
        duties=request.duties, dry_run=request.dry_run, force=request.force, allow_large=request.allow_large,
        progress=_progress(caller),
    )  # fmt: skip
    # Plans for other owners' memories are not shown, not even to an administrator.
    return NightReports(tuple(_night(caller, one, plans=one.owner == caller.owner) for one in report))


def sleep_all(caller: Caller, request: SleepAllRequest) -> NightReports:
    report = caller.memory.night.sleep_everybody_on(
        _engine(caller, request), duties=request.duties, dry_run=request.dry_run, force=request.force,
        allow_large=request.allow_large, progress=caller.progress,
    )  # fmt: skip
    return NightReports(tuple(_night(caller, one, plans=one.owner == caller.owner) for one in report))


def _engine(caller: Caller, request: SleepAllRequest) -> NightEngine | None:
    """None: in this process. Workers open the same database."""
    if request.engine is NightEngineName.PROCESSES and request.workers == 1:
        return None
    from celestial_engine.engine.schedule.night_tasks import Database

    owner, path = caller.memory.owner, caller.memory.parts.store.address
    if path == ":memory:":
        raise InvalidInputError("workers", Reason.NEEDS_A_FILE)
    database = Database(path, owner.user_id, owner.agent_id)
    if request.engine is NightEngineName.PROCESSES:
        from celestial_engine.engine.schedule.night_processes import ProcessNights

        return ProcessNights(database, request.workers)
    try:
        from celestial_engine.engine.schedule.night_ray import RayNights
    except ImportError as error:
        from celestial_engine.install_hints import install_command

        raise ExtraMissingError(
            Reason.SYSTEM_ERROR, name="--engine ray", extra="ray", install=install_command("ray"), cause=str(error)
        ) from error
    return RayNights(database)


def status(caller: Caller, request: EmptyRequest) -> SleepSchedule:
    report = caller.memory.night.status()
    times = tuple(
        DutyTime(one.duty, one.duty.rhythm, moment_view(one.last_run), timestamp(one.next_run), one.due)
        for one in report.duties
    )
    return SleepSchedule(times, report.holder)


def reports(caller: Caller, request: SleepReportsRequest) -> NightReports:
    return NightReports(tuple(_night(caller, one) for one in caller.memory.night.reports(request.limit)))


def _progress(caller: Caller) -> Callable[[Duty, int, int], None] | None:
    report = caller.progress
    return None if report is None else lambda duty, done, of: report(done, of)


def _night(caller: Caller, report: SleepReport, *, plans: bool = True) -> NightReport:
    duties = tuple(
        view_of(
            DutyResult, one, counts=dict(one.counts),
            error=None if one.error is None else one.error.message(caller.language),
            leaving=one.leaving if plans else (),
            planned=tuple(PlannedChange(*planned) for planned in one.planned) if plans else (),
        )
        for one in report.duties
    )  # fmt: skip
    owner = f"{report.owner.user_id}/{report.owner.agent_id}"
    return view_of(
        NightReport, report, owner=owner, at=timestamp(report.at), duties=duties,
        before=_census(caller, report.before), after=_census(caller, report.after),
    )  # fmt: skip


def _census(caller: Caller, census: Census) -> dict[str, dict[str, int]]:
    """How many there were, with the zones by name."""
    zones = [zone.name for zone in caller.zones]
    return {**census.to_dict(), "zones": {zones[zone]: census.zones[zone] for zone in sorted(census.zones)}}


OPERATIONS = (
    Operation(
        "sleep_cycle_run",
        "Do the night's work that is due: merge repeats, end what was superseded, promote, fade, forget; "
        "dry_run only tells what would happen.",
        SleepRequest, NightReport, sleep, Route("POST", "/sleep"), Scope.WRITE, Effect.REMOVES, True,
        commands=(Command("sleep"),),
        examples=({"dry_run": True},), long=True,
    ),
    Operation(
        "sleep_status", "When each duty of the night was last done, and when it is due.",
        EmptyRequest, SleepSchedule, status, Route("GET", "/sleep"), tool=False, commands=(Command("sleep status"),),
    ),
    Operation(
        "sleep_reports", "The last nights, newest first, in numbers.",
        SleepReportsRequest, NightReports, reports, Route("GET", "/sleep/reports"), tool=False,
        commands=(Command("sleep reports"),),
    ),
    Operation(
        "sleep_everybody", "The night's work of every owner in the database.",
        SleepRequest, NightReports, sleep_everybody, Route("POST", "/sleep/everybody"), Scope.ADMIN, Effect.REMOVES,
        True, tool=False,
    ),
)  # fmt: skip

# With processes of its own: nothing that a server should start for a client.
LOCAL_OPERATIONS = (
    Operation(
        "sleep_all", "The night's work of every owner in the database, shared by several processes.",
        SleepAllRequest, NightReports, sleep_all, LOCAL, Scope.ADMIN, Effect.REMOVES, True, tool=False,
        commands=(Command("sleep", switch="--all"), Command("sleep", switch="--everybody")),
    ),
)  # fmt: skip
