"""Pictures: days in numbers, where everything is and was, and what this memory works with."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from celestial_engine import __version__
from celestial_engine.core.guard.secrets import RULES_VERSION, SecretKind, marker
from celestial_engine.core.orbit.picture import OrbitPoint
from celestial_engine.surfaces.operations.declaration import About, Caller, Operation, Route
from celestial_engine.surfaces.operations.fields import EmptyRequest, Id, StrictRequest
from celestial_engine.surfaces.operations.reading import ScoreWeights, weights_view
from celestial_engine.surfaces.operations.views import moment_view, view_of

_COUNTED = ("stored", "recalled", "forgotten", "restored", "purged")
_SEEN_FROM = "dashboard"


@dataclass(frozen=True)
class InsightRequest(StrictRequest):
    days: Annotated[int, About("so many days, today the last", 1, 400)] = 90
    utc_offset: Annotated[int, About("minutes by which local days are ahead of UTC, 540 in Seoul", -840, 840)] = 0


@dataclass(frozen=True)
class DayCounts:
    start: Annotated[float, About("its first second, in seconds since 1970")]
    stored: int
    recalled: int
    forgotten: int
    restored: int
    purged: int
    total: Annotated[int, About("in orbit at its end")]


@dataclass(frozen=True)
class TierFlow:
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
class LearningPoint:
    version: int
    at: float
    rewards: Annotated[int, About("how many there had been when this version began")]
    metrics: dict[str, Any]


@dataclass(frozen=True)
class Insight:
    days: tuple[DayCounts, ...]
    zones: Annotated[dict[str, int], About("how many are in each zone now")]
    tiers: Annotated[dict[str, int], About("how many have each lifetime now")]
    promotions: Annotated[tuple[TierFlow, ...], About("between lifetimes, in these days")]
    departures: Annotated[
        tuple[TierFlow, ...], About("from a lifetime over the cliff, by reason; source empty: gone")
    ]
    moods: tuple[DayMood, ...]
    learning: Annotated[tuple[LearningPoint, ...], About("the versions of what was learned, oldest first")]


@dataclass(frozen=True)
class GuardRule:
    kind: str
    action: Annotated[str, About("redact, block or allow")]
    marker: Annotated[str, About("the replacement for a redacted secret, in English texts")]
    marker_ko: Annotated[str, About("the same in Korean texts")]


@dataclass(frozen=True)
class GuardRules:
    rules: tuple[GuardRule, ...]
    version: int


@dataclass(frozen=True)
class ScheduledDuty:
    duty: str
    last: str | None
    next: str | None


@dataclass(frozen=True)
class ServerStatus:
    version: str
    embedder: Annotated[str | None, About("the model of the vectors; null: words alone")]
    dimensions: int | None
    without_vector: Annotated[int, About("memories of all owners that have no vector yet; reindex gives them one")]
    words: Annotated[str | None, About("what makes words of texts")]
    model: Annotated[str | None, About("the language model; null if there is none")]
    model_uses: tuple[str, ...]
    model_calls_today: int
    model_tokens_today: int
    schedule: tuple[ScheduledDuty, ...]
    database: Annotated[str | None, About("the path of the file; returned to the dashboard only")]
    ledger: Annotated[str | None, About("the folder of the ledger's daily files; returned to the dashboard only")]
    archive: Annotated[str | None, About("the folder of archived sessions; returned to the dashboard only")]
    size_bytes: int | None
    states: Annotated[dict[str, int], About("how many memories of this owner are in each state")]
    entries: Annotated[int, About("how many entries the ledger has, of all owners")]


def insight(caller: Caller, request: InsightRequest) -> Insight:
    found = caller.memory.orbits.insight(request.days, request.utc_offset)
    names = {zone.zone_id: zone.name for zone in caller.zones}
    versions = sorted(caller.memory.policy.versions(), key=lambda one: one.version)
    return Insight(
        tuple(
            DayCounts(day.start, total=day.total, **{kind: day.counts.get(kind, 0) for kind in _COUNTED})
            for day in found.days
        ),
        {names.get(zone, str(zone)): count for zone, count in sorted(found.zones.items())},
        dict(found.tiers),
        tuple(TierFlow(source, target, count) for (source, target), count in sorted(found.promotions.items())),
        tuple(TierFlow(source, target, count) for (source, target), count in sorted(found.departures.items())),
        tuple(DayMood(mood.start, dict(mood.emotions), mood.sentiment) for mood in found.moods),
        tuple(LearningPoint(one.version, one.at, one.began, one.metrics) for one in versions),
    )


def guard_rules(caller: Caller, request: EmptyRequest) -> GuardRules:
    policy = caller.memory.maintenance.guard()
    return GuardRules(
        tuple(
            GuardRule(kind.value, policy.action(kind).value, marker(kind), marker(kind, korean=True))
            for kind in SecretKind
        ),
        RULES_VERSION,
    )


def status(caller: Caller, request: EmptyRequest) -> ServerStatus:
    overview, spent = caller.memory.maintenance.status(), caller.memory.maintenance.model_spent()
    at_home = (
        caller.local or caller.channel == _SEEN_FROM
    )  # who holds a link has been at the machine; a token may be anybody's
    schedule = tuple(
        ScheduledDuty(one.duty.value, moment_view(one.last_run), moment_view(one.next_run))
        for one in caller.memory.night.status().duties
    )
    return view_of(
        ServerStatus, overview, version=__version__, model_calls_today=spent.calls, model_tokens_today=spent.tokens,
        schedule=schedule, database=_without_home(overview.path) if at_home else None,
        ledger=_without_home(overview.ledger_path) if at_home else None,
        archive=_without_home(overview.archive_path) if at_home else None,
        size_bytes=caller.memory.parts.store.size_bytes(), states=dict(overview.states),
    )  # fmt: skip


def _without_home(path: str | None) -> str | None:
    """With the home folder as ~: a picture of the screen need not tell a name."""
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path and home != "/" and path.startswith(home + os.sep) else path


Feelings = tuple[tuple[str, float], ...]
Emotions = Annotated[
    tuple[Feelings, ...], About("[emotion, how much of it from 0 to 1] for each memory, the strongest first")
]
Moments = tuple[float, ...]


@dataclass(frozen=True)
class OrbitsRequest(StrictRequest):
    limit: Annotated[int, About("at most so many, the most central first", 1, 20_000)] = 20_000


@dataclass(frozen=True)
class ZoneBounds:
    zone: int
    name: str
    lower: Annotated[float | None, About("the lowest score that belongs here; null: any")]
    slots: Annotated[int | None, About("how many have a place; null: any number")]


@dataclass(frozen=True)
class Orbits:
    """Columns of one length: the n-th value of each is about the n-th memory."""

    at: Annotated[float, About("the moment of the scores; all moments here are seconds since 1970")]
    total: Annotated[int, About("how many are in orbit, shown or not")]
    zones: tuple[ZoneBounds, ...]
    ids: tuple[str, ...]
    zone: tuple[int, ...]
    score: tuple[float, ...]
    importance: tuple[float, ...]
    tier: tuple[str, ...]
    protection: tuple[str, ...]
    state: tuple[str, ...]
    emotions: Emotions
    recalled_at: Moments
    created_at: Moments
    recalls: tuple[int, ...]
    label: Annotated[tuple[str, ...], About("the first 80 characters of each text")]
    population: Annotated[tuple[int, ...], About("how many are in each zone, shown or not")]


@dataclass(frozen=True)
class OrbitsPastRequest(StrictRequest):
    start: Annotated[datetime | None, About("the first frame; thirty days before the last unless given")] = None
    end: Annotated[datetime | None, About("the last frame; now unless given")] = None
    frames: Annotated[int, About("so many moments, evenly from start to end", 2, 200)] = 48
    limit: Annotated[int, About("at most so many memories, an even sample of all", 1, 3_000)] = 2_000


@dataclass(frozen=True)
class OrbitsPast:
    """Columns. Scores and zones are listed only where they change, and hold from that frame on."""

    moments: Annotated[Moments, About("the moment of each frame")]
    zones: tuple[ZoneBounds, ...]
    ids: tuple[str, ...]
    label: tuple[str, ...]
    importance: tuple[float, ...]
    tier: tuple[str, ...]
    emotions: Emotions
    created_at: Moments
    zone: Annotated[
        tuple[tuple[tuple[int, int], ...], ...],
        About("[frame, zone] for each memory, where the zone changes; zone -1: not there"),
    ]
    score: Annotated[
        tuple[tuple[tuple[int, float], ...], ...],
        About("[frame, score] for each memory, where the score has changed by 0.01; draw a straight line between"),
    ]
    gone: Annotated[int, About("memories of that time of which nothing is left to show")]
    total: Annotated[int, About("how many memories there are to show; of more than `limit` these are an even sample")]


@dataclass(frozen=True)
class OutlookRequest(StrictRequest):
    id: Id
    days: Annotated[float, About("how far to look ahead", 0.1, 400)] = 30.0


@dataclass(frozen=True)
class ScoreParts:
    score: float
    recall: float
    freshness: float
    importance: float
    context: float


@dataclass(frozen=True)
class Outlook:
    points: Annotated[tuple[tuple[float, float], ...], About("[moment, score], in the order of time")]
    crossings: Annotated[tuple[tuple[float, int, int], ...], About("[moment, from zone, to zone]")]
    breakdown: Annotated[ScoreParts, About("the parts of its score now")]
    weights: Annotated[ScoreWeights, About("how much each part counts")]
    expires_at: Annotated[float | None, About("when its lifetime ends; null: never")]


def orbits(caller: Caller, request: OrbitsRequest) -> Orbits:
    picture = caller.memory.orbits.picture(request.limit)
    of = _columns(picture.spots)
    population = Counter(of["zone"])
    if picture.total > len(picture.spots):  # counted only if not all memories are in the picture
        population = Counter(caller.memory.orbits.zone_counts())
    return Orbits(
        at=picture.at, total=picture.total, zones=_zones(caller), ids=of["id"], zone=of["zone"],
        score=tuple(picture.scores),
        importance=_short(of["arbitrary_importance"], 3), tier=of["tier"], protection=of["protection"],
        state=of["state"],
        emotions=of["emotions"], recalled_at=_short(of["last_recalled_at"]),
        created_at=_short(of["created_at"]),
        recalls=of["recall_count"], label=of["label"],
        population=tuple(population.get(zone.zone_id, 0) for zone in caller.zones),
    )  # fmt: skip


def orbits_past(caller: Caller, request: OrbitsPastRequest) -> OrbitsPast:
    start, end = (None if one is None else one.timestamp() for one in (request.start, request.end))
    replay = caller.memory.orbits.replay(start, end, request.frames, request.limit)
    of = _columns([track.spot for track in replay.tracks])
    return OrbitsPast(
        moments=tuple(replay.moments), zones=_zones(caller), ids=of["id"], label=of["label"],
        importance=_short(of["arbitrary_importance"], 3), tier=of["tier"], emotions=of["emotions"],
        created_at=_short(of["created_at"]),
        zone=tuple(track.zones for track in replay.tracks), score=tuple(track.scores for track in replay.tracks),
        gone=replay.gone, total=replay.total,
    )  # fmt: skip


def outlook(caller: Caller, request: OutlookRequest) -> Outlook:
    outlook = caller.memory.orbits.outlook(request.id, request.days)
    parts = outlook.breakdown
    breakdown = ScoreParts(
        parts.total, parts.recall_score, parts.freshness_score, parts.arbitrary_score, parts.context_score
    )
    weights = weights_view(caller.memory.explain(request.id).config)
    return Outlook(outlook.points, outlook.crossings, breakdown, weights, outlook.expires_at)


def _columns(spots: Sequence[OrbitPoint]) -> dict[str, tuple[Any, ...]]:
    """A column for each field, also when there are no rows."""
    turned = tuple(zip(*spots, strict=True)) or ((),) * len(OrbitPoint._fields)
    return dict(zip(OrbitPoint._fields, turned, strict=True))


def _short(values: Sequence[float], digits: int = 0) -> tuple[float, ...]:
    """As exact as an eye: whole seconds are a third of the bytes."""
    return tuple(round(value, digits) for value in values)


def _zones(caller: Caller) -> tuple[ZoneBounds, ...]:
    return tuple(
        ZoneBounds(zone.zone_id, zone.name, zone.score_min if math.isfinite(zone.score_min) else None, zone.max_slots)
        for zone in caller.zones
    )


OPERATIONS = (
    Operation(
        "orbits", "Every memory in orbit with its zone and score now, the most central first, in columns.",
        OrbitsRequest, Orbits, orbits, Route("GET", "/orbits"), tool=False,
    ),
    Operation(
        "orbits_past", "Where memories were at moments of the past, as the ledger tells it, for a replay.",
        OrbitsPastRequest, OrbitsPast, orbits_past, Route("GET", "/orbits/past"), tool=False,
    ),
    Operation(
        "memory_outlook", "How a memory's score will fall, and through which zones, if nobody recalls it.",
        OutlookRequest, Outlook, outlook, Route("GET", "/memories/{id}/outlook"), tool=False,
    ),
    Operation(
        "insight", "Days in numbers: what came, went and was felt, what moved between lifetimes, what was learned.",
        InsightRequest, Insight, insight, Route("GET", "/insight"), tool=False,
    ),
    Operation(
        "guard_rules", "Which kinds of secrets are redacted, blocked or allowed.",
        EmptyRequest, GuardRules, guard_rules, Route("GET", "/guard"), tool=False,
    ),
    Operation(
        "server_status", "What this memory works with, and when the night's work is next.",
        EmptyRequest, ServerStatus, status, Route("GET", "/status"), tool=False,
    ),
)  # fmt: skip
