"""Extract the user's message, the answer and the history from LangChain's input and output shapes."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, convert_to_messages
from langchain_core.prompt_values import PromptValue
from langchain_core.runnables import RunnableConfig

from celestial_engine.adapters.shared.shapes import check_engine
from celestial_engine.adapters.shared.turns import MAX_HISTORY_TURNS, past_turn
from celestial_engine.core.checks import check_budget
from celestial_engine.core.turn.conversation import Role, Utterance
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError

logger = logging.getLogger(__name__)

_ROLES = ((HumanMessage, Role.USER), (AIMessage, Role.ASSISTANT))
_ANSWER_KEYS = ("output", "answer", "response", "result", "text", "content")


@dataclass(frozen=True)
class Query:
    """The user's last message, and the turns before it."""

    text: str = ""
    history: Sequence[Utterance] = field(default=())


@dataclass(frozen=True)
class TurnMemory:
    """Recalls memories for a turn and observes finished turns; errors do not stop the conversation."""

    memory: CelestialMemory
    budget: int = 1024
    user_id: str | None = None
    agent_id: str | None = None

    def __post_init__(self) -> None:
        check_engine(self.memory)
        check_budget(self.budget)

    def recalled(self, asked: Query) -> str:
        """The memories for the answer, as quoted data; empty if there are none."""
        if not asked.text.strip():
            return ""
        try:
            return self.memory.of(self.user_id, self.agent_id).compose(asked.text, self.budget).text
        except CelestialError as error:
            logger.warning("a turn is answered without memories: %s", error)
            return ""

    def observed(self, asked: Query, answer: str, session_id: str | None) -> None:
        """Observe both sides of a finished turn; the engine decides what to store."""
        history = list(asked.history)
        for utterance in (Utterance(asked.text), Utterance(answer, Role.ASSISTANT)):
            if utterance.text.strip():
                self.memory.of(self.user_id, self.agent_id).observe(
                    utterance,
                    history[-MAX_HISTORY_TURNS:],
                    budget=0,  # a finished turn needs no memories
                    session_id=session_id,
                )
                history.append(utterance)


def query_from(messages: Sequence[BaseMessage]) -> Query:
    """The user's last message in a list of messages, with its history."""
    for position in range(len(messages) - 1, -1, -1):
        if isinstance(messages[position], HumanMessage):
            return Query(text_from(messages[position]), _history(messages[:position]))
    return Query()


def answer_from(messages: Sequence[BaseMessage]) -> str:
    """The last answer, if it came after the user's last message."""
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return ""
        if isinstance(message, AIMessage) and text_from(message).strip():
            return text_from(message)
    return ""


def _history(messages: Sequence[BaseMessage]) -> list[Utterance]:
    turns = ((role, text_from(message)) for message in messages for kind, role in _ROLES if isinstance(message, kind))
    return [past_turn(role, text) for role, text in turns if text.strip()]


def text_from(value: Any) -> str:
    """The text of an answer of any shape; empty if there is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, BaseMessage):
        return str(value.text)
    if isinstance(value, Mapping):
        if isinstance(value.get("messages"), Sequence) and not isinstance(value["messages"], str):
            return answer_from(convert_to_messages(value["messages"]))
        return next((text_from(value[name]) for name in _ANSWER_KEYS if name in value), "")
    return ""


def messages_from(value: Any) -> list[BaseMessage] | None:
    """The input of a chain as messages, or None if it has another shape."""
    if isinstance(value, PromptValue):
        return list(value.to_messages())
    if isinstance(value, BaseMessage):
        return [value]
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return list(convert_to_messages(value))
    return None


def with_memories(messages: Sequence[BaseMessage], memories: str) -> list[BaseMessage]:
    """Add memories to the system message, which is created if missing."""
    if not memories:
        return list(messages)
    first = messages[0] if messages and isinstance(messages[0], SystemMessage) else None
    return [with_memories_in_system(first, memories), *messages[0 if first is None else 1 :]]


def with_memories_in_system(message: SystemMessage | None, memories: str) -> SystemMessage:
    if message is None:
        return SystemMessage(memories)
    if isinstance(message.content, str):
        return message.model_copy(update={"content": f"{message.content}\n\n{memories}"})
    return message.model_copy(update={"content": [*message.content, {"type": "text", "text": memories}]})


def session_id_from(config: RunnableConfig | Mapping[str, Any] | None) -> str | None:
    """The session id of a run: LangGraph's thread, or the session of a chat history."""
    configurable = (config or {}).get("configurable") or {}
    session_id = configurable.get("thread_id") or configurable.get("session_id")
    return None if session_id is None or not str(session_id).strip() else str(session_id)
