"""Side records: data of an owner that is not recalled as memories, such as the messages of a session.

They are stored under their own owner, `agent/name`. So they are not recalled for the agent, take no slot in its
zones, are not distilled with its memories, and are invisible to other owners.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import VersionError

T = TypeVar("T")

_MAX_TRIES = 20
NEUTRAL_EMOTION = EmotionCoordinate(
    tags=(Emotion.NEUTRAL,)
)  # a fixed emotion: side records need no emotion detection


def side_records_of(memory: CelestialMemory, name: str) -> CelestialMemory:
    """The engine for the side records of that name: its owner is `agent/name`."""
    return memory.of(agent_id=f"{memory.owner.agent_id}/{name}")


def retry_on_conflict(change: Callable[[], T], *also: type[Exception]) -> T:
    """Run `change`, and retry it after a concurrent change; `also` are further errors that mean one."""
    for _ in range(_MAX_TRIES):
        with suppress(VersionError, *also):
            return change()
    return change()
