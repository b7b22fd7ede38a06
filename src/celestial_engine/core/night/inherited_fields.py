"""Fields that a distilled memory inherits from its sources: space, agent, island."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from celestial_engine.core.record.coordinate import AgentCoordinate, SpaceCoordinate
from celestial_engine.core.record.item import CelestialItem

T = TypeVar("T")


def common_space(sources: Sequence[CelestialItem]) -> SpaceCoordinate:
    return _shared([source.space for source in sources], SpaceCoordinate())


def common_agent(sources: Sequence[CelestialItem]) -> AgentCoordinate:
    return _shared([source.agent for source in sources], AgentCoordinate())


def common_island(sources: Sequence[CelestialItem]) -> str | None:
    """Returns the island of the sources, or None if they have none or different ones."""
    islands = {source.links.island for source in sources} - {None}
    return islands.pop() if len(islands) == 1 else None


def _shared(values: Sequence[T], otherwise: T) -> T:
    return values[0] if all(value == values[0] for value in values) else otherwise
