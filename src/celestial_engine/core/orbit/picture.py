"""Data for charts: where memories are now, where they were (replay), and where one is going (outlook)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction, Crossing, ScoreBreakdown, Scored
from celestial_engine.core.record.coordinate import Emotion

LABEL = 80  # characters of a text that are shown beside a dot
OUT_OF_ORBIT = -1
DAY = 86_400.0
_SEEN_BY_EYE = 0.01  # smaller differences of score are not visible
_OUTLOOK_STEPS = 120


class OrbitPoint(NamedTuple):
    """The fields of a memory that a chart shows; few, because a chart has up to ten thousand points."""

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
    """A ledger entry that moved a memory, with the fields that the replay needs."""

    item_id: str
    at: float
    kind: str
    context: float


# Ledger event types that take a memory out of orbit, and those that bring it back.
LEAVES = frozenset({"forgotten", "purged", "archived", "went_inactive"})
RETURNS = frozenset({"stored", "restored", "unarchived", "recalled"})


def weighted_emotions(tags: Sequence[str], intensity: float) -> tuple[tuple[str, float], ...]:
    """Returns emotions with weights: the first has the full intensity, the second half, the third a third."""
    felt = [tag for tag in tags if tag != Emotion.NEUTRAL.value]
    return tuple((tag, round(intensity / place, 3)) for place, tag in enumerate(felt, 1)) if intensity else ()


@dataclass(frozen=True)
class OrbitSnapshot:
    """The memories in orbit at a moment, most central first; `total` counts also those cut off by the limit."""

    at: float
    total: int
    spots: Sequence[OrbitPoint]
    scores: Sequence[float]


def orbit_snapshot(
    function: CelestialMemoryFunction, spots: Iterable[OrbitPoint], total: int, now: float
) -> OrbitSnapshot:
    scored = [(function.score(spot, now), spot) for spot in spots]
    scored.sort(key=lambda pair: (pair[1].zone, -pair[0]))
    return OrbitSnapshot(now, total, [spot for _, spot in scored], [round(score, 4) for score, _ in scored])


# -- the past ----------------------------------------------------------------------------------------


class PastState(NamedTuple):
    """The inputs of a memory's score at a past moment."""

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
    """`gone` counts memories of that time that were purged since; `total`, all that there are to show."""

    moments: Sequence[float]
    tracks: Sequence[Track]
    gone: int
    total: int = 0


def replay_orbits(
    function: CelestialMemoryFunction,
    spots: Iterable[OrbitPoint],
    deeds: Iterable[PastEvent],
    moments: Sequence[float],
    total: int | None = None,
) -> Replay:
    """Returns the zone and score of each memory at each moment; `total`: how many the spots are a sample of."""
    spots = list(spots)
    by_item: dict[str, list[PastEvent]] = {}
    for event in deeds:
        by_item.setdefault(event.item_id, []).append(event)
    tracks = []
    for spot in spots:
        track = _track(function, spot, by_item.pop(spot.id, ()), moments)
        if any(zone != OUT_OF_ORBIT for _, zone in track.zones):
            tracks.append(track)
    began, ended = (moments[0], moments[-1]) if moments else (0.0, 0.0)
    purged_count = sum(
        _was_purged(past) and past[0].at <= ended and past[-1].at >= began for past in by_item.values()
    )
    return Replay(moments, tracks, purged_count, len(spots) if total is None else total)


def _was_purged(past: Sequence[PastEvent]) -> bool:
    return any(event.kind == "purged" for event in past)


def _track(
    function: CelestialMemoryFunction, spot: OrbitPoint, past: Sequence[PastEvent], moments: Sequence[float]
) -> Track:
    zones: list[tuple[int, int]] = []
    scores: list[tuple[int, float]] = []
    for frame, (moment, state) in enumerate(zip(moments, _past_states(spot, past, moments), strict=True)):
        score = None if state is None else function.score(state, moment)
        zone = OUT_OF_ORBIT if score is None else function.zones.zone_of(score)
        if not zones or zones[-1][1] != zone:
            zones.append((frame, zone))
        if score is not None and (not scores or abs(scores[-1][1] - score) >= _SEEN_BY_EYE):
            scores.append((frame, round(score, 3)))
    return Track(spot, tuple(zones), tuple(scores))


def _past_states(spot: OrbitPoint, past: Sequence[PastEvent], moments: Sequence[float]) -> Iterator[PastState | None]:
    """Yields the memory's state at each moment; None while it is out of orbit or not yet created."""
    events = iter(sorted(chain(_imported_departure(spot, past), past), key=lambda event: event.at))
    upcoming, imported_until = next(events, None), _imported_recalls(spot, past)
    count, recalled, context, in_orbit = 0, spot.created_at, 0.0, True
    for moment in moments:
        while upcoming is not None and upcoming.at <= moment:
            if upcoming.kind in LEAVES:
                in_orbit = False
            elif upcoming.kind in RETURNS:
                in_orbit = True
                if upcoming.kind != "stored":
                    recalled, context = upcoming.at, upcoming.context
                count += upcoming.kind == "recalled"
            upcoming = next(events, None)
        imported, imported_at = imported_until(moment)
        last, context_score = (imported_at, 0.0) if imported_at > recalled else (recalled, context)
        alive = in_orbit and spot.created_at <= moment
        yield PastState(count + imported, last, spot.arbitrary_importance, context_score) if alive else None


