"""The night's work: consolidating, promoting, fading, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.night.sleep import Duty, Outcome, SleepReport
from celestial_engine.core.record.events import timestamp
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Limit, Nothing, Strict


@dataclass(frozen=True)
class Sleep(Strict):
    dry_run: Annotated[bool, About("only tell what would be done")] = False
    duties: Annotated[tuple[Duty, ...] | None, About("only these; those that are due if left out")] = None
    force: Annotated[bool, About("all of them now, whatever the calendar says")] = False
    allow_large: Annotated[bool, About("the user's word that many memories may leave at once")] = False


@dataclass(frozen=True)
class PlannedChange:
    id: str
    change: Annotated[str, About("what would become of this memory")]
    other: Annotated[str | None, About("the other memory or the lifetime it has to do with")]


@dataclass(frozen=True)
class DutyDone:
    duty: Duty
    outcome: Annotated[Outcome, About("held: too many would leave, so it waits for allow_large")]
    counts: dict[str, int]
    seconds: float
    error: str | None
    planned: Annotated[tuple[PlannedChange, ...], About("what it would do, if it was not carried out")]


@dataclass(frozen=True)
class Night:
    at: str
    dry_run: bool
    busy: Annotated[str | None, About("who was at it already")]
    woken: Annotated[bool, About("ended before its work did")]
    before: Annotated[dict[str, dict[str, int]], About("memories by state, zone and lifetime")]
    after: dict[str, dict[str, int]]
    duties: tuple[DutyDone, ...]


@dataclass(frozen=True)
class Nights:
    nights: tuple[Night, ...]


@dataclass(frozen=True)
class Some(Strict):
    limit: Limit = 10


@dataclass(frozen=True)
class DutyTime:
    duty: Duty
    last_run: str | None
    next_run: str
    due: bool


@dataclass(frozen=True)
class Schedule:
    duties: tuple[DutyTime, ...]
    asleep: Annotated[str | None, About("who is asleep just now")]


def sleep(caller: Caller, asked: Sleep) -> Night:
    told = caller.memory.sleep(
        duties=asked.duties,
        dry_run=asked.dry_run,
        force=asked.force,
        allow_large=asked.allow_large,
        progress=_progress(caller),
    )
    return _night(told)


def sleep_everybody(caller: Caller, asked: Sleep) -> Nights:
    told = caller.memory.night.sleep_everybody(
        duties=asked.duties, dry_run=asked.dry_run, force=asked.force, allow_large=asked.allow_large,
        progress=_progress(caller),
    )  # fmt: skip
    # What would become of the others' memories is nobody else's business, an administrator's neither.
    return Nights(tuple(_night(one, plans=one.owner == caller.owner) for one in told))


def status(caller: Caller, asked: Nothing) -> Schedule:
    told = caller.memory.night.status()
    times = tuple(
        DutyTime(
            one.duty, None if one.last_run is None else timestamp(one.last_run), timestamp(one.next_run), one.due
        )
        for one in told.duties
    )
    return Schedule(times, told.holder)


def reports(caller: Caller, asked: Some) -> Nights:
    return Nights(tuple(map(_night, caller.memory.night.reports(asked.limit))))


def _progress(caller: Caller) -> Callable[[Duty, int, int], None] | None:
    report = caller.progress
    return None if report is None else lambda duty, done, of: report(done, of)


def _night(told: SleepReport, *, plans: bool = True) -> Night:
    duties = tuple(
        DutyDone(
            one.duty, one.outcome, dict(one.counts), one.seconds, None if one.error is None else str(one.error),
            tuple(PlannedChange(*planned) for planned in one.planned) if plans else (),
        )
        for one in told.duties
    )  # fmt: skip
    return Night(
        timestamp(told.at), told.dry_run, told.busy, told.woken, told.before.to_dict(), told.after.to_dict(), duties
    )


OPERATIONS = (
    Operation(
        "sleep_cycle_run",
        "Do the night's work that is due: merge repeats, end what was superseded, promote, fade, forget; "
        "dry_run only tells what would happen.",
        Sleep, Night, sleep, Route("POST", "/sleep"), Scope.WRITE, Effect.REMOVES, True, command="sleep",
        examples=({"dry_run": True},),
    ),
    Operation(
        "sleep_status", "When each duty of the night was last done, and when it is due.",
        Nothing, Schedule, status, Route("GET", "/sleep"), tool=False, command="sleep status",
    ),
    Operation(
        "sleep_reports", "The last nights, newest first, in numbers.",
        Some, Nights, reports, Route("GET", "/sleep/reports"), tool=False, command="sleep reports",
    ),
    Operation(
        "sleep_everybody", "The night's work of every owner in the database.",
        Sleep, Nights, sleep_everybody, Route("POST", "/sleep/everybody"), Scope.ADMIN, Effect.REMOVES, True,
        tool=False, command="sleep --everybody",
    ),
)  # fmt: skip
