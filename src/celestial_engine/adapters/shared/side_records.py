"""Records that belong to an owner without being memories to recall, such as the messages of a session.

They have an owner of their own, `agent/name`: none of them answers a question of the agent, takes a slot in its
zones or is distilled with its memories, and no other owner sees them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import VersionError

T = TypeVar("T")

_TRIES = 20
CALM = EmotionCoordinate(tags=(Emotion.NEUTRAL,))  # said, not felt: no feeler reads what is only kept


def side_records_of(memory: CelestialMemory, name: str) -> CelestialMemory:
    """The engine for the side records of that name: its owner is `agent/name`."""
    return memory.of(agent_id=f"{memory.owner.agent_id}/{name}")


def again(change: Callable[[], T], *also: type[Exception]) -> T:
    """Tried anew when somebody else changed the same meanwhile; `also` are other errors that tell of that."""
    for _ in range(_TRIES):
        with suppress(VersionError, *also):
            return change()
    return change()
