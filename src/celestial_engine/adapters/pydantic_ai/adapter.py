"""Pydantic AI: tools for the model, or a capability that observes every turn."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pydantic_ai import FunctionToolset, RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextContent,
    TextPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.toolsets import ToolsetTool

from celestial_engine.adapters.shared.callers import Callers, NameSource
from celestial_engine.adapters.shared.memory_tools import MEMORY_TOOLS, RAW_ARGUMENTS, Caller, MemoryTool
from celestial_engine.adapters.shared.offload import AnyMemory, check_memory, in_thread
from celestial_engine.adapters.shared.turns import observe_turn, past_turn
from celestial_engine.core.checks import check_budget
from celestial_engine.core.turn.conversation import Role, Utterance

Context: TypeAlias = RunContext[Any]


class PydanticAIAdapter:
    """`Agent(model, capabilities=[PydanticAIAdapter(memory).capability()])`.

    `user_id` and `agent_id` are names, or functions of the run: `user_id=lambda run: run.deps.user_id`. Without them
    the engine's own owner applies.
    """

    def __init__(
        self, memory: AnyMemory, *, user_id: NameSource[Context] = None, agent_id: NameSource[Context] = None
    ) -> None:
        self._memory = check_memory(memory)
        self._callers = Callers(user_id, agent_id)

    def toolset(self, *, id: str = "celestial") -> FunctionToolset[Any]:  # noqa: A002 - the framework's word
        """celestial_recall and celestial_store, for `Agent(model, toolsets=[...])`."""
        return _MemoryToolset([self._tool(tool) for tool in MEMORY_TOOLS], id=id)

    def capability(self, *, budget: int = 1024, always: bool = False, tools: bool = True) -> CelestialCapability:
        """Observe the user's turns, add relevant memories to the prompt, and provide the tools.

        `budget` is in tokens; with `always` memories are searched for every turn, not only for questions.
        """
        return CelestialCapability(self, budget=check_budget(budget), always=always, tools=tools)

    def caller(self, run: Context) -> Caller:
        """The owner and conversation of this run."""
        return self._callers.of(run, run.conversation_id)

    async def turn(self, run: Context, *, budget: int, always: bool) -> str:
        """Observe this run's prompt and return the memories for its answer."""
        caller = self.caller(run)
        _, context = await in_thread(
            self._memory,
            observe_turn,
            _text_of(run.prompt),
            _history(run.messages),
            budget=budget,
            always=always,
            session_id=caller.session_id,
            user_id=caller.user_id,
            agent_id=caller.agent_id,
        )
        return context

    def _tool(self, tool: MemoryTool) -> Tool[Any]:
        async def call(run: Context, /, **arguments: Any) -> dict[str, Any]:
            return await in_thread(self._memory, tool.answer, arguments, self.caller(run))

        return Tool.from_schema(call, tool.name, tool.description, tool.parameters, takes_ctx=True)


@dataclass
class CelestialCapability(AbstractCapability[Any]):
    """The memories of a run; `for_run` makes one instance per run."""

    adapter: PydanticAIAdapter
    budget: int = 1024
    always: bool = False
    tools: bool = True
    memories: UserPromptPart | None = None

    async def for_run(self, ctx: Context) -> CelestialCapability:
        return replace(self, memories=None)

    def get_toolset(self) -> FunctionToolset[Any] | None:
        return self.adapter.toolset() if self.tools else None

    async def before_run(self, ctx: Context) -> None:
        text = await self.adapter.turn(ctx, budget=self.budget, always=self.always)
        self.memories = UserPromptPart(content=text) if text else None

    async def before_model_request(self, ctx: Context, request_context: ModelRequestContext) -> ModelRequestContext:
        """Add memories to the user prompt, not to the instructions: their text may come from a third party."""
        if self.memories is None:
            return request_context
        messages = _with_memories(request_context.messages, self.memories, ctx.run_id)
        return replace(request_context, messages=messages)


class _MemoryToolset(FunctionToolset[Any]):
    """Passes arguments unvalidated: the tool answers with an error, instead of a validation error ending the run."""

    async def get_tools(self, ctx: Context) -> dict[str, ToolsetTool[Any]]:
        tools = await super().get_tools(ctx)
        return {name: replace(tool, args_validator=_Unchecked()) for name, tool in tools.items()}


class _Unchecked:
    """Reads arguments without judging them; what is no JSON object is handed on as it came."""

    def validate_json(self, input: str | bytes | bytearray, **_: Any) -> Any:  # noqa: A002 - the framework's word
        try:
            return self.validate_python(json.loads(input))
        except (ValueError, RecursionError):
            return {RAW_ARGUMENTS: str(input)}

    def validate_python(self, input: Any, **_: Any) -> Any:  # noqa: A002 - the framework's word
        return input if isinstance(input, dict) else {RAW_ARGUMENTS: input}


def _with_memories(
    messages: Sequence[ModelMessage], memories: UserPromptPart, run_id: str | None
) -> list[ModelMessage]:
    """Insert the memories before this run's prompt, at the same place in each request of the run."""
    requests = [(index, request) for index, request in enumerate(messages) if isinstance(request, ModelRequest)]
    of_this_run = [(index, request) for index, request in requests if run_id is not None and request.run_id == run_id]
    for index, prompt in of_this_run[:1] or requests[-1:]:
        with_quotes = replace(prompt, parts=[memories, *prompt.parts])
        return [*messages[:index], with_quotes, *messages[index + 1 :]]
    return [*messages]


def _history(messages: Sequence[ModelMessage]) -> list[Utterance]:
    turns = []
    for message in messages:
        if isinstance(message, ModelRequest):
            prompts = [_text_of(part.content) for part in message.parts if isinstance(part, UserPromptPart)]
            turns += [past_turn(Role.USER, text) for text in prompts if text.strip()]
        elif isinstance(message, ModelResponse):
            answer = "\n".join(part.content for part in message.parts if isinstance(part, TextPart))
            turns += [past_turn(Role.ASSISTANT, answer)] if answer.strip() else []
    return turns


def _text_of(prompt: str | Sequence[UserContent] | None) -> str:
    """The text of a prompt; images and audio are not stored."""
    if prompt is None or isinstance(prompt, str):
        return prompt or ""
    texts = (part.content if isinstance(part, TextContent) else part for part in prompt)
    return "\n".join(part for part in texts if isinstance(part, str))
