"""The engine's memory function on stellar-memory's scale, and a patch for stellar-memory's own class.

Its freshness goes from 1 to 0, the engine's from 0 to -1. So its scores and zone bounds are the engine's plus the
weight of freshness: a score that its users compare with 0.8 keeps its meaning.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from celestial_engine.compat.stellar import config as settings
from celestial_engine.compat.stellar.models import EmotionVector, ScoreBreakdown
from celestial_engine.core.orbit.memory_function import CelestialMemoryFunction, MemoryFunctionConfig
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.errors import ConfigError, Expected, InvalidInputError, Reason


class Scorable(Protocol):
    """The fields read from an item, of stellar-memory or of the shim."""

    content: str
    created_at: float
    last_recalled_at: float
    recall_count: int
    arbitrary_importance: float
    embedding: list[float] | None


class MemoryFunction:
    """Scores stellar-memory's items: its weights and bounds, the engine's recall and freshness curves."""

    def __init__(
        self,
        config: settings.MemoryFunctionConfig | None = None,
        zones: Iterable[settings.ZoneConfig] | None = None,
    ) -> None:
        self._config = config or settings.MemoryFunctionConfig()
        ordered = inside_out(zones or settings.DEFAULT_ZONES)
        self._zone_ids = [zone.zone_id for zone in ordered]
        self.law = function_config(self._config)  # the engine's weights and curves
        self._function = CelestialMemoryFunction(self.law, zone_configs(ordered, self.law.w_freshness))

    def calculate(
        self, item: Scorable, current_time: float, context_embedding: Sequence[float] | None = None
    ) -> ScoreBreakdown:
        """The score at a time, and the zone it belongs to."""
        breakdown = self._function.calculate(_to_engine_item(item), current_time, context_embedding)
        emotion: EmotionVector | None = getattr(item, "emotion", None)
        intensity = 0.0 if emotion is None else emotion.intensity
        total = breakdown.total + self._config.w_emotion * intensity
        return ScoreBreakdown(
            self._recall_score(item.recall_count),
            self._freshness_score(item.last_recalled_at, current_time),
            breakdown.arbitrary_score,
            breakdown.context_score,
            total + self._config.w_freshness,
            self._zone_ids[self._function.zones.zone_of(total)],
            intensity,
        )

    def _recall_score(self, recall_count: int) -> float:
        return self._function.recall_score(recall_count)

    def _freshness_score(self, last_recalled_at: float, current_time: float) -> float:
        """Freshness from 1 (fresh) to 0."""
        return self._function.freshness_score(last_recalled_at, current_time) + 1.0


def use_celestial_function(stellar: Any) -> Callable[[], None]:
    """Patch one object of stellar-memory's own class to use the engine's function; returns a function that undoes it.

    stellar-memory has no public hook for this. The smallest patch replaces `calculate` on the one function object
    that storing, importing, reorbiting and its scheduler share. No class and no other object is changed. Weights and
    zones are those of the object's own configuration.
    """
    function: Any = getattr(stellar, "_memory_fn", None)
    config: Any = getattr(stellar, "config", None)
    if not callable(getattr(function, "calculate", None)) or not hasattr(config, "memory_function"):
        raise InvalidInputError(
            "stellar",
            Reason.WRONG_TYPE,
            expected=Expected.STELLAR_MEMORY,
            got=f"{type(stellar).__module__}.{type(stellar).__name__}",
        )
    if "calculate" in vars(function):
        raise InvalidInputError("stellar", Reason.FUNCTION_REPLACED)
    function.calculate = MemoryFunction(config.memory_function, config.zones).calculate

    def undo() -> None:
        vars(function).pop("calculate", None)

    return undo


def function_config(theirs: settings.MemoryFunctionConfig) -> MemoryFunctionConfig:
    """stellar-memory's weights, and its decay if changed: by its default everything is stale in three hours."""
    defaults = settings.MemoryFunctionConfig()
    ours = MemoryFunctionConfig(
        theirs.w_recall, theirs.w_freshness, theirs.w_arbitrary, theirs.w_context, theirs.max_recall
    )
    if (theirs.decay_alpha, theirs.freshness_cap) == (defaults.decay_alpha, defaults.freshness_cap):
        return ours
    return replace(ours, freshness_alpha=theirs.decay_alpha, freshness_floor=theirs.freshness_cap)


def inside_out(zones: Iterable[settings.ZoneConfig]) -> list[settings.ZoneConfig]:
    """Sort zones from the innermost outward by their bounds; raises ConfigError if the ids disagree."""
    ordered = sorted(zones, key=lambda zone: zone.importance_min, reverse=True)
    ids = [zone.zone_id for zone in ordered]
    if ids != sorted(set(ids)):
        raise ConfigError("zones", Reason.ZONE_FLOORS)
    return ordered


def zone_configs(ordered: Sequence[settings.ZoneConfig], w_freshness: float) -> list[ZoneConfig]:
    """Convert to engine zones. The outermost has no bound and no capacity: nothing is evicted from the store."""
    bounds = [math.inf, *(zone.importance_min - w_freshness for zone in ordered[:-1]), -math.inf]
    last = len(ordered) - 1
    return [
        ZoneConfig(index, zone.name, None if index == last else zone.max_slots, bounds[index + 1], bounds[index])
        for index, zone in enumerate(ordered)
    ]


def _to_engine_item(item: Scorable) -> CelestialItem:
    return CelestialItem(
        "", item.content, item.created_at, item.last_recalled_at,
        recall_count=item.recall_count, arbitrary_importance=item.arbitrary_importance, embedding=item.embedding,
    )  # fmt: skip
