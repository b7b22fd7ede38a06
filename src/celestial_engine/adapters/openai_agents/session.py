"""The memory inside the OpenAI Agents SDK: sessions that last, and tools that recall, store and (asked) forget.

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
from celestial_engine.adapters.shared.memory_tools import For, MemoryTool
from celestial_engine.adapters.shared.offload import AnyMemory, check_memory, in_thread
from celestial_engine.adapters.shared.tool_calls import FORGETTING, VENDOR_TOOLS, answer, as_json, strict
from celestial_engine.core.checks import check_text
from celestial_engine.engine import CelestialMemory

if TYPE_CHECKING:
    from agents import TResponseInputItem
    from agents.tool_context import ToolContext

T = TypeVar("T")


class CelestialSession:
    """A session of the SDK, kept in the memory: `Runner.run(agent, text, session=CelestialSession(id, memory))`."""

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
        """The latest so many items, oldest first; None: as the settings say, else all."""
        chosen = self.session_settings.limit if limit is None else limit
        return await self._in_thread(lambda history: history.items(chosen))

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        given: list[Any] = items  # dicts, of many types
        await self._in_thread(lambda history: history.add(given))

    async def pop_item(self) -> TResponseInputItem | None:
        """Takes the latest item away, and gives it."""
        return await self._in_thread(History.pop)

    async def clear_session(self) -> None:
        """Forgets all items; until they are purged they can be restored for seven days."""
        await self._in_thread(History.clear)

    async def _in_thread(self, act: Callable[[History], T]) -> Any:
        def acted(memory: CelestialMemory) -> T:
            return act(History.of(memory, self.session_id, *self._owner))

        return await in_thread(self._memory, acted)


def celestial_tools(
    memory: AnyMemory,
    *,
    user_id: str | None = None,
    agent_id: str | None = None,
    session_id: str | None = None,
    forgetting: bool = True,
) -> list[FunctionTool]:
    """celestial_store and celestial_recall for an agent, and celestial_forget, which needs somebody's approval."""
    caller, checked = For(user_id, agent_id, session_id), check_memory(memory)
    tools = (*VENDOR_TOOLS, FORGETTING) if forgetting else VENDOR_TOOLS
    return [_function_tool(tool, checked, caller) for tool in tools]


def _function_tool(tool: MemoryTool, memory: AnyMemory, caller: For) -> FunctionTool:
    async def invoke(context: ToolContext[Any], arguments: str) -> str:
        told = await in_thread(memory, answer, tool.name, arguments, caller, (tool,))
        return as_json(told)

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=strict(tool.parameters),
        on_invoke_tool=invoke,
        strict_json_schema=True,
        needs_approval=tool is FORGETTING,
    )
