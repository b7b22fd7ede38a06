"""Base of the adapters whose host runs the tool loop: the owner, and reading of SDK objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from celestial_engine.adapters.shared.memory_tools import Caller
from celestial_engine.adapters.shared.offload import AnyMemory, check_memory
from celestial_engine.async_memory import AsyncCelestialMemory
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import InvalidInputError, Reason

_TOOL_PREFIX = "celestial_"


class ToolCallAdapter:
    """Answers a model's tool calls for one owner, in one conversation."""

    def __init__(
        self,
        memory: AnyMemory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
    ) -> None:
        self._memory = check_memory(memory)
        self._caller = Caller(user_id, agent_id, session_id)

    def _opened(self, awaited: str) -> CelestialMemory:
        """The engine for a synchronous call; for an async engine raises an error that names the `awaited` methods."""
        if isinstance(self._memory, AsyncCelestialMemory):
            raise InvalidInputError("memory", Reason.USE_AWAIT, names=awaited)
        return self._memory


def field_of(value: object, name: str) -> Any:
    """A field of an SDK object or of a dict; None if it is missing."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def is_celestial_tool(name: object) -> bool:
    """Whether a tool name has our prefix; invented names match too, so that the model gets an unknown-tool error."""
    return isinstance(name, str) and name.startswith(_TOOL_PREFIX)
