"""Memory tools for the OpenAI Responses and Chat Completions APIs; needs no package.

>>> adapter = OpenAIAdapter(memory)                                                              # doctest: +SKIP
>>> reply = client.chat.completions.create(model=..., messages=turns, tools=adapter.as_tools())  # doctest: +SKIP
>>> turns += [reply.choices[0].message, *adapter.answers(reply)]                                 # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from celestial_engine.adapters.shared.answering import ToolCallAdapter, field_of, is_celestial_tool
from celestial_engine.adapters.shared.memory_tools import Caller, MemoryTool
from celestial_engine.adapters.shared.offload import in_thread
from celestial_engine.adapters.shared.tool_calls import VENDOR_TOOLS, answer, as_json, strict_schema
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import Expected, InvalidInputError, Reason

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion, ChatCompletionMessageToolCallUnion
    from openai.types.responses import Response, ResponseFunctionToolCall

Style = Literal["responses", "chat"]
_ASYNC_METHODS = "ahandle_tool_call() or aanswers()"


class OpenAIAdapter(ToolCallAdapter):
    """celestial_store and celestial_recall as tools, and their answers. Calls may be SDK objects or dicts."""

    def as_tools(self, style: Style = "chat", *, strict: bool | None = None) -> list[dict[str, Any]]:
        """The tool definitions for `tools=`: nested for Chat Completions, flat for Responses.

        `strict` asks the model for arguments that match the schema exactly; by default only Responses does.
        """
        if style not in ("responses", "chat"):
            raise InvalidInputError("style", Reason.UNKNOWN_CHOICE, got=style, choices=("responses", "chat"))
        functions = [_function(tool, strict=style == "responses" if strict is None else strict)
                     for tool in VENDOR_TOOLS]  # fmt: skip
        if style == "responses":
            return [{"type": "function", **function} for function in functions]
        return [{"type": "function", "function": function} for function in functions]

    @overload
    def handle_tool_call(self, call: str, arguments: Mapping[str, Any] | str | None) -> str: ...
    @overload
    def handle_tool_call(
        self, call: ResponseFunctionToolCall | ChatCompletionMessageToolCallUnion | Mapping[str, Any]
    ) -> dict[str, Any]: ...
    def handle_tool_call(self, call: Any, arguments: Any = None) -> str | dict[str, Any]:
        """Run a call and return the item or message to append; errors are answered too.

        Called with a tool's name and its arguments, it returns only the answer, as JSON text.
        """
        return _answer(self._opened(_ASYNC_METHODS), call, arguments, self._caller)

    async def ahandle_tool_call(self, call: Any, arguments: Any = None) -> str | dict[str, Any]:
        """Async version of `handle_tool_call`."""
        return await in_thread(self._memory, _answer, call, arguments, self._caller)

    def answers(self, response: Response | ChatCompletion | Mapping[str, Any]) -> list[dict[str, Any]]:
        """The answers to all calls of these tools in a response; calls of other tools are left to the host."""
        memory = self._opened(_ASYNC_METHODS)
        return [_answer(memory, call, None, self._caller) for call in _calls_in(response)]

    async def aanswers(self, response: Response | ChatCompletion | Mapping[str, Any]) -> list[dict[str, Any]]:
        """Async version of `answers`."""
        return [await in_thread(self._memory, _answer, call, None, self._caller) for call in _calls_in(response)]


def _function(tool: MemoryTool, *, strict: bool) -> dict[str, Any]:
    described = {"name": tool.name, "description": tool.description}
    if not strict:
        return {**described, "parameters": tool.parameters}
    return {**described, "parameters": strict_schema(tool.parameters), "strict": True}


def _answer(memory: CelestialMemory, call: Any, arguments: Any, caller: Caller) -> Any:
    if isinstance(call, str):
        return as_json(_run_tool(memory, call, arguments, caller))
    function = field_of(call, "function")
    if function is not None:
        call_id = _call_id(call, "id")  # before running the tool: an answer needs a call id
        result = _run_tool(memory, field_of(function, "name"), field_of(function, "arguments"), caller)
        return {"role": "tool", "tool_call_id": call_id, "content": as_json(result)}
    call_id = _call_id(call, "call_id")
    result = _run_tool(memory, field_of(call, "name"), field_of(call, "arguments"), caller)
    return {"type": "function_call_output", "call_id": call_id, "output": as_json(result)}


def _run_tool(memory: CelestialMemory, name: object, arguments: object, caller: Caller) -> object:
    result = answer(memory, name, arguments, caller, VENDOR_TOOLS)
    return result.get("memories", result)  # a recall returns only the list


def _calls_in(response: object) -> Iterator[Any]:
    """Yield the calls of our tools in a response."""
    choices = field_of(response, "choices")
    if choices is not None:
        messages = [field_of(choice, "message") for choice in choices]
        calls = [call for message in messages for call in field_of(message, "tool_calls") or ()]
    else:
        calls = [item for item in field_of(response, "output") or () if field_of(item, "type") == "function_call"]
    for call in calls:
        if is_celestial_tool(field_of(field_of(call, "function") or call, "name")):
            yield call


def _call_id(call: object, field: str) -> str:
    call_id = field_of(call, field)
    if not isinstance(call_id, str):
        raise InvalidInputError("call", Reason.MUST_BE, expected=Expected.FUNCTION_CALL)
    return call_id
