"""Demo data: two months of a made-up life, added and removed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Annotated, NamedTuple

from celestial_engine.core.learning.seeded_random import mixed, uniforms
from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate, Links, TimeCoordinate
from celestial_engine.core.record.events import day_of
from celestial_engine.core.record.forgetting import Departure, DepartureReason, Protection, State
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.lifetimes import Source, Tier, TierReason, expiry
from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import EmptyRequest, StrictRequest

TAG = "celestial-demo"
_PREFIX = "demo-"
_COUNT = 300
_DAY = 86_400.0
_SPAN = 60 * _DAY
_ON_THE_CLIFF = (DepartureReason.EXPIRED, DepartureReason.MANUAL, DepartureReason.STALE, DepartureReason.DISPLACED)
_GLADNESS = {Emotion.JOY: 0.7, Emotion.NOSTALGIA: 0.2, Emotion.NEUTRAL: 0.0}  # the others weigh down


class DemoLanguage(str, Enum):
    EN = "en"
    KO = "ko"


@dataclass(frozen=True)
class DemoRequest(StrictRequest):
    language: Annotated[DemoLanguage, About("of the texts")] = DemoLanguage.EN


@dataclass(frozen=True)
class DemoAdded:
    added: int


@dataclass(frozen=True)
class DemoRemoved:
    removed: int
    kept: Annotated[int, About("those that became core, immutable or the user's own words since, and stay")]


class Use(NamedTuple):
    """How the memories up to a place were used: so that every zone has memories."""

    until: int
    recalls: int
    idle_hours: float
    importance: float
    context: float


_NEVER = Use(0, 0, 0.0, 0.0, 0.0)
_USES = (
    Use(9, 140, 0.3, 0.95, 0.9),
    Use(35, 90, 4.0, 0.85, 0.0),
    Use(110, 12, 12.0, 0.6, 0.0),
    Use(190, 6, 100.0, 0.5, 0.0),
    Use(240, 2, 500.0, 0.0, 0.0),
    Use(_COUNT, 0, 0.0, 0.0, 0.0),
)


class Line(NamedTuple):
    topic: str
    category: Category
    emotions: tuple[Emotion, ...]
    intensity: float
    importance: float
    text: str


def add(caller: Caller, request: DemoRequest) -> DemoAdded:
    records = (item.to_dict() for item in demo_items(request.language, caller.memory.maintenance.status().at))
    return DemoAdded(caller.memory.transfer.import_(records).added)


def remove(caller: Caller, request: EmptyRequest) -> DemoRemoved:
    contents = {item.id: item.content for language in DemoLanguage for item in demo_items(language, 0.0)}
    there = [*_there(caller, contents)]  # by their ids, which are ours: tags are anybody's to give and to take
    theirs = {item.id for item in there if _has_become_theirs(item, contents[item.id])}
    erased = set(caller.memory.departures.erase([item_id for item_id in contents if item_id not in theirs]))
    return DemoRemoved(len(erased), sum(item.id not in erased for item in there))


def _there(caller: Caller, item_ids: Iterable[str]) -> Iterator[CelestialItem]:
    for item_id in item_ids:
        with suppress(NotFoundError):
            yield caller.memory.get(item_id)


def _has_become_theirs(item: CelestialItem, content: str) -> bool:
    """The user changed it or said the same: then it is real, and its only copy."""
    return item.content != content or item.mention_count > 0


def demo_items(language: DemoLanguage, now: float) -> list[CelestialItem]:
    """The same lives every time, ending today."""
    lines = sorted(_lines(language), key=_chance)[:_COUNT]
    items = [_item(f"{_PREFIX}{language.value}-{place:03}", line, place, now) for place, line in enumerate(lines)]
    by_topic: dict[str, list[CelestialItem]] = {}
    for item in items:
        if item.state.in_orbit:
            by_topic.setdefault(item.tags[1], []).append(item)
    ties: dict[str, set[str]] = {item.id: set() for item in items}
    for theirs in by_topic.values():
        for one, other in zip(theirs[::2], theirs[1::2], strict=False):
            ties[one.id].add(other.id)
            ties[other.id].add(one.id)
    return [replace(item, links=Links(related=tuple(sorted(ties[item.id])))) for item in items]


def _chance(line: Line) -> float:
    """In no order that could be seen, but what matters comes first more often: it is used most."""
    return next(uniforms(mixed(*line.text.encode()))) - line.importance


def _lines(language: DemoLanguage) -> Iterator[Line]:
    """A line of the file: topic, category, feelings, their strength, importance, a sentence and what fits into it."""
    table = Path(__file__).with_name(f"{language.value}.txt")
    for row in table.read_text(encoding="utf-8").splitlines():
        topic, category, emotions, intensity, importance, sentence, fillings = row.split("|")
        felt = tuple(Emotion(name) for name in emotions.split("+"))
        for filling in fillings.split(";"):
            text = sentence.replace("{}", filling)
            yield Line(topic, Category(category), felt, float(intensity), float(importance), text)


def _item(item_id: str, line: Line, place: int, now: float) -> CelestialItem:
    draw = uniforms(mixed(place, len(line.text)))
    age = _SPAN * (next(draw) * 0.98 + 0.002)
    tier, state, departure = _fate(line, age, next(draw), now)
    importance, use = min(1.0, line.importance * (0.8 + 0.4 * next(draw))), _NEVER
    if state is State.ACTIVE:
        use = next(each for each in _USES if place < each.until)
        importance = max(importance, use.importance)
    idle = min(age, use.idle_hours * 3_600 * (0.1 + 0.9 * next(draw))) if use.recalls else age
    glad = sum(_GLADNESS.get(emotion, -0.7) for emotion in line.emotions) / len(line.emotions)
    return CelestialItem(
        item_id,
        line.text,
        created_at=now - age,
        last_recalled_at=now - idle,
        recall_count=int(use.recalls * (0.5 + next(draw))),
        arbitrary_importance=round(importance, 3),
        context_score=use.context,
        metadata={"demo": True},
        tier=tier,
        tier_reason=TierReason.GIVEN,  # the night is to show every tier
        expires_at=expiry(tier, now - age),
        state=state,
        departure=departure,
        state_since=None if state is State.ACTIVE else now - 2 * _DAY,
        protection=Protection.PINNED if use.importance >= 0.8 and place % 4 == 0 else Protection.NONE,
        category=line.category,
        tags=(TAG, line.topic),
        time=TimeCoordinate(session_id=f"demo-{day_of(now - age)}"),
        emotion=EmotionCoordinate(
            line.emotions, line.intensity, sentiment_score=round(glad * line.intensity, 3), confidence=0.8
        ),
        source=Source.CONVERSATION if tier is Tier.M30 else Source.USER,
    )


def _fate(line: Line, age: float, draw: float, now: float) -> tuple[Tier, State, Departure | None]:
    """Most live; a few have faded, and a few were forgotten in the last days."""
    if draw < 0.04:
        reason = _ON_THE_CLIFF[int(draw * 100)]
        left = now - min(age, (1 + draw * 100) * _DAY)
        return Tier.M30, State.CLIFF, Departure.begin(reason, left)
    if line.importance >= 0.8:
        return Tier.M365, State.ACTIVE, None
    if age < 25 * _DAY and draw < 0.6:
        return Tier.M30, State.ACTIVE, None
    faded = age > 35 * _DAY and line.importance <= 0.3 and draw > 0.6
    return Tier.M90, State.FADED if faded else State.ACTIVE, None


OPERATIONS = (
    Operation(
        "demo_add", "Put in some three hundred memories of a made-up life, to look around with.",
        DemoRequest, DemoAdded, add, Route("POST", "/demo"), Scope.WRITE, Effect.ADDS, True, tool=False,
    ),
    Operation(
        "demo_remove", "Take the made-up memories out again, wholly, and nothing else.",
        EmptyRequest, DemoRemoved, remove, Route("DELETE", "/demo"), Scope.WRITE, Effect.REMOVES, True, tool=False,
    ),
)  # fmt: skip
