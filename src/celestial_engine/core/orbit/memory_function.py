"""The memory function: how central a memory is now, and when that will change.

    I(m) = w_r R + w_f F + w_a A + w_c C

R counts recalls (logarithmic, always below 1). F falls with idle time along three straight pieces:
fast on the first day, slow until the horizon (day 90), then flat at -1. A is the memory's own
importance. C is how well it suited the question that last recalled it; it holds for half an hour.

Between recalls a score only falls, and along known lines. So besides a score this module computes a
`Course`: the line a memory is on and the next moment at which anything about it changes. Rebalancing
visits only the memories whose moment has come.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum
from typing import NamedTuple, Protocol

from celestial_engine.core.orbit.zones import ZoneConfig, Zones
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.errors import ConfigError, Expected, Reason, problem

# Crossings are scheduled this much early, so that rounding never makes them late.
_EARLY_SECONDS = 1e-3


@dataclass(frozen=True)
class MemoryFunctionConfig:
    """Weights and constants. `freshness_alpha * idle_seconds / |freshness_floor|` counts idle days."""

    w_recall: float = 0.25
    w_freshness: float = 0.30
    w_arbitrary: float = 0.25
    w_context: float = 0.20
    max_recall_cap: int = 1000
    freshness_alpha: float = 0.001
    freshness_floor: float = -86.4
    first_day_drop: float = 0.95  # how much of the freshness is lost on the first idle day
    horizon_days: float = 90.0  # when the rest of it is lost
    context_hold: timedelta = timedelta(minutes=30)

    def __post_init__(self) -> None:
        problems = [
            problem(name, Reason.OUT_OF_RANGE, low=0, high=1, got=getattr(self, name))
            for name in ("w_recall", "w_freshness", "w_arbitrary", "w_context", "first_day_drop")
            if not _within(getattr(self, name), 0.0, 1.0)
        ]
        if not isinstance(self.max_recall_cap, int) or self.max_recall_cap < 2:
            problems.append(problem("max_recall_cap", Reason.WHOLE_TOO_SMALL, least=2, got=self.max_recall_cap))
        if not _within(self.freshness_alpha, 1e-12, 1e12):
            expected = Expected.POSITIVE_NUMBER
            problems.append(
                problem("freshness_alpha", Reason.WRONG_VALUE, expected=expected, got=self.freshness_alpha)
            )
        if not _within(self.freshness_floor, -1e12, -1e-12):
            expected = Expected.NEGATIVE_NUMBER
            problems.append(
                problem("freshness_floor", Reason.WRONG_VALUE, expected=expected, got=self.freshness_floor)
            )
        if not _within(self.horizon_days, 1.001, 1e6):
            problems.append(problem("horizon_days", Reason.NOT_ABOVE, low=1, got=self.horizon_days))
        if not isinstance(self.context_hold, timedelta) or self.context_hold < timedelta(0):
            problems.append(
                problem("context_hold", Reason.WRONG_VALUE, expected=Expected.DURATION, got=self.context_hold)
            )
        if problems:
            raise ConfigError(*problems)


@dataclass(frozen=True)
class ScoreBreakdown:
    """A score and its parts."""

    recall_score: float
    freshness_score: float
    arbitrary_score: float
    context_score: float
    total: float
    target_zone: int


class Scored(Protocol):
    """The fields that the function reads. CelestialItem has them; so do lighter rows."""

    @property
    def recall_count(self) -> int: ...
    @property
    def last_recalled_at(self) -> float: ...
    @property
    def arbitrary_importance(self) -> float: ...
    @property
    def context_score(self) -> float: ...


class Piece(IntEnum):
    """The straight pieces of the freshness curve, by how fast they fall."""

    FAST = 0
    SLOW = 1
    FLAT = 2


class Course(NamedTuple):
    """A memory's line: its score is `level + slope(piece) * t` until `next_moment` (None: forever)."""

    piece: int
    level: float
    next_moment: float | None


RESTING = Course(Piece.FLAT, 0.0, None)  # for a memory that changes only when it is used


@dataclass(frozen=True)
class Crossing:
    """At `at` the memory moves to `zone`, unless it is recalled before."""

    zone: int
    at: float


@dataclass(frozen=True)
class Explanation:
    """Why a memory is in its zone: score, weights, and its future crossings if it is not recalled."""

    item: CelestialItem
    breakdown: ScoreBreakdown
    crossings: tuple[Crossing, ...]
    config: MemoryFunctionConfig
    zones: tuple[ZoneConfig, ...]


class _Segment(NamedTuple):
    piece: Piece
    level: float
    end: float


