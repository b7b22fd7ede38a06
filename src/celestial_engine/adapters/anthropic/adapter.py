"""Memory tools for Claude: tool definitions for the Messages API, and answers to its tool_use blocks.

>>> adapter = AnthropicAdapter(memory)                                             # doctest: +SKIP
>>> reply = client.messages.create(..., tools=adapter.as_mcp_tools())              # doctest: +SKIP
>>> turns.append({"role": "user", "content": adapter.answers(reply)})              # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

from celestial_engine.adapters.shared.answering import ToolCallAdapter, field_of, is_celestial_tool
from celestial_engine.adapters.shared.memory_tools import Caller
from celestial_engine.adapters.shared.offload import in_thread
from celestial_engine.adapters.shared.tool_calls import VENDOR_TOOLS, answer, as_json
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import Expected, InvalidInputError, Reason

if TYPE_CHECKING:
    from anthropic.types import Message, ToolUseBlock

_ASYNC_METHODS = "ahandle() or aanswers()"


class AnthropicAdapter(ToolCallAdapter):
    """celestial_store and celestial_recall as tools, and their answers. Blocks may be SDK objects or dicts."""

    def as_mcp_tools(self) -> list[dict[str, Any]]:
        """The tool definitions for `tools=` of the Messages API."""
        return [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in VENDOR_TOOLS
        ]

    @overload
    def handle(self, tool_use: str, tool_input: Mapping[str, Any] | None) -> dict[str, Any]: ...
    @overload
    def handle(self, tool_use: ToolUseBlock | Mapping[str, Any]) -> dict[str, Any]: ...
    def handle(self, tool_use: Any, tool_input: Any = None) -> dict[str, Any]:
        """Run a tool_use block and return its tool_result block; errors are answered with is_error.

        Called with a tool's name and its input, it returns only the answer.
        """
        return _answer(self._opened(_ASYNC_METHODS), tool_use, tool_input, self._caller)

    async def ahandle(self, tool_use: Any, tool_input: Any = None) -> dict[str, Any]:
        """Async version of `handle`."""
        return await in_thread(self._memory, _answer, tool_use, tool_input, self._caller)

    def answers(self, message: Message | Mapping[str, Any]) -> list[dict[str, Any]]:
        """The tool_result blocks for all calls of these tools in a message; other tools are left to the host."""
        memory = self._opened(_ASYNC_METHODS)
        return [_answer(memory, block, None, self._caller) for block in _uses_in(message)]

    async def aanswers(self, message: Message | Mapping[str, Any]) -> list[dict[str, Any]]:
        """Async version of `answers`."""
        return [await self.ahandle(block) for block in _uses_in(message)]


def _answer(memory: CelestialMemory, tool_use: Any, tool_input: Any, caller: Caller) -> dict[str, Any]:
    if isinstance(tool_use, str):
        return answer(memory, tool_use, tool_input, caller, VENDOR_TOOLS)
    use_id = field_of(tool_use, "id")
    if not isinstance(use_id, str):
        raise InvalidInputError("tool_use", Reason.MUST_BE, expected=Expected.TOOL_USE)
    result = answer(memory, field_of(tool_use, "name"), field_of(tool_use, "input"), caller, VENDOR_TOOLS)
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": use_id, "content": as_json(result)}
    return {**block, "is_error": True} if "error" in result else block


def _uses_in(message: object) -> list[Any]:
    uses = [block for block in field_of(message, "content") or () if field_of(block, "type") == "tool_use"]
    return [block for block in uses if is_celestial_tool(field_of(block, "name"))]
