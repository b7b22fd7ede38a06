"""CelestialMiddleware: adds memories to an agent's system message and observes each run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langgraph.config import get_config
from langgraph.runtime import Runtime

from celestial_engine.adapters.langchain.turns import (
    TurnMemory,
    answer_from,
    query_from,
    session_id_from,
    with_memories_in_system,
)
from celestial_engine.engine import CelestialMemory


class RememberingState(AgentState[Any]):
    """The memories of a run, recalled once for all its model calls."""

    celestial_memories: Annotated[str, PrivateStateAttr]


class CelestialMiddleware(AgentMiddleware[RememberingState, Any, Any]):
    """For `create_agent(..., middleware=[CelestialMiddleware(memory)])`.

    The run's thread id is the session of what is stored. If the engine fails, the agent continues without memories.
    """

    state_schema = RememberingState

    def __init__(
        self, memory: CelestialMemory, *, budget: int = 1024, user_id: str | None = None, agent_id: str | None = None
    ) -> None:
        super().__init__()
        self._remembering = TurnMemory(memory, budget, user_id, agent_id)

    def before_agent(self, state: RememberingState, runtime: Runtime[Any]) -> dict[str, Any]:
        return {"celestial_memories": self._remembering.recalled(query_from(state["messages"]))}

    async def abefore_agent(self, state: RememberingState, runtime: Runtime[Any]) -> dict[str, Any]:
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        return handler(_with_memories(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        return await handler(_with_memories(request))

    def after_agent(self, state: RememberingState, runtime: Runtime[Any]) -> None:
        self._observe_turn(state, session_id_from(get_config()))

    async def aafter_agent(self, state: RememberingState, runtime: Runtime[Any]) -> None:
        await asyncio.to_thread(self._observe_turn, state, session_id_from(get_config()))

    def _observe_turn(self, state: RememberingState, session_id: str | None) -> None:
        messages = state["messages"]
        self._remembering.observed(query_from(messages), answer_from(messages), session_id)


def _with_memories(request: ModelRequest[Any]) -> ModelRequest[Any]:
    memories = str(request.state.get("celestial_memories", ""))
    return (
        request.override(system_message=with_memories_in_system(request.system_message, memories))
        if memories
        else request
    )
