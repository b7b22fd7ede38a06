"""The sky in columns: where everything is, where it was, and where one memory is going."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from celestial_engine.core.orbit.picture import OrbitPoint
from celestial_engine.surfaces.operations.declaration import About, Caller, Operation, Route
from celestial_engine.surfaces.operations.fields import Id, Strict

Feelings = tuple[tuple[str, float], ...]
Emotions = Annotated[
    tuple[Feelings, ...], About("[emotion, how much of it from 0 to 1] for each memory, the strongest first")
]
Moments = tuple[float, ...]


@dataclass(frozen=True)
class Sky(Strict):
    limit: Annotated[int, About("at most so many, the most central first", 1, 20_000)] = 20_000


@dataclass(frozen=True)
class Orbit:
    zone: int
    name: str
    lower: Annotated[float | None, About("the lowest score that belongs here; null: any")]
    slots: Annotated[int | None, About("how many have a place; null: any number")]


@dataclass(frozen=True)
class Orbits:
    """Columns of one length: the n-th value of each is about the n-th memory."""

    at: Annotated[float, About("the moment of the scores; all moments here are seconds since 1970")]
    total: Annotated[int, About("how many are in orbit, shown or not")]
    zones: tuple[Orbit, ...]
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


@dataclass(frozen=True)
class SkyThen(Strict):
    start: Annotated[datetime | None, About("the first frame; thirty days before the last unless given")] = None
    end: Annotated[datetime | None, About("the last frame; now unless given")] = None
    frames: Annotated[int, About("so many moments, evenly from start to end", 2, 200)] = 48
    limit: Annotated[int, About("at most so many memories, the most central of now first", 1, 3_000)] = 2_000


@dataclass(frozen=True)
class OrbitsThen:
    """Columns again. Scores and zones are told only where they change, and hold from that frame on."""

    moments: Annotated[Moments, About("the moment of each frame")]
    zones: tuple[Orbit, ...]
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


@dataclass(frozen=True)
class Ahead(Strict):
    id: Id
    days: Annotated[float, About("how far to look ahead", 0.1, 400)] = 30.0


@dataclass(frozen=True)
class Parts:
    score: float
    recall: float
    freshness: float
    importance: float
    context: float


@dataclass(frozen=True)
class Weights:
    recall: float
    freshness: float
    importance: float
    context: float


@dataclass(frozen=True)
class Outlook:
    points: Annotated[tuple[tuple[float, float], ...], About("[moment, score], in the order of time")]
    crossings: Annotated[tuple[tuple[float, int, int], ...], About("[moment, from zone, to zone]")]
    breakdown: Annotated[Parts, About("the parts of its score now")]
    weights: Annotated[Weights, About("how much each part counts")]
    expires_at: Annotated[float | None, About("when its lifetime ends; null: never")]


def orbits(caller: Caller, asked: Sky) -> Orbits:
    seen = caller.memory.orbits.picture(asked.limit)
    of = _columns(seen.spots)
    return Orbits(
        at=seen.at, total=seen.total, zones=_zones(caller), ids=of["id"], zone=of["zone"], score=tuple(seen.scores),
        importance=_short(of["arbitrary_importance"], 3), tier=of["tier"], protection=of["protection"],
        state=of["state"],
        emotions=of["emotions"], recalled_at=_short(of["last_recalled_at"]),
        created_at=_short(of["created_at"]),
        recalls=of["recall_count"], label=of["label"],
    )  # fmt: skip


def orbits_past(caller: Caller, asked: SkyThen) -> OrbitsThen:
    start, end = (None if one is None else one.timestamp() for one in (asked.start, asked.end))
    seen = caller.memory.orbits.replay(start, end, asked.frames, asked.limit)
    of = _columns([track.spot for track in seen.tracks])
    return OrbitsThen(
        moments=tuple(seen.moments), zones=_zones(caller), ids=of["id"], label=of["label"],
        importance=_short(of["arbitrary_importance"], 3), tier=of["tier"], emotions=of["emotions"],
        created_at=_short(of["created_at"]),
        zone=tuple(track.zones for track in seen.tracks), score=tuple(track.scores for track in seen.tracks),
        gone=seen.gone,
    )  # fmt: skip


def outlook(caller: Caller, asked: Ahead) -> Outlook:
    seen = caller.memory.orbits.outlook(asked.id, asked.days)
    parts = seen.breakdown
    told = Parts(parts.total, parts.recall_score, parts.freshness_score, parts.arbitrary_score, parts.context_score)
    law = caller.memory.explain(asked.id).config
    weights = Weights(law.w_recall, law.w_freshness, law.w_arbitrary, law.w_context)
    return Outlook(seen.points, seen.crossings, told, weights, seen.expires_at)


def _columns(spots: Sequence[OrbitPoint]) -> dict[str, tuple[Any, ...]]:
    """A column for each field, though there be nobody to fill it."""
    turned = tuple(zip(*spots, strict=True)) or ((),) * len(OrbitPoint._fields)
    return dict(zip(OrbitPoint._fields, turned, strict=True))


def _short(values: Sequence[float], digits: int = 0) -> tuple[float, ...]:
    """As exact as an eye: whole seconds are a third of the bytes."""
    return tuple(round(value, digits) for value in values)


def _zones(caller: Caller) -> tuple[Orbit, ...]:
    return tuple(
        Orbit(zone.zone_id, zone.name, zone.score_min if math.isfinite(zone.score_min) else None, zone.max_slots)
        for zone in caller.zones
    )


OPERATIONS = (
    Operation(
        "orbits", "Every memory in orbit with its zone and score now, the most central first, in columns.",
        Sky, Orbits, orbits, Route("GET", "/orbits"), tool=False,
    ),
    Operation(
        "orbits_past", "Where memories were at moments of the past, as the ledger tells it, for a replay.",
        SkyThen, OrbitsThen, orbits_past, Route("GET", "/orbits/past"), tool=False,
    ),
    Operation(
        "memory_outlook", "How a memory's score will fall, and through which zones, if nobody recalls it.",
        Ahead, Outlook, outlook, Route("GET", "/memories/{id}/outlook"), tool=False,
    ),
)  # fmt: skip
