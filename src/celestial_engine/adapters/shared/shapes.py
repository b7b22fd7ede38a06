"""Checks of the engine argument, and the JSON shape of a memory, shared by all adapters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.events import timestamp
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import Expected, InvalidInputError, Reason


def check_engine(memory: object) -> CelestialMemory:
    """Check that it is a CelestialMemory; for an AsyncCelestialMemory pass `await memory.opened()`."""
    if not isinstance(memory, CelestialMemory):
        raise InvalidInputError("memory", Reason.WRONG_TYPE, expected=Expected.MEMORY, got=type(memory).__name__)
    return memory


def zone_name(zones: Sequence[ZoneConfig], item: CelestialItem) -> str:
    return zones[item.zone].name if 0 <= item.zone < len(zones) else "none"


def memory_json(zones: Sequence[ZoneConfig], item: CelestialItem) -> dict[str, Any]:
    """A memory as JSON for a model: its content, how central it is, and its id."""
    return {
        "id": item.id,
        "content": item.content,
        "zone": zone_name(zones, item),
        "tier": item.tier.value,
        "score": round(item.total_score, 4),
        "importance": item.arbitrary_importance,
        "trust": item.trust.value,
        "created_at": timestamp(item.created_at),
        "tags": list(item.tags),
        "metadata": item.metadata,
    }
