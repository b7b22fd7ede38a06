"""Claude's memory tool, backed by the engine: its files are stored as memories and can be recalled.

>>> runner = client.beta.messages.tool_runner(..., tools=[CelestialMemoryTool(memory)])   # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

from celestial_engine.adapters.anthropic import commands
from celestial_engine.adapters.anthropic.files import Files
from celestial_engine.adapters.shared.offload import AnyMemory, check_memory, in_thread
from celestial_engine.adapters.shared.shapes import check_engine
from celestial_engine.engine import CelestialMemory

if TYPE_CHECKING:
    from anthropic.types.beta import BetaCacheControlEphemeralParam


class CelestialMemoryTool(BetaAbstractMemoryTool):
    """`client.beta.messages.tool_runner(..., tools=[CelestialMemoryTool(memory)])`."""

    def __init__(
        self,
        memory: CelestialMemory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._files = Files(check_engine(memory), user_id, agent_id)

    def execute(self, command: Any) -> str:
        return commands.execute(self._files, command)

    def view(self, command: Any) -> str:
        return commands.run_command(commands.view, self._files, command)

    def create(self, command: Any) -> str:
        return commands.run_command(commands.create, self._files, command)

    def str_replace(self, command: Any) -> str:
        return commands.run_command(commands.str_replace, self._files, command)

    def insert(self, command: Any) -> str:
        return commands.run_command(commands.insert, self._files, command)

    def delete(self, command: Any) -> str:
        return commands.run_command(commands.delete, self._files, command)

    def rename(self, command: Any) -> str:
        return commands.run_command(commands.rename, self._files, command)

    def clear_all_memory(self) -> str:
        return commands.run_command(commands.clear, self._files, None)


class AsyncCelestialMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`; takes a sync or async engine and runs it in threads."""

    def __init__(
        self,
        memory: AnyMemory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._memory = check_memory(memory)
        self._owner = (user_id, agent_id)

    async def execute(self, command: Any) -> str:
        return await in_thread(self._memory, lambda memory: commands.execute(Files(memory, *self._owner), command))

    async def view(self, command: Any) -> str:
        return await self._in_thread(commands.view, command)

    async def create(self, command: Any) -> str:
        return await self._in_thread(commands.create, command)

    async def str_replace(self, command: Any) -> str:
        return await self._in_thread(commands.str_replace, command)

    async def insert(self, command: Any) -> str:
        return await self._in_thread(commands.insert, command)

    async def delete(self, command: Any) -> str:
        return await self._in_thread(commands.delete, command)

    async def rename(self, command: Any) -> str:
        return await self._in_thread(commands.rename, command)

    async def clear_all_memory(self) -> str:
        return await self._in_thread(commands.clear, None)

    async def _in_thread(self, act: Callable[[Files, Any], str], command: Any) -> str:
        return await in_thread(
            self._memory, lambda memory: commands.run_command(act, Files(memory, *self._owner), command)
        )
