"""A context provider for Microsoft Agent Framework that observes every turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent_framework import AgentSession, ContextProvider, FunctionTool, Message, SessionContext, SupportsAgentRun
from pydantic import BaseModel, ConfigDict

from celestial_engine.adapters.shared.callers import Callers, NameSource
from celestial_engine.adapters.shared.memory_tools import MEMORY_TOOLS, Caller, MemoryTool
from celestial_engine.adapters.shared.offload import AnyMemory, check_memory, in_thread
from celestial_engine.adapters.shared.turns import MAX_HISTORY_TURNS, observe_turn, past_turn
from celestial_engine.core.checks import check_budget
from celestial_engine.core.turn.conversation import Role, Utterance, read_utterance
from celestial_engine.errors import InvalidInputError

_TURNS = "turns"


class CelestialContextProvider(ContextProvider):
    """`Agent(client, context_providers=[CelestialContextProvider(memory)])`.

    Before a run the user's message is observed, and relevant memories are added to the prompt. After the run the turn
    is added to the history. `user_id` and `agent_id` are names, or functions of the session:
    `user_id=lambda session: session.state["user"]`. With `always` memories are searched for every turn, not only for
    questions; with `tools` the model can recall and store by itself.
    """

    def __init__(
        self,
        memory: AnyMemory,
        *,
        source_id: str = "celestial",
        user_id: NameSource[AgentSession] = None,
        agent_id: NameSource[AgentSession] = None,
        budget: int = 1024,
        always: bool = False,
        tools: bool = True,
    ) -> None:
        super().__init__(source_id)
        self._memory = check_memory(memory)
        self._callers = Callers(user_id, agent_id)
        self._budget, self._always, self._tools = check_budget(budget), always, tools

    async def before_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        caller = self._callers.of(session, session.session_id)
        if self._tools:
            context.extend_tools(self.source_id, [self._tool(tool, caller) for tool in MEMORY_TOOLS])
        observed, memories = await in_thread(
            self._memory,
            observe_turn,
            _text_of(context.input_messages),
            _read_turns(state.get(_TURNS)),
            budget=self._budget,
            always=self._always,
            session_id=caller.session_id,
            user_id=caller.user_id,
            agent_id=caller.agent_id,
        )
        context.metadata[self.source_id] = observed
        if memories:  # not in the instructions: their text may come from a third party
            context.extend_messages(self, [Message("user", [memories])])

    async def after_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        observed = context.metadata.get(self.source_id)
        new_turns = [
            past_turn(Role.USER, _text_of(context.input_messages), observed),
            past_turn(Role.ASSISTANT, "" if context.response is None else context.response.text),
        ]
        turns = [*_read_turns(state.get(_TURNS)), *(turn for turn in new_turns if turn.text.strip())]
        state[_TURNS] = [_to_json(turn) for turn in turns[-MAX_HISTORY_TURNS:]]

    def _tool(self, tool: MemoryTool, caller: Caller) -> FunctionTool:
        async def call(**arguments: Any) -> dict[str, Any]:
            return await in_thread(self._memory, tool.answer, arguments, caller)

        return FunctionTool(name=tool.name, description=tool.description, func=call, input_model=_arguments_of(tool))


def _arguments_of(tool: MemoryTool) -> type[BaseModel]:
    """A pydantic model with the tool's schema that accepts any arguments: the tool itself reports errors."""

    class Arguments(BaseModel):
        model_config = ConfigDict(extra="allow")

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            return tool.parameters

    return Arguments


def _text_of(messages: Sequence[Message]) -> str:
    """The text of the user's messages."""
    return "\n".join(message.text for message in messages if message.role == Role.USER.value and message.text)


def _to_json(turn: Utterance) -> dict[str, Any]:
    """A turn as plain JSON, which every session store can save."""
    return {
        "role": turn.role.value,
        "content": turn.text,
        "action": None if turn.action is None else turn.action.value,
    }


def _read_turns(turns: object) -> list[Utterance]:
    """Read the turns of a session's state; invalid entries are skipped."""
    return [
        utterance
        for turn in (turns if isinstance(turns, list) else [])
        if (utterance := _read_turn(turn)) is not None
    ]


def _read_turn(turn: object) -> Utterance | None:
    try:
        return read_utterance(turn) if isinstance(turn, Mapping) else None
    except InvalidInputError:
        return None
