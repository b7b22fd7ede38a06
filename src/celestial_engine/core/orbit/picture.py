"""Pictures of a memory: where everything is now, where it was, and where one memory is going."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction, Crossing, ScoreBreakdown, Scored
from celestial_engine.core.record.coordinate import Emotion

LABEL = 80  # characters of a text that are shown beside a dot
NOT_THERE = -1
DAY = 86_400.0
_SEEN_BY_EYE = 0.01  # scores that differ by less are drawn at the same place
_OUTLOOK_STEPS = 120


class OrbitPoint(NamedTuple):
    """What a picture shows of a memory: no more, since there are ten thousand of them."""

    id: str
    zone: int
    state: str
    tier: str
    protection: str
    recall_count: int
    last_recalled_at: float
    arbitrary_importance: float
    context_score: float
    created_at: float
    left_at: float | None  # when it went over the cliff
    label: str
    emotions: tuple[tuple[str, float], ...]


class PastEvent(NamedTuple):
    """Something that changed where a memory is: one line of the ledger, as far as the replay needs it."""

    item_id: str
    at: float
    kind: str
    context: float


# What the ledger calls it when a memory leaves its orbit, and when it comes back into one.
LEAVES = frozenset({"forgotten", "purged", "archived", "went_inactive"})
RETURNS = frozenset({"stored", "restored", "unarchived", "recalled"})


def weighted(tags: Sequence[str], intensity: float) -> tuple[tuple[str, float], ...]:
    """Emotions with how much of each: the first is felt in full, the second half as much, the third a third."""
    felt = [tag for tag in tags if tag != Emotion.NEUTRAL.value]
    return tuple((tag, round(intensity / place, 3)) for place, tag in enumerate(felt, 1)) if intensity else ()


@dataclass(frozen=True)
class Picture:
    """Everybody in orbit at a moment, most central first; of `total`, as many as were asked for."""

    at: float
    total: int
    spots: Sequence[OrbitPoint]
    scores: Sequence[float]


def pictured(function: CelestialMemoryFunction, spots: Iterable[OrbitPoint], total: int, now: float) -> Picture:
    scored = [(function.score(spot, now), spot) for spot in spots]
    scored.sort(key=lambda pair: (pair[1].zone, -pair[0]))
    return Picture(now, total, [spot for _, spot in scored], [round(score, 4) for score, _ in scored])


# -- what was -----------------------------------------------------------------------------------------


class PastState(NamedTuple):
    """What a memory's score hung on at a moment of its past."""

    recall_count: int
    last_recalled_at: float
    arbitrary_importance: float
    context_score: float


@dataclass(frozen=True)
class Track:
    """A memory through the frames of a replay: [frame, value], only where the value changes."""

    spot: OrbitPoint
    zones: tuple[tuple[int, int], ...]
    scores: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Replay:
    """`gone`: how many memories of that time have been purged since, so that nothing of them can be shown."""

    moments: Sequence[float]
    tracks: Sequence[Track]
    gone: int


def replayed(
    function: CelestialMemoryFunction,
    spots: Iterable[OrbitPoint],
    deeds: Iterable[PastEvent],
    moments: Sequence[float],
) -> Replay:
    """Where each of these memories was at each of these moments, by its score then."""
    by_item: dict[str, list[PastEvent]] = {}
    for deed in deeds:
        by_item.setdefault(deed.item_id, []).append(deed)
    tracks = []
    for spot in spots:
        track = _track(function, spot, by_item.pop(spot.id, ()), moments)
        if any(zone != NOT_THERE for _, zone in track.zones):
            tracks.append(track)
    began, ended = (moments[0], moments[-1]) if moments else (0.0, 0.0)
    gone = sum(_was_purged(past) and past[0].at <= ended and past[-1].at >= began for past in by_item.values())
    return Replay(moments, tracks, gone)


def _was_purged(past: Sequence[PastEvent]) -> bool:
    return any(deed.kind == "purged" for deed in past)


def _track(
    function: CelestialMemoryFunction, spot: OrbitPoint, past: Sequence[PastEvent], moments: Sequence[float]
) -> Track:
    zones: list[tuple[int, int]] = []
    scores: list[tuple[int, float]] = []
    for frame, (moment, been) in enumerate(zip(moments, _beens(spot, past, moments), strict=True)):
        score = None if been is None else function.score(been, moment)
        zone = NOT_THERE if score is None else function.zones.zone_of(score)
        if not zones or zones[-1][1] != zone:
            zones.append((frame, zone))
        if score is not None and (not scores or abs(scores[-1][1] - score) >= _SEEN_BY_EYE):
            scores.append((frame, round(score, 3)))
    return Track(spot, tuple(zones), tuple(scores))


