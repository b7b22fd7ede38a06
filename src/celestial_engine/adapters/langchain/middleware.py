"""CelestialMiddleware: an agent that remembers. Memories stand in its system message, and each run is observed."""

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
    Remembering,
    answer_in,
    asked_in,
    session_in,
    system_with,
)
from celestial_engine.engine import CelestialMemory


class RememberingState(AgentState[Any]):
    """What was recalled for this run: once, however often the model is called in it."""

    celestial_memories: Annotated[str, PrivateStateAttr]


class CelestialMiddleware(AgentMiddleware[RememberingState, Any, Any]):
    """For `create_agent(..., middleware=[CelestialMiddleware(memory)])`.

    The thread of a run is the session of what is kept of it. When the memory fails, the agent goes on without it.
    """

    state_schema = RememberingState

    def __init__(
        self, memory: CelestialMemory, *, budget: int = 1024, user_id: str | None = None, agent_id: str | None = None
    ) -> None:
        super().__init__()
        self._remembering = Remembering(memory, budget, user_id, agent_id)

    def before_agent(self, state: RememberingState, runtime: Runtime[Any]) -> dict[str, Any]:
        return {"celestial_memories": self._remembering.recalled(asked_in(state["messages"]))}

    async def abefore_agent(self, state: RememberingState, runtime: Runtime[Any]) -> dict[str, Any]:
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        return handler(_reminded(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        return await handler(_reminded(request))

    def after_agent(self, state: RememberingState, runtime: Runtime[Any]) -> None:
        self._over(state, session_in(get_config()))

    async def aafter_agent(self, state: RememberingState, runtime: Runtime[Any]) -> None:
        await asyncio.to_thread(self._over, state, session_in(get_config()))

    def _over(self, state: RememberingState, session_id: str | None) -> None:
        messages = state["messages"]
        self._remembering.observed(asked_in(messages), answer_in(messages), session_id)


def _reminded(request: ModelRequest[Any]) -> ModelRequest[Any]:
    memories = str(request.state.get("celestial_memories", ""))
    return request.override(system_message=system_with(request.system_message, memories)) if memories else request
