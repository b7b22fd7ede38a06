"""Days in numbers, and what this memory works with."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Annotated, Any

from celestial_engine import __version__
from celestial_engine.core.guard.secrets import RULES_VERSION, SecretKind, marker
from celestial_engine.core.record.events import timestamp
from celestial_engine.surfaces.operations.declaration import About, Caller, Operation, Route
from celestial_engine.surfaces.operations.fields import Nothing, Strict

_COUNTED = ("stored", "recalled", "forgotten", "restored", "purged")
_SEEN_FROM = "dashboard"


@dataclass(frozen=True)
class Period(Strict):
    days: Annotated[int, About("so many days, today the last", 1, 400)] = 90
    utc_offset: Annotated[int, About("minutes by which local days are ahead of UTC, 540 in Seoul", -840, 840)] = 0


@dataclass(frozen=True)
class OneDay:
    start: Annotated[float, About("its first second, in seconds since 1970")]
    stored: int
    recalled: int
    forgotten: int
    restored: int
    purged: int
    total: Annotated[int, About("in orbit at its end")]


@dataclass(frozen=True)
class Flow:
    """So many from one lifetime to another, or from a lifetime away for a reason."""

    source: str
    target: str
    count: int


@dataclass(frozen=True)
class DayMood:
    start: float
    emotions: Annotated[dict[str, int], About("how many memories of that day feel so most of all")]
    sentiment: Annotated[float, About("their mean, from -1 to 1")]


@dataclass(frozen=True)
class Learnt:
    version: int
    at: float
    rewards: Annotated[int, About("how many there had been when this version began")]
    metrics: dict[str, Any]


@dataclass(frozen=True)
class Insight:
    days: tuple[OneDay, ...]
    zones: Annotated[dict[str, int], About("how many are in each zone now")]
    tiers: Annotated[dict[str, int], About("how many have each lifetime now")]
    promotions: Annotated[tuple[Flow, ...], About("between lifetimes, in these days")]
    departures: Annotated[tuple[Flow, ...], About("from a lifetime over the cliff, by reason; source empty: gone")]
    moods: tuple[DayMood, ...]
    learning: Annotated[tuple[Learnt, ...], About("the versions of what was learned, oldest first")]


@dataclass(frozen=True)
class GuardRule:
    kind: str
    action: Annotated[str, About("redact, block or allow")]
    marker: Annotated[str, About("what stands in the place of a redacted one, in English texts")]
    marker_ko: Annotated[str, About("the same in Korean texts")]


@dataclass(frozen=True)
class GuardRules:
    rules: tuple[GuardRule, ...]
    version: int


@dataclass(frozen=True)
class NextDuty:
    duty: str
    last: str | None
    next: str | None


@dataclass(frozen=True)
class Status:
    version: str
    embedder: Annotated[str | None, About("the model of the vectors; null: words alone")]
    dimensions: int | None
    without_vector: Annotated[int, About("memories of all owners that have no vector yet; reindex gives them one")]
    words: Annotated[str | None, About("what makes words of texts")]
    model: Annotated[str | None, About("the language model; null if there is none")]
    model_uses: tuple[str, ...]
    model_calls_today: int
    model_tokens_today: int
    schedule: tuple[NextDuty, ...]
    database: Annotated[str | None, About("where the file lies; told to the dashboard alone")]
    ledger: Annotated[str | None, About("the folder of the ledger's daily files; told to the dashboard alone")]
    archive: Annotated[str | None, About("the folder of archived sessions; told to the dashboard alone")]
    size_bytes: int | None
    states: Annotated[dict[str, int], About("how many memories of this owner are in each state")]
    entries: Annotated[int, About("the number of the ledger's newest entry")]


def insight(caller: Caller, asked: Period) -> Insight:
    told = caller.memory.orbits.insight(asked.days, asked.utc_offset)
    names = {zone.zone_id: zone.name for zone in caller.zones}
    versions = sorted(caller.memory.policy.versions(), key=lambda one: one.version)
    return Insight(
        tuple(
            OneDay(day.start, total=day.total, **{kind: day.counts.get(kind, 0) for kind in _COUNTED})
            for day in told.days
        ),
        {names.get(zone, str(zone)): count for zone, count in sorted(told.zones.items())},
        dict(told.tiers),
        tuple(Flow(source, target, count) for (source, target), count in sorted(told.promotions.items())),
        tuple(Flow(source, target, count) for (source, target), count in sorted(told.departures.items())),
        tuple(DayMood(mood.start, dict(mood.emotions), mood.sentiment) for mood in told.moods),
        tuple(Learnt(one.version, one.at, one.began, one.metrics) for one in versions),
    )


def guard_rules(caller: Caller, asked: Nothing) -> GuardRules:
    policy = caller.memory.maintenance.guard()
    return GuardRules(
        tuple(
            GuardRule(kind.value, policy.action(kind).value, marker(kind), marker(kind, korean=True))
            for kind in SecretKind
        ),
        RULES_VERSION,
    )


def status(caller: Caller, asked: Nothing) -> Status:
    told, spent = caller.memory.maintenance.status(), caller.memory.maintenance.model_spent()
    at_home = caller.channel == _SEEN_FROM  # who holds a link has been at the machine; a token may be anybody's
    schedule = tuple(
        NextDuty(one.duty.value, _moment(one.last_run), _moment(one.next_run))
        for one in caller.memory.night.status().duties
    )
    return Status(
        __version__, told.embedder, told.dimensions, told.without_vector, told.words, told.model, told.model_uses,
        spent.calls, spent.tokens, schedule, _shown(told.path) if at_home else None,
        _shown(told.ledger_path) if at_home else None, _shown(told.archive_path) if at_home else None,
        _size(told.path), dict(told.states), told.entries,
    )  # fmt: skip


def _moment(at: float | None) -> str | None:
    return None if at is None else timestamp(at)


def _shown(path: str | None) -> str | None:
    """With the home folder as ~: a picture of the screen need not tell a name."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path and home != "/" and path.startswith(home + os.sep) else path


def _size(path: str) -> int | None:
    sizes = [os.path.getsize(name) for name in (path, f"{path}-wal") if os.path.isfile(name)]
    return sum(sizes) if sizes else None


OPERATIONS = (
    Operation(
        "insight", "Days in numbers: what came, went and was felt, what moved between lifetimes, what was learned.",
        Period, Insight, insight, Route("GET", "/insight"), tool=False,
    ),
    Operation(
        "guard_rules", "Which kinds of secrets are redacted, blocked or allowed.",
        Nothing, GuardRules, guard_rules, Route("GET", "/guard"), tool=False,
    ),
    Operation(
        "server_status", "What this memory works with, and when the night's work is next.",
        Nothing, Status, status, Route("GET", "/status"), tool=False,
    ),
)  # fmt: skip
