"""Records that belong to an owner without being memories to recall: they lie beside the owner, on a shelf.

A shelf is an owner of its own, `agent/name`: nothing on it answers a question of the agent's, takes a seat in its
zones, or is distilled with its memories; and nobody else sees it either.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypedDict, TypeVar

from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import VersionError

T = TypeVar("T")

_TRIES = 20
CALM = EmotionCoordinate(tags=(Emotion.NEUTRAL,))  # said, not felt: no feeler reads what is only kept


class Who(TypedDict):
    """Whose memories a call is about, as the engine's operations take it."""

    user_id: str
    agent_id: str


def owner_of(memory: CelestialMemory, user_id: str | None, agent_id: str | None) -> Who:
    owner = memory.owner.but(user_id, agent_id)
    return {"user_id": owner.user_id, "agent_id": owner.agent_id}


def shelf_of(memory: CelestialMemory, name: str, user_id: str | None, agent_id: str | None) -> Who:
    owner = owner_of(memory, user_id, agent_id)
    return {"user_id": owner["user_id"], "agent_id": f"{owner['agent_id']}/{name}"}


def again(change: Callable[[], T], *also: type[Exception]) -> T:
    """Tried anew when somebody else changed the same meanwhile; `also` are other errors that tell of that."""
    for _ in range(_TRIES):
        with suppress(VersionError, *also):
            return change()
    return change()