def _imported_departure(spot: OrbitPoint, past: Sequence[PastEvent]) -> Iterator[PastEvent]:
    """Yields the departure of an imported memory, which this ledger does not have."""
    if spot.left_at is not None and not any(event.kind in LEAVES for event in past):
        yield PastEvent(spot.id, spot.left_at, "forgotten", 0.0)


def _imported_recalls(spot: OrbitPoint, past: Sequence[PastEvent]) -> Callable[[float], tuple[int, float]]:
    """Returns a function: moment -> number of imported recalls until then, and when the last of them was.

    Recalls that are not in the ledger are spread evenly over the time before the import. They are
    computed, not listed, because a source may claim any number of them.
    """
    recorded = [event.at for event in past if event.kind == "recalled"]
    missing = max(0, spot.recall_count - len(recorded))
    begin, end = spot.created_at, min([spot.last_recalled_at, *recorded])

    def until(moment: float) -> tuple[int, float]:
        if not missing or moment < begin:
            return 0, begin
        if moment >= end:
            return missing, end
        number = int(missing * (moment - begin) / (end - begin))
        return number, begin + (end - begin) * number / missing

    return until


# -- the future ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outlook:
    """The future of a memory that is not recalled: its score over time, and the zones it passes."""

    points: tuple[tuple[float, float], ...]
    crossings: tuple[tuple[float, int, int], ...]
    breakdown: ScoreBreakdown
    expires_at: float | None


def future_scores(
    function: CelestialMemoryFunction, memory: Scored, now: float, end: float
) -> tuple[tuple[tuple[float, float], ...], tuple[tuple[float, int, int], ...]]:
    """Returns the points (moment, score) until `end`, and the crossings (moment, from zone, to zone)."""
    ahead = [crossing for crossing in function.crossings(memory, now) if crossing.at <= end]
    # Close together at first: a score loses most on the first day.
    steps = (now + (end - now) * (number / _OUTLOOK_STEPS) ** 3 for number in range(_OUTLOOK_STEPS + 1))
    moments = sorted({*steps, *(crossing.at for crossing in ahead)})
    points = tuple((moment, round(function.score(memory, moment), 4)) for moment in moments)
    return points, tuple(_steps(ahead, function.zones.zone_of(function.score(memory, now))))


def _steps(crossings: Iterable[Crossing], zone: int) -> Iterator[tuple[float, int, int]]:
    for crossing in crossings:
        yield crossing.at, zone, crossing.zone
        zone = crossing.zone


# -- statistics ---------------------------------------------------------------------------


class MoodPoint(NamedTuple):
    """The emotions of one memory and when it was created."""

    created_at: float
    emotions: tuple[tuple[str, float], ...]
    sentiment: float


@dataclass(frozen=True)
class Day:
    """The events of one day (`start` is its first second), and how many memories were in orbit at its end."""

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
    """Daily statistics: memories added, removed, moods, and moves between tiers."""

    days: Sequence[Day]
    zones: Mapping[int, int]
    tiers: Mapping[str, int]
    promotions: Mapping[tuple[str, str], int]
    departures: Mapping[tuple[str, str], int]
    moods: Sequence[MoodOfDay]


def days_of(starts: Sequence[float], happened: Mapping[tuple[float, str], int], in_orbit: int) -> list[Day]:
    """Returns the days in order. Totals are counted back from the current number."""
    days: list[Day] = []
    total = in_orbit
    for start in reversed(starts):
        counts = {kind: count for (day, kind), count in happened.items() if day == start}
        days.append(Day(start, counts, max(0, total)))
        added = sum(counts.get(kind, 0) for kind in ("stored", "restored", "unarchived"))
        total -= added - sum(counts.get(kind, 0) for kind in ("forgotten", "archived", "went_inactive"))
    return days[::-1]


def moods_of(moods: Iterable[MoodPoint], first: float) -> list[MoodOfDay]:
    """Returns, by day, how many memories have each emotion, and the mean sentiment from -1 to 1."""
    by_day: dict[float, list[MoodPoint]] = {}
    for mood in moods:
        by_day.setdefault(first + (mood.created_at - first) // DAY * DAY, []).append(mood)
    result = []
    for start, day_moods in sorted(by_day.items()):
        emotions: dict[str, int] = {}
        for mood in day_moods:
            for emotion, _ in mood.emotions[:1]:
                emotions[emotion] = emotions.get(emotion, 0) + 1
        mean = sum(mood.sentiment for mood in day_moods) / len(day_moods)
        result.append(MoodOfDay(start, emotions, round(mean, 3)))
    return result
