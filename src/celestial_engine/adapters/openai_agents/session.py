"""OpenAI Agents SDK: persistent sessions, and tools that recall, store and (with approval) forget.

>>> session = CelestialSession("a chat", memory)                                                 # doctest: +SKIP
>>> agent = Agent(name="Assistant", tools=celestial_tools(memory))                               # doctest: +SKIP
>>> result = await Runner.run(agent, "Where were we?", session=session)                          # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from agents import FunctionTool
from agents.memory import SessionSettings

from celestial_engine.adapters.openai_agents.history import History
from celestial_engine.adapters.shared.memory_tools import Caller, MemoryTool
from celestial_engine.adapters.shared.offload import AnyMemory, check_memory, in_thread
from celestial_engine.adapters.shared.tool_calls import FORGET_CALL, VENDOR_TOOLS, answer, as_json, strict_schema
from celestial_engine.core.checks import check_text
from celestial_engine.engine import CelestialMemory

if TYPE_CHECKING:
    from agents import TResponseInputItem
    from agents.tool_context import ToolContext

T = TypeVar("T")


class CelestialSession:
    """A session of the SDK, stored in the engine: `Runner.run(agent, text, session=CelestialSession(id, memory))`."""

    def __init__(
        self,
        session_id: str,
        memory: AnyMemory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = check_text(session_id, "session_id")
        self.session_settings = session_settings or SessionSettings()
        self._memory = check_memory(memory)
        self._owner = (user_id, agent_id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The latest `limit` items, oldest first; None: the limit of the session settings, else all."""
        effective_limit = self.session_settings.limit if limit is None else limit
        return await self._in_thread(lambda history: history.items(effective_limit))

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        plain_items: list[Any] = items  # dicts, of many types
        await self._in_thread(lambda history: history.add(plain_items))

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove and return the latest item."""
        return await self._in_thread(History.pop)

    async def clear_session(self) -> None:
        """Forget all items; they can be restored for seven days, until they are purged."""
        await self._in_thread(History.clear)

    async def _in_thread(self, operation: Callable[[History], T]) -> Any:
        def run(memory: CelestialMemory) -> T:
            return operation(History.of(memory, self.session_id, *self._owner))

        return await in_thread(self._memory, run)


def celestial_tools(
    memory: AnyMemory,
    *,
    user_id: str | None = None,
    agent_id: str | None = None,
    session_id: str | None = None,
    forgetting: bool = True,
) -> list[FunctionTool]:
    """celestial_store, celestial_recall and celestial_forget for an agent; forgetting needs approval."""
    caller, checked = Caller(user_id, agent_id, session_id), check_memory(memory)
    tools = (*VENDOR_TOOLS, FORGET_CALL) if forgetting else VENDOR_TOOLS
    return [_function_tool(tool, checked, caller) for tool in tools]


def _function_tool(tool: MemoryTool, memory: AnyMemory, caller: Caller) -> FunctionTool:
    async def invoke(context: ToolContext[Any], arguments: str) -> str:
        result = await in_thread(memory, answer, tool.name, arguments, caller, (tool,))
        return as_json(result)

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=strict_schema(tool.parameters),
        on_invoke_tool=invoke,
        strict_json_schema=True,
        needs_approval=tool is FORGET_CALL,
    )
