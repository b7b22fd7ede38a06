"""Fields that a distilled memory inherits from its sources: space, agent, emotion, island."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from celestial_engine.core.record.coordinate import AgentCoordinate, Emotion, EmotionCoordinate, SpaceCoordinate
from celestial_engine.core.record.item import CelestialItem

_MOST_FEELINGS = 3
T = TypeVar("T")


def common_space(sources: Sequence[CelestialItem]) -> SpaceCoordinate:
    return _shared([source.space for source in sources], SpaceCoordinate())


def common_agent(sources: Sequence[CelestialItem]) -> AgentCoordinate:
    return _shared([source.agent for source in sources], AgentCoordinate())


def common_island(sources: Sequence[CelestialItem]) -> str | None:
    """Returns the island of the sources, or None if they have none or different ones."""
    islands = {source.links.island for source in sources} - {None}
    return islands.pop() if len(islands) == 1 else None


def felt_together(sources: Sequence[CelestialItem]) -> EmotionCoordinate:
    """Combines emotions: the most frequent tags, the highest intensity, the mean sentiment."""
    counted = Counter(tag for source in sources for tag in source.emotion.tags if tag is not Emotion.NEUTRAL)
    tags = tuple(tag for tag, _ in counted.most_common(_MOST_FEELINGS)) or (Emotion.NEUTRAL,)
    feelings = [source.emotion for source in sources]
    return EmotionCoordinate(
        tags=tags,
        intensity=max(feeling.intensity for feeling in feelings),
        sentiment_score=round(sum(feeling.sentiment_score for feeling in feelings) / len(feelings), 4),
        confidence=min(feeling.confidence for feeling in feelings),
    )


def _shared(values: Sequence[T], otherwise: T) -> T:
    return values[0] if all(value == values[0] for value in values) else otherwise
