"""Our memory function on stellar-memory's scale, and how stellar-memory's own class comes to use it.

Its freshness goes from 1 to 0 where ours goes from 0 to -1. So its score is ours plus the weight of freshness, and
its zone bounds are ours plus the same: a score that its users compare with 0.8 means here what it meant there.
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
    """What is read of an item, theirs or the shim's."""

    content: str
    created_at: float
    last_recalled_at: float
    recall_count: int
    arbitrary_importance: float
    embedding: list[float] | None


class MemoryFunction:
    """Scores stellar-memory's items by our function: its weights and bounds, our recall and freshness curves."""

    def __init__(
        self,
        config: settings.MemoryFunctionConfig | None = None,
        zones: Iterable[settings.ZoneConfig] | None = None,
    ) -> None:
        self._config = config or settings.MemoryFunctionConfig()
        ordered = inside_out(zones or settings.DEFAULT_ZONES)
        self._zone_ids = [zone.zone_id for zone in ordered]
        self.law = function_config(self._config)  # ours: weights and curves
        self._function = CelestialMemoryFunction(self.law, zone_configs(ordered, self.law.w_freshness))

    def calculate(
        self, item: Scorable, current_time: float, context_embedding: Sequence[float] | None = None
    ) -> ScoreBreakdown:
        """The score at a time, and the zone that it asks for."""
        ours = self._function.calculate(_as_ours(item), current_time, context_embedding)
        emotion: EmotionVector | None = getattr(item, "emotion", None)
        felt = 0.0 if emotion is None else emotion.intensity
        total = ours.total + self._config.w_emotion * felt
        return ScoreBreakdown(
            self._recall_score(item.recall_count),
            self._freshness_score(item.last_recalled_at, current_time),
            ours.arbitrary_score,
            ours.context_score,
            total + self._config.w_freshness,
            self._zone_ids[self._function.zones.zone_of(total)],
            felt,
        )

    def _recall_score(self, recall_count: int) -> float:
        return self._function.recall_score(recall_count)

    def _freshness_score(self, last_recalled_at: float, current_time: float) -> float:
        """From 1 to 0."""
        return self._function.freshness_score(last_recalled_at, current_time) + 1.0


def use_celestial_function(stellar: Any) -> Callable[[], None]:
    """Makes one object of stellar-memory's own class score by our function; gives what undoes it.

    There is no public place to hand a function in. The least that does it is to answer for `calculate` of the one
    function object that storing, importing, reorbiting and its scheduler share; no class is changed, and no other
    memory. Weights and zones are those of the object's own configuration.
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
    """Their weights; their decay where somebody chose one. By their default everything is stale in three hours."""
    usual = settings.MemoryFunctionConfig()
    ours = MemoryFunctionConfig(
        theirs.w_recall, theirs.w_freshness, theirs.w_arbitrary, theirs.w_context, theirs.max_recall
    )
    if (theirs.decay_alpha, theirs.freshness_cap) == (usual.decay_alpha, usual.freshness_cap):
        return ours
    return replace(ours, freshness_alpha=theirs.decay_alpha, freshness_floor=theirs.freshness_cap)


def inside_out(zones: Iterable[settings.ZoneConfig]) -> list[settings.ZoneConfig]:
    """From the sun outward, as their bounds say; ids must agree."""
    ordered = sorted(zones, key=lambda zone: zone.importance_min, reverse=True)
    ids = [zone.zone_id for zone in ordered]
    if ids != sorted(set(ids)):
        raise ConfigError("zones", Reason.ZONE_FLOORS)
    return ordered


def zone_configs(ordered: Sequence[settings.ZoneConfig], w_freshness: float) -> list[ZoneConfig]:
    """As our zones. The outermost takes every score and everybody: nothing is pushed out of the memory."""
    bounds = [math.inf, *(zone.importance_min - w_freshness for zone in ordered[:-1]), -math.inf]
    last = len(ordered) - 1
    return [
        ZoneConfig(place, zone.name, None if place == last else zone.max_slots, bounds[place + 1], bounds[place])
        for place, zone in enumerate(ordered)
    ]


def _as_ours(item: Scorable) -> CelestialItem:
    return CelestialItem(
        "", item.content, item.created_at, item.last_recalled_at,
        recall_count=item.recall_count, arbitrary_importance=item.arbitrary_importance, embedding=item.embedding,
    )  # fmt: skip
