"""Sleep, the nightly maintenance: its duties, their order and schedule, limits on removals, and reports.

The order matters: promotion runs before expiry. A machine that was off for a month forgets nothing that it would
have promoted meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from typing import Any, NamedTuple

from celestial_engine.core.night.brake import SleepSettings
from celestial_engine.core.record.events import Event, moment_of
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import CelestialError

__all__ = [
    "Census",
    "CensusPlace",
    "Duty",
    "DutyReport",
    "DutyStatus",
    "Outcome",
    "Planned",
    "Rhythm",
    "SleepReport",
    "SleepSettings",
    "SleepStatus",
    "due_duties",
    "in_order",
]


class Rhythm(str, Enum):
    """How often a duty runs, by the UTC calendar; missed periods are made up for once."""

    DAILY = "daily"
    WEEKLY = "weekly"  # from Monday
    MONTHLY = "monthly"
    YEARLY = "yearly"

    def period(self, moment: float) -> tuple[int, ...]:
        """Returns the day, week, month or year that contains a moment."""
        day = moment_of(moment).date()
        match self:
            case Rhythm.DAILY:
                return (day.year, day.month, day.day)
            case Rhythm.WEEKLY:
                return day.isocalendar()[:2]
            case Rhythm.MONTHLY:
                return (day.year, day.month)
            case Rhythm.YEARLY:
                return (day.year,)

    def next_start(self, moment: float) -> float:
        """Returns when the next period begins."""
        midnight = moment_of(moment).replace(hour=0, minute=0, second=0, microsecond=0)
        match self:
            case Rhythm.DAILY:
                ahead = midnight + timedelta(days=1)
            case Rhythm.WEEKLY:
                ahead = midnight + timedelta(days=7 - midnight.weekday())
            case Rhythm.MONTHLY:
                ahead = (midnight.replace(day=1) + timedelta(days=32)).replace(day=1)
            case Rhythm.YEARLY:
                ahead = midnight.replace(year=midnight.year + 1, month=1, day=1)
        return ahead.timestamp()


class Duty(str, Enum):
    """The duties of sleep, in the order they run."""

    SUPERSEDE = "supersede"  # newer statements end the validity of older ones
    CONSOLIDATE = "consolidate"  # merge memories that say the same
    REGENERATE = "regenerate"  # missing gists and triples
    APPRAISE = "appraise"  # update importance from use
    PROMOTE_M90 = "promote-m90"
    PROMOTE_M365 = "promote-m365"
    NOMINATE = "nominate"  # for M0, which needs the user's approval
    REFLECT = "reflect"  # update islands, and propose changes of the self
    EXPIRE = "expire"  # end of lifetime, or inactive for too long
    FADE = "fade"  # reduce memories of little worth
    RETAIN = "retain"  # apply the user's limits, and archive
    CHECKPOINT = "checkpoint"  # save the learned policy
    REPORT = "report"  # the year in numbers
    REBALANCE = "rebalance"  # assign zones, remove stale memories, purge those long enough on the cliff
    TIDY = "tidy"  # the store's own files

    @property
    def rhythm(self) -> Rhythm:
        return _RHYTHMS.get(self, Rhythm.DAILY)

    @property
    def for_all(self) -> bool:
        """Runs once per store, not per owner."""
        return self in (Duty.REBALANCE, Duty.TIDY)

    @property
    def guarded(self) -> bool:
        """Removes memories by heuristics, not by a known time or limit; SleepSettings bounds how many.

        A rebalance asks the same limits about what it would send over the cliff or purge (`flow/night/rebalance`).
        """
        return self in (Duty.CONSOLIDATE, Duty.FADE)

    @property
    def departs(self) -> bool:
        """Moves memories over the cliff, where later duties see them."""
        return self in (Duty.CONSOLIDATE, Duty.EXPIRE, Duty.RETAIN)

    def is_due(self, last_run: float | None, now: float) -> bool:
        # Not "later than": a last run in the future came from a wrong clock and is ignored.
        return last_run is None or self.rhythm.period(last_run) != self.rhythm.period(now)


_RHYTHMS = {
    Duty.PROMOTE_M90: Rhythm.WEEKLY,
    Duty.PROMOTE_M365: Rhythm.MONTHLY,
    Duty.NOMINATE: Rhythm.MONTHLY,
    Duty.REPORT: Rhythm.YEARLY,
}


def due_duties(last_runs: Mapping[Duty, float], now: float) -> tuple[Duty, ...]:
    """Returns the duties that are due, in order; each once, however long ago it last ran."""
    return tuple(duty for duty in Duty if duty.is_due(last_runs.get(duty), now))


def in_order(duties: Iterable[Duty | str]) -> tuple[Duty, ...]:
    """Returns the duties in the order they run; an unknown name raises ValueError."""
    wanted = {Duty(duty) for duty in duties}
    return tuple(duty for duty in Duty if duty in wanted)


class CensusPlace(NamedTuple):
    """The group that a memory is counted in."""

    state: State
    zone: int
    tier: Tier


@dataclass(frozen=True)
class Census:
    """The number of memories by state; of those in orbit also by zone and by tier."""

    states: Mapping[State, int] = field(default_factory=dict)
    zones: Mapping[int, int] = field(default_factory=dict)
    tiers: Mapping[Tier, int] = field(default_factory=dict)

    @classmethod
    def of(cls, counted: Iterable[tuple[CensusPlace, int]]) -> Census:
        states: dict[State, int] = {}
        zones: dict[int, int] = {}
        tiers: dict[Tier, int] = {}
        for place, count in counted:
            states[place.state] = states.get(place.state, 0) + count
            if place.state.in_orbit:
                zones[place.zone] = zones.get(place.zone, 0) + count
                tiers[place.tier] = tiers.get(place.tier, 0) + count
        return cls(states, zones, tiers)

    @property
    def in_orbit(self) -> int:
        return sum(self.zones.values())

    def to_dict(self) -> dict[str, dict[str, int]]:
        return {
            "states": {state.value: self.states[state] for state in State if state in self.states},
            "zones": {str(zone): self.zones[zone] for zone in sorted(self.zones)},
            "tiers": {tier.value: self.tiers[tier] for tier in Tier if tier in self.tiers},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Mapping[str, int]]) -> Census:
        return cls(
            {State(state): count for state, count in data["states"].items()},
            {int(zone): count for zone, count in data["zones"].items()},
            {Tier(tier): count for tier, count in data["tiers"].items()},
        )


class Outcome(str, Enum):
    DONE = "done"
    PLANNED = "planned"  # dry run
    HELD = "held"  # too many would leave: waits for the user's approval
    FAILED = "failed"  # retried at the next sleep


class Planned(NamedTuple):
    """A planned change of one memory, and the other memory or tier involved."""

    item_id: str
    change: str
    other: str | None = None


@dataclass(frozen=True)
class DutyReport:
    """The result of one duty: counts, ids of leaving memories, and the plan if it was not executed."""

    duty: Duty
    outcome: Outcome
    counts: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    leaving: tuple[str, ...] = ()
    error: CelestialError | None = None
    planned: tuple[Planned, ...] = ()


@dataclass(frozen=True)
class SleepReport:
    """One owner's sleep. `busy` names the process that was already asleep; `woken`: it was interrupted."""

    owner: Owner
    at: float
    before: Census = field(default_factory=Census)
    after: Census = field(default_factory=Census)
    duties: tuple[DutyReport, ...] = ()
    dry_run: bool = False
    busy: str | None = None
    woken: bool = False

    @property
    def held(self) -> tuple[DutyReport, ...]:
        """The duties that wait for the user's approval."""
        return self._with_outcome(Outcome.HELD)

    @property
    def failed(self) -> tuple[DutyReport, ...]:
        return self._with_outcome(Outcome.FAILED)

    @property
    def seconds(self) -> float:
        return sum(report.seconds for report in self.duties)

    def count(self, name: str) -> int:
        """Sums a count over all duties, except the yearly report, which counts other runs."""
        return sum(report.counts.get(name, 0) for report in self.duties if report.duty is not Duty.REPORT)

    def _with_outcome(self, outcome: Outcome) -> tuple[DutyReport, ...]:
        return tuple(report for report in self.duties if report.outcome is outcome)

    def to_detail(self) -> dict[str, Any]:
        """Returns the detail of the ledger entry: numbers, no ids."""
        return {
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "duties": [
                {"duty": report.duty.value, "outcome": report.outcome.value, "counts": dict(report.counts),
                 "seconds": round(report.seconds, 3)}
                for report in self.duties
            ],
        }  # fmt: skip

    @classmethod
    def from_event(cls, event: Event) -> SleepReport:
        """Restores a report from its ledger event."""
        duties = tuple(
            DutyReport(Duty(entry["duty"]), Outcome(entry["outcome"]), entry["counts"], entry["seconds"])
            for entry in event.detail["duties"]
        )
        before, after = (Census.from_dict(event.detail[when]) for when in ("before", "after"))
        return cls(event.owner, event.at, before, after, duties)


@dataclass(frozen=True)
class DutyStatus:
    """When a duty last ran and when it runs next; now, if it is due."""

    duty: Duty
    last_run: float | None
    next_run: float
    due: bool

    @classmethod
    def of(cls, duty: Duty, last_run: float | None, now: float) -> DutyStatus:
        due = duty.is_due(last_run, now)
        return cls(duty, last_run, now if due else duty.rhythm.next_start(now), due)


@dataclass(frozen=True)
class SleepStatus:
    """The last and next run of every duty; `holder` names the process that is asleep now."""

    duties: tuple[DutyStatus, ...]
    holder: str | None = None
