"""Sleep: which duties a night has, in which order, how often, how much may leave, and what is told of it.

The order is what keeps a memory that deserves to stay: it is promoted before it is asked whether its time is over,
so that a machine that was off for a month forgets nothing that it would have promoted meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from typing import Any, NamedTuple

from celestial_engine.core.record.events import Event, moment_of
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import CelestialError, ConfigError, Reason, problem


class Rhythm(str, Enum):
    """How often, by the calendar in UTC: a night, a week or a month that was missed is made up for once."""

    DAILY = "daily"
    WEEKLY = "weekly"  # from Monday
    MONTHLY = "monthly"
    YEARLY = "yearly"

    def period(self, moment: float) -> tuple[int, ...]:
        """The day, week, month or year that a moment lies in."""
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
        """When the period after the one of this moment begins."""
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
    """What sleep does, in this order."""

    SUPERSEDE = "supersede"  # newer statements end the validity of older ones
    CONSOLIDATE = "consolidate"  # what says the same becomes one
    REGENERATE = "regenerate"  # missing gists and triples
    APPRAISE = "appraise"  # importance by what has happened since
    PROMOTE_M90 = "promote-m90"
    PROMOTE_M365 = "promote-m365"
    NOMINATE = "nominate"  # for M0, which only the user gives
    REFLECT = "reflect"  # islands weather, and what could be said of the self is proposed
    EXPIRE = "expire"  # lifetimes that are over, and who was inactive for too long
    FADE = "fade"  # what is hardly worth keeping whole
    RETAIN = "retain"  # the user's limits, and archives
    CHECKPOINT = "checkpoint"  # what was learned
    REPORT = "report"  # the year in numbers
    REBALANCE = "rebalance"  # places; the stale leave, and who was on the cliff for long enough is purged
    TIDY = "tidy"  # the store's own files

    @property
    def rhythm(self) -> Rhythm:
        return _RHYTHMS.get(self, Rhythm.DAILY)

    @property
    def for_all(self) -> bool:
        """Done once for a store, not for each owner."""
        return self in (Duty.REBALANCE, Duty.TIDY)

    @property
    def guarded(self) -> bool:
        """Lets memories leave by its own judgement, not by a time or a limit that was announced."""
        return self in (Duty.CONSOLIDATE, Duty.FADE)

    @property
    def departs(self) -> bool:
        """Whom it lets leave goes over the cliff: the duties after it find them there."""
        return self in (Duty.CONSOLIDATE, Duty.EXPIRE, Duty.RETAIN)

    def is_due(self, last_run: float | None, now: float) -> bool:
        # Not "later than": a last run in the future came from a wrong clock, and counts for nothing.
        return last_run is None or self.rhythm.period(last_run) != self.rhythm.period(now)


_RHYTHMS = {
    Duty.PROMOTE_M90: Rhythm.WEEKLY,
    Duty.PROMOTE_M365: Rhythm.MONTHLY,
    Duty.NOMINATE: Rhythm.MONTHLY,
    Duty.REPORT: Rhythm.YEARLY,
}


def due_duties(last_runs: Mapping[Duty, float], now: float) -> tuple[Duty, ...]:
    """What is to be done now, each once however long it was not done, in the order of the night."""
    return tuple(duty for duty in Duty if duty.is_due(last_runs.get(duty), now))


def in_order(duties: Iterable[Duty | str]) -> tuple[Duty, ...]:
    """These duties as a night takes them; a name that is none raises ValueError."""
    wanted = {Duty(duty) for duty in duties}
    return tuple(duty for duty in Duty if duty in wanted)


@dataclass(frozen=True)
class SleepSettings:
    """How much of the memories in orbit one night may take out by its own judgement, without asking."""

    max_leaving_share: float = 0.20
    always_allowed: int = 5  # so many may leave however small the memory is

    def __post_init__(self) -> None:
        problems = []
        if not 0.0 <= self.max_leaving_share <= 1.0:
            problems.append(
                problem("max_leaving_share", Reason.OUT_OF_RANGE, low=0, high=1, got=self.max_leaving_share)
            )
        if self.always_allowed < 0:
            problems.append(problem("always_allowed", Reason.TOO_SMALL, least=0, got=self.always_allowed))
        if problems:
            raise ConfigError(*problems)

    def allows(self, leaving: int, in_orbit: int) -> bool:
        return leaving <= max(self.always_allowed, self.max_leaving_share * in_orbit)


class CensusPlace(NamedTuple):
    """Where memories can be counted."""

    state: State
    zone: int
    tier: Tier


@dataclass(frozen=True)
class Census:
    """How many memories there are, by state; and of those in orbit, by zone and by tier."""

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
    PLANNED = "planned"  # a dry run: what it would do
    HELD = "held"  # too many would leave: it waits for the user's word
    FAILED = "failed"  # it is tried again when next the memory sleeps


class Planned(NamedTuple):
    """What a duty would do to one memory, in a word, and which other memory or tier it has to do with."""

    item_id: str
    change: str
    other: str | None = None


@dataclass(frozen=True)
class DutyReport:
    """What became of one duty: its counts; who leaves; and, if it was not carried out, what it would do."""

    duty: Duty
    outcome: Outcome
    counts: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    leaving: tuple[str, ...] = ()
    error: CelestialError | None = None
    planned: tuple[Planned, ...] = ()


@dataclass(frozen=True)
class SleepReport:
    """One owner's night. `busy` is who was asleep already; `woken` says that it ended before its work did."""

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
        """The duties that wait for the user's word."""
        return self._of(Outcome.HELD)

    @property
    def failed(self) -> tuple[DutyReport, ...]:
        return self._of(Outcome.FAILED)

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.duties)

    def count(self, name: str) -> int:
        """What all duties together counted under this name; the report of the year counts other nights."""
        return sum(one.counts.get(name, 0) for one in self.duties if one.duty is not Duty.REPORT)

    def _of(self, outcome: Outcome) -> tuple[DutyReport, ...]:
        return tuple(one for one in self.duties if one.outcome is outcome)

    def to_detail(self) -> dict[str, Any]:
        """What the ledger keeps: numbers, no ids."""
        return {
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "duties": [
                {"duty": one.duty.value, "outcome": one.outcome.value, "counts": dict(one.counts),
                 "seconds": round(one.seconds, 3)}
                for one in self.duties
            ],
        }  # fmt: skip

    @classmethod
    def from_event(cls, event: Event) -> SleepReport:
        """The night that the ledger tells of."""
        duties = tuple(
            DutyReport(Duty(one["duty"]), Outcome(one["outcome"]), one["counts"], one["seconds"])
            for one in event.detail["duties"]
        )
        before, after = (Census.from_dict(event.detail[when]) for when in ("before", "after"))
        return cls(event.owner, event.at, before, after, duties)


@dataclass(frozen=True)
class DutyStatus:
    """When a duty was last done, and when it is to be done again: at once, if it is due."""

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
    """Every duty's last and next run; `holder` is who is asleep just now."""

    duties: tuple[DutyStatus, ...]
    holder: str | None = None