class CelestialMemoryFunction:
    """Scores memories. Pure: the current time is always an argument."""

    def __init__(
        self, config: MemoryFunctionConfig | None = None, zones: Zones | Iterable[ZoneConfig] | None = None
    ) -> None:
        self.config = config or MemoryFunctionConfig()
        self.zones = zones if isinstance(zones, Zones) else Zones(zones)
        cfg = self.config
        self._day = abs(cfg.freshness_floor) / cfg.freshness_alpha  # seconds until x = 1
        self._horizon = self._day * cfg.horizon_days
        self._slow_per_day = (1.0 - cfg.first_day_drop) / (cfg.horizon_days - 1.0)
        self._hold = cfg.context_hold.total_seconds()
        self._log_cap = math.log(1 + cfg.max_recall_cap)
        self.slopes: tuple[float, float, float] = (
            -cfg.w_freshness * cfg.first_day_drop / self._day,
            -cfg.w_freshness * self._slow_per_day / self._day,
            0.0,
        )

    def calculate(
        self, item: CelestialItem, current_time: float, context_embedding: Sequence[float] | None = None
    ) -> ScoreBreakdown:
        """Returns the score now; with a context embedding, as if the memory were recalled in that context."""
        if context_embedding is None:
            context = self._held_context(item, current_time)
        else:
            context = similarity(item.embedding, context_embedding)
        recall = self.recall_score(item.recall_count)
        freshness = self.freshness_score(item.last_recalled_at, current_time)
        total = self._sum(recall, freshness, item.arbitrary_importance, context)
        return ScoreBreakdown(recall, freshness, item.arbitrary_importance, context, total, self.zones.zone_of(total))

    def score(self, item: Scored, current_time: float) -> float:
        """Returns only the total."""
        return self._sum(
            self.recall_score(item.recall_count),
            self.freshness_score(item.last_recalled_at, current_time),
            item.arbitrary_importance,
            self._held_context(item, current_time),
        )

    def recall_score(self, recall_count: int) -> float:
        """R(m): logarithmic and strictly below 1, however often the memory is recalled."""
        if recall_count <= 0:
            return 0.0
        return math.log(1 + min(recall_count, self.config.max_recall_cap - 1)) / self._log_cap

    def freshness_score(self, last_recalled_at: float, current_time: float) -> float:
        """F(m): 0 right after a recall, -first_day_drop a day later, -1 from the horizon on."""
        if current_time <= last_recalled_at:
            return 0.0
        days = (current_time - last_recalled_at) / self._day
        if current_time < last_recalled_at + self._day:
            return -self.config.first_day_drop * days
        if current_time < last_recalled_at + self._horizon:
            return -self.config.first_day_drop - self._slow_per_day * (days - 1.0)
        return -1.0

    def score_at(self, piece: int, level: float, current_time: float) -> float:
        """Returns the score at a time on a known line."""
        return level + self.slopes[piece] * current_time

    def course(self, item: Scored, now: float) -> Course:
        """Returns the line this memory is on, and when it next leaves that line or its zone."""
        segment = self._segment(item, now)
        moment = segment.end
        slope = self.slopes[segment.piece]
        floor = self.zones.floor_of(self.zones.zone_of(self.score(item, now)))
        if slope < 0.0 and floor > -math.inf:
            moment = min(moment, (floor - segment.level) / slope - _EARLY_SECONDS)
        if moment <= now:
            moment = math.nextafter(now, math.inf)
        return Course(segment.piece, segment.level, None if moment == math.inf else moment)

    def crossings(self, item: Scored, now: float) -> tuple[Crossing, ...]:
        """Returns when the memory moves to each zone further out, if it is not recalled."""
        crossings: list[Crossing] = []
        start = now
        segment = self._segment(item, start)
        zone = self.zones.zone_of(self.score(item, now))
        while True:
            slope = self.slopes[segment.piece]
            while zone < self.zones.outermost:
                floor = self.zones.floor_of(zone)
                if segment.level + slope * start < floor:
                    at = start  # when the context expires the score drops at once
                elif slope < 0.0 and (floor - segment.level) / slope < segment.end:
                    at = max(start, (floor - segment.level) / slope)
                else:
                    break
                zone += 1
                crossings.append(Crossing(zone, at))
            if segment.end == math.inf:
                # A drop across several zones at the same moment is one crossing.
                return tuple(
                    crossing
                    for index, crossing in enumerate(crossings)
                    if index + 1 == len(crossings) or crossings[index + 1].at > crossing.at
                )
            start = segment.end
            segment = self._segment(item, start)

    def explain(self, item: CelestialItem, now: float) -> Explanation:
        return Explanation(
            item, self.calculate(item, now), self.crossings(item, now), self.config, self.zones.configs
        )

    def _sum(self, recall: float, freshness: float, arbitrary: float, context: float) -> float:
        cfg = self.config
        return (
            cfg.w_recall * recall
            + cfg.w_freshness * freshness
            + cfg.w_arbitrary * arbitrary
            + cfg.w_context * context
        )

    def _held_context(self, item: Scored, now: float) -> float:
        return item.context_score if now < item.last_recalled_at + self._hold else 0.0

    def _segment(self, item: Scored, now: float) -> _Segment:
        cfg = self.config
        recalled = item.last_recalled_at
        level = cfg.w_recall * self.recall_score(item.recall_count) + cfg.w_arbitrary * item.arbitrary_importance
        context = self._held_context(item, now)
        context_end = math.inf
        if context:
            level += cfg.w_context * context
            context_end = recalled + self._hold
        if now < recalled:  # the clock was set back: fresh until it catches up
            return _Segment(Piece.FLAT, level, min(recalled, context_end))
        if now < recalled + self._day:
            level -= self.slopes[Piece.FAST] * recalled
            return _Segment(Piece.FAST, level, min(recalled + self._day, context_end))
        if now < recalled + self._horizon:
            level -= cfg.w_freshness * (cfg.first_day_drop - self._slow_per_day)
            level -= self.slopes[Piece.SLOW] * recalled
            return _Segment(Piece.SLOW, level, min(recalled + self._horizon, context_end))
        return _Segment(Piece.FLAT, level - cfg.w_freshness, context_end)


def similarity(a: Sequence[float] | None, b: Sequence[float] | None) -> float:
    """Cosine similarity, clipped to 0..1; 0 if a vector is missing or the lengths differ."""
    if a is None or b is None or len(a) != len(b):
        return 0.0
    norms = math.hypot(*a) * math.hypot(*b)
    if norms == 0.0:
        return 0.0
    return max(0.0, min(1.0, sum(map(float.__mul__, map(float, a), map(float, b))) / norms))


def _within(value: object, low: float, high: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high
