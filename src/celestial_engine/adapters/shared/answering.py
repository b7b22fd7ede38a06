"""What adapters share whose host runs the loop itself: whose memory answers, and how a call is looked into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celestial_engine.adapters.shared.memory_tools import For
from celestial_engine.adapters.shared.offload import AnyMemory, check_memory
from celestial_engine.async_memory import AsyncCelestialMemory
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import InvalidInputError, Reason

_OURS = "celestial_"


class Answering:
    """A memory that answers a model's calls on behalf of one owner, in one conversation."""

    def __init__(
        self,
        memory: AnyMemory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> None:
        self._memory = check_memory(memory)
        self._caller = For(user_id, agent_id, session_id)

    def _opened(self, awaited: str) -> CelestialMemory:
        """The memory for a call that is not awaited; `awaited` names those that are."""
        if isinstance(self._memory, AsyncCelestialMemory):
            raise InvalidInputError("memory", Reason.USE_AWAIT, names=awaited)
        return self._memory


def field_of(value: object, name: str) -> Any:
    """A field of an SDK's object or of a dict; None if there is none."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def is_ours(name: object) -> bool:
    """Made-up names of ours too, so that a model is told that there is no such tool."""
    return isinstance(name, str) and name.startswith(_OURS)