def _beens(spot: OrbitPoint, past: Sequence[PastEvent], moments: Sequence[float]) -> Iterator[PastState | None]:
    """What the memory was at each moment; None while it was out of orbit, or not yet made."""
    deeds = iter(sorted(chain(_untold(spot, past), past), key=lambda deed: deed.at))
    coming, brought_until = next(deeds, None), _brought_along(spot, past)
    count, recalled, context, there = 0, spot.created_at, 0.0, True
    for moment in moments:
        while coming is not None and coming.at <= moment:
            if coming.kind in LEAVES:
                there = False
            elif coming.kind in RETURNS:
                there = True
                if coming.kind != "stored":
                    recalled, context = coming.at, coming.context
                count += coming.kind == "recalled"
            coming = next(deeds, None)
        brought, at = brought_until(moment)
        last, held = (at, 0.0) if at > recalled else (recalled, context)
        alive = there and spot.created_at <= moment
        yield PastState(count + brought, last, spot.arbitrary_importance, held) if alive else None


def _untold(spot: OrbitPoint, past: Sequence[PastEvent]) -> Iterator[PastEvent]:
    """The departure that a memory brought with it from elsewhere."""
    if spot.left_at is not None and not any(deed.kind in LEAVES for deed in past):
        yield PastEvent(spot.id, spot.left_at, "forgotten", 0.0)


def _brought_along(spot: OrbitPoint, past: Sequence[PastEvent]) -> Callable[[float], tuple[int, float]]:
    """How many of the recalls that the ledger does not tell there were until a moment, and when the last of them was.

    They lie evenly over its life until it came. Counted, not listed: it is for a source to say how many they are.
    """
    told = [deed.at for deed in past if deed.kind == "recalled"]
    missing = max(0, spot.recall_count - len(told))
    begin, end = spot.created_at, min([spot.last_recalled_at, *told])

    def until(moment: float) -> tuple[int, float]:
        if not missing or moment < begin:
            return 0, begin
        if moment >= end:
            return missing, end
        number = int(missing * (moment - begin) / (end - begin))
        return number, begin + (end - begin) * number / missing

    return until


# -- what will be -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outlook:
    """The way of one memory if nobody recalls it: its score over time, and the zones that it comes through."""

    points: tuple[tuple[float, float], ...]
    crossings: tuple[tuple[float, int, int], ...]
    breakdown: ScoreBreakdown
    expires_at: float | None


def way_ahead(
    function: CelestialMemoryFunction, memory: Scored, now: float, end: float
) -> tuple[tuple[tuple[float, float], ...], tuple[tuple[float, int, int], ...]]:
    """Points of its score until then, and crossings as moment, from and to."""
    ahead = [one for one in function.crossings(memory, now) if one.at <= end]
    # Close together at first: most of a score goes on the first day.
    steps = (now + (end - now) * (number / _OUTLOOK_STEPS) ** 3 for number in range(_OUTLOOK_STEPS + 1))
    moments = sorted({*steps, *(one.at for one in ahead)})
    points = tuple((moment, round(function.score(memory, moment), 4)) for moment in moments)
    return points, tuple(_steps(ahead, function.zones.zone_of(function.score(memory, now))))


def _steps(crossings: Iterable[Crossing], zone: int) -> Iterator[tuple[float, int, int]]:
    for crossing in crossings:
        yield crossing.at, zone, crossing.zone
        zone = crossing.zone


# -- what there is to know ----------------------------------------------------------------------------


class Mood(NamedTuple):
    """How a memory that was made then feels."""

    created_at: float
    emotions: tuple[tuple[str, float], ...]
    sentiment: float


@dataclass(frozen=True)
class Day:
    """What happened on one day (by its first second), and how many were in orbit at its end."""

    start: float
    counts: Mapping[str, int]
    total: int


@dataclass(frozen=True)
class MoodOfDay:
    start: float
    emotions: Mapping[str, int]
    sentiment: float


@dataclass(frozen=True)
class Insight:
    """Days of a memory in numbers: what came, went and was felt, and between which lifetimes it moved."""

    days: Sequence[Day]
    zones: Mapping[int, int]
    tiers: Mapping[str, int]
    promotions: Mapping[tuple[str, str], int]
    departures: Mapping[tuple[str, str], int]
    moods: Sequence[MoodOfDay]


def days_of(starts: Sequence[float], happened: Mapping[tuple[float, str], int], in_orbit: int) -> list[Day]:
    """The days in order. Totals are counted back from what there is now."""
    days: list[Day] = []
    total = in_orbit
    for start in reversed(starts):
        counts = {kind: count for (day, kind), count in happened.items() if day == start}
        days.append(Day(start, counts, max(0, total)))
        came = sum(counts.get(kind, 0) for kind in ("stored", "restored", "unarchived"))
        total -= came - sum(counts.get(kind, 0) for kind in ("forgotten", "archived", "went_inactive"))
    return days[::-1]


def moods_of(moods: Iterable[Mood], first: float) -> list[MoodOfDay]:
    """By day: how many memories of each emotion, and the mean of what they feel, from -1 to 1."""
    by_day: dict[float, list[Mood]] = {}
    for mood in moods:
        by_day.setdefault(first + (mood.created_at - first) // DAY * DAY, []).append(mood)
    found = []
    for start, theirs in sorted(by_day.items()):
        emotions: dict[str, int] = {}
        for mood in theirs:
            for emotion, _ in mood.emotions[:1]:
                emotions[emotion] = emotions.get(emotion, 0) + 1
        mean = sum(mood.sentiment for mood in theirs) / len(theirs)
        found.append(MoodOfDay(start, emotions, round(mean, 3)))
    return found
