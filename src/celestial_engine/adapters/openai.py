"""The memory as OpenAI function tools, for the Responses and the Chat Completions interface; needs no package.

>>> adapter = OpenAIAdapter(memory)                                                        # doctest: +SKIP
>>> response = client.responses.create(model=..., input=turns, tools=adapter.as_tools())   # doctest: +SKIP
>>> turns += [*response.output, *adapter.answers(response)]                                # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from celestial_engine.adapters.memory_tools import For
from celestial_engine.adapters.offload import AnyMemory, check_memory, in_thread
from celestial_engine.adapters.tool_calls import VENDOR_TOOLS, answer, as_json, strict
from celestial_engine.async_memory import AsyncCelestialMemory
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import InvalidInputError

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion, ChatCompletionMessageToolCallUnion
    from openai.types.responses import Response, ResponseFunctionToolCall

Style = Literal["responses", "chat"]
_OURS = "celestial_"


class OpenAIAdapter:
    """celestial_store and celestial_recall as tools, and their answers. Calls may be objects of the SDK or dicts."""

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

    def as_tools(self, style: Style = "responses") -> list[dict[str, Any]]:
        """The tools for `tools=`: flat for the Responses interface, nested for Chat Completions; both strict."""
        if style not in ("responses", "chat"):
            raise InvalidInputError(field="style", reason=f"it is {style!r}, not 'responses' or 'chat'")
        functions = [
            {
                "name": tool.name,
                "description": tool.description,
                "parameters": strict(tool.parameters),
                "strict": True,
            }
            for tool in VENDOR_TOOLS
        ]
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
        """The item or message that answers a call, ready to be appended; a model's mistakes are answered too.

        By a name and its arguments it gives the answer alone, as JSON text.
        """
        return _answered(self._opened(), call, arguments, self._caller)

    async def ahandle_tool_call(self, call: Any, arguments: Any = None) -> str | dict[str, Any]:
        """The same, to be awaited."""
        return await in_thread(self._memory, _answered, call, arguments, self._caller)

    def answers(self, response: Response | ChatCompletion | Mapping[str, Any]) -> list[dict[str, Any]]:
        """The answers to all calls of these tools in a response; calls of other tools are left to the host."""
        memory = self._opened()
        return [_answered(memory, call, None, self._caller) for call in _calls_in(response)]

    async def aanswers(self, response: Response | ChatCompletion | Mapping[str, Any]) -> list[dict[str, Any]]:
        """The same, to be awaited."""
        return [await in_thread(self._memory, _answered, call, None, self._caller) for call in _calls_in(response)]

    def _opened(self) -> CelestialMemory:
        if isinstance(self._memory, AsyncCelestialMemory):
            reason = "it is an AsyncCelestialMemory: await ahandle_tool_call() or aanswers()"
            raise InvalidInputError(field="memory", reason=reason)
        return self._memory


def _answered(memory: CelestialMemory, call: Any, arguments: Any, caller: For) -> Any:
    if isinstance(call, str):
        return as_json(_told(memory, call, arguments, caller))
    function = _field(call, "function")
    if function is not None:
        told = _told(memory, _field(function, "name"), _field(function, "arguments"), caller)
        return {"role": "tool", "tool_call_id": _call_id(call, "id"), "content": as_json(told)}
    told = _told(memory, _field(call, "name"), _field(call, "arguments"), caller)
    return {"type": "function_call_output", "call_id": _call_id(call, "call_id"), "output": as_json(told)}


def _told(memory: CelestialMemory, name: object, arguments: object, caller: For) -> object:
    told = answer(memory, name, arguments, caller, VENDOR_TOOLS)
    return told.get("memories", told)  # a recall is answered with the list alone


def _calls_in(response: object) -> Iterator[Any]:
    """The calls of our tools; made-up names of ours too, so that they are told that there is no such tool."""
    choices = _field(response, "choices")
    if choices is not None:
        messages = [_field(choice, "message") for choice in choices]
        calls = [call for message in messages for call in _field(message, "tool_calls") or ()]
    else:
        calls = [item for item in _field(response, "output") or () if _field(item, "type") == "function_call"]
    for call in calls:
        name = _field(_field(call, "function") or call, "name")
        if isinstance(name, str) and name.startswith(_OURS):
            yield call


def _call_id(call: object, field: str) -> str:
    found = _field(call, field)
    if not isinstance(found, str):
        reason = f"it has no {field}: pass a function_call item, a chat tool call, or a name and its arguments"
        raise InvalidInputError(field="call", reason=reason)
    return found


def _field(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
