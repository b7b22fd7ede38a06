"""Cache policies: each computes a memory's current value; the highest stay."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction, MemoryFunctionConfig
from celestial_engine.core.orbit.zones import DEFAULT_ZONES
from celestial_engine.core.record.item import CelestialItem

DAY = 86_400.0

# Published defaults of FSRS 4.5 for a card answered "good"; difficulty is left at its middle.
_FIRST_STABILITY_DAYS = 3.7145
_GROWTH, _SATURATION, _SPACING = 1.6474, 0.1367, 1.0461
_DIFFICULTY = 5.0


@dataclass(slots=True)
class Life:
    """The history of a memory, with the fields that the memory function needs."""

    number: int
    stored_at: float
    arbitrary_importance: float
    last_recalled_at: float
    recall_count: int = 0
    context_score: float = 0.0  # no vectors: always 0
    stability_days: float = _FIRST_STABILITY_DAYS

    def recalled(self, now: float) -> None:
        """Count a recall, refresh it, and raise the stability, the more the closer it was to being forgotten."""
        forgotten = 1.0 - retrievability(self, now)
        self.stability_days *= 1.0 + math.exp(_GROWTH) * (11.0 - _DIFFICULTY) * (
            self.stability_days**-_SATURATION
        ) * (math.exp(_SPACING * forgotten) - 1.0)
        self.recall_count += 1
        self.last_recalled_at = now


Worth = Callable[[Life, float], float]


def retrievability(life: Life, now: float) -> float:
    """FSRS retrievability: 0.9 when the elapsed days equal the stability."""
    idle_days = max(0.0, now - life.last_recalled_at) / DAY
    return float((1.0 + 19.0 / 81.0 * idle_days / life.stability_days) ** -0.5)


def least_recent_leaves(life: Life, now: float) -> float:
    return life.last_recalled_at


def least_frequent_leaves(life: Life, now: float) -> float:
    """LFU; among equally frequent ones the least recent goes first."""
    return life.recall_count + life.last_recalled_at / 1e12


def by_lot(seed: int) -> Worth:
    rng = random.Random(seed)
    return lambda life, now: rng.random()


class LogarithmicFreshness(CelestialMemoryFunction):
    """After the first day, freshness falls with the logarithm of idle time instead of linearly."""

    def freshness_score(self, last_recalled_at: float, current_time: float) -> float:
        cfg = self.config
        days = (current_time - last_recalled_at) / DAY
        if days <= 1.0:
            return -cfg.first_day_drop * max(0.0, days)
        rest = math.log(min(days, cfg.horizon_days)) / math.log(cfg.horizon_days)
        return -cfg.first_day_drop - (1.0 - cfg.first_day_drop) * rest


class BentFreshness(CelestialMemoryFunction):
    """Piecewise linear in three parts: half of the freshness after day one is gone by day 14."""

    bend_days = 14.0

    def freshness_score(self, last_recalled_at: float, current_time: float) -> float:
        cfg = self.config
        days = (current_time - last_recalled_at) / DAY
        half = (1.0 - cfg.first_day_drop) / 2
        if days <= 1.0:
            return -cfg.first_day_drop * max(0.0, days)
        if days <= self.bend_days:
            return -cfg.first_day_drop - half * (days - 1.0) / (self.bend_days - 1.0)
        return max(-1.0, -1.0 + half * (1.0 - (days - self.bend_days) / (cfg.horizon_days - self.bend_days)))


def in_context(function: CelestialMemoryFunction, context: float) -> Worth:
    """As if an embedder had scored every recalled memory this close to its question."""
    hold, added = function.config.context_hold.total_seconds(), function.config.w_context * context

    def worth(life: Life, now: float) -> float:
        held = life.recall_count > 0 and now < life.last_recalled_at + hold
        return function.score(life, now) + (added if held else 0.0)

    return worth


SHIPPED = "Celestial"
IN_CONTEXT = 0.5
_DEFAULT = MemoryFunctionConfig()
_EVEN = replace(
    _DEFAULT, w_recall=0.30, w_freshness=0.40, w_arbitrary=0.15, w_context=0.15, first_day_drop=0.52
)  # gives the days after the first as much room as the claims leave
FUNCTIONS: dict[str, CelestialMemoryFunction] = {
    SHIPPED: CelestialMemoryFunction(),
    "first day .92": CelestialMemoryFunction(replace(_DEFAULT, first_day_drop=0.92)),
    "first day .70": CelestialMemoryFunction(replace(_DEFAULT, first_day_drop=0.70)),
    "F .45, first day .62": CelestialMemoryFunction(replace(_DEFAULT, w_freshness=0.45, first_day_drop=0.62)),
    "R .30 F .40 A .15 C .15, first day .52": CelestialMemoryFunction(_EVEN),
    "the same, logarithm": LogarithmicFreshness(_EVEN),
    "the same, bend at day 14": BentFreshness(_EVEN),
    "R to 100 recalls": CelestialMemoryFunction(replace(_DEFAULT, max_recall_cap=100)),
    "R .35 A .15": CelestialMemoryFunction(replace(_DEFAULT, w_recall=0.35, w_arbitrary=0.15)),
    "R .15 A .35": CelestialMemoryFunction(replace(_DEFAULT, w_recall=0.15, w_arbitrary=0.35)),
    "without A": CelestialMemoryFunction(replace(_DEFAULT, w_arbitrary=0.0)),
    "without R": CelestialMemoryFunction(replace(_DEFAULT, w_recall=0.0)),
}


def policies(seed: int) -> dict[str, Worth]:
    """All policies but the clairvoyant one, which needs the future instead of a rank."""
    others: dict[str, Worth] = {
        "LRU": least_recent_leaves,
        "LFU": least_frequent_leaves,
        "FSRS-like": retrievability,
        "random": by_lot(seed),
    }
    ours = FUNCTIONS[SHIPPED]
    return {SHIPPED: ours.score, f"{SHIPPED}, C at {IN_CONTEXT}": in_context(ours, IN_CONTEXT)} | others


def variations() -> dict[str, Worth]:
    return {name: function.score for name, function in FUNCTIONS.items()}


def broken_claims(function: CelestialMemoryFunction) -> list[str]:
    """The promises of the design that this function breaks."""
    cfg, born = function.config, 0.0
    width = DEFAULT_ZONES[0].score_min - DEFAULT_ZONES[1].score_min
    zone_of = _zones(function)
    promises = {
        "always below 0.70": cfg.w_recall + cfg.w_arbitrary + cfg.w_context <= 0.70 + 1e-9 and cfg.w_recall > 0,
        "an idle day costs more than a zone": cfg.w_freshness * -function.freshness_score(born, DAY) > width,
        "day 7 is not day 60": function.freshness_score(born, 7 * DAY) > function.freshness_score(born, 60 * DAY),
        "-1 at day 90, not before": function.freshness_score(born, 89 * DAY)
        > function.freshness_score(born, 90 * DAY)
        == function.freshness_score(born, 900 * DAY)
        == -1.0,
        "importance 1 begins in Outer": zone_of(0, 1.0, 0.0) == 2,
        "used once and left: the cloud after a day": zone_of(0, 0.5, 1.0) == 4,
        "old and important: the belt": {zone_of(31, 1.0, days) for days in (1, 30, 365)} == {3},
        "remembered again: Outer": zone_of(31, 0.5, 0.0) == 2,
        "Core needs context too": zone_of(10**6, 1.0, 0.0) == 1,
        "Core can be reached": cfg.w_recall + cfg.w_arbitrary + cfg.w_context > DEFAULT_ZONES[0].score_min,
    }
    return [promise for promise, kept in promises.items() if not kept]


def _zones(function: CelestialMemoryFunction) -> Callable[[int, float, float], int]:
    def zone(recalls: int, importance: float, idle_days: float) -> int:
        item = CelestialItem("m", "text", 0.0, 0.0, recall_count=recalls, arbitrary_importance=importance)
        return function.calculate(item, idle_days * DAY).target_zone

    return zone
