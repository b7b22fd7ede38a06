"""A memory block for LlamaIndex: stores the messages that leave the short-term chat history."""

from __future__ import annotations

import logging
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field, field_validator

from celestial_engine.adapters.shared.offload import AnyMemory, check_memory, in_thread
from celestial_engine.adapters.shared.turns import Keep, drop_last_memories, keep_turn, past_turn
from celestial_engine.core.checks import check_budget
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.turn.conversation import Role, Utterance
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import CelestialError

logger = logging.getLogger(__name__)

_ROLES = {
    MessageRole.USER: Role.USER,
    MessageRole.ASSISTANT: Role.ASSISTANT,
    MessageRole.MODEL: Role.ASSISTANT,
    MessageRole.CHATBOT: Role.ASSISTANT,
}
_SESSION = "session_id"


class CelestialMemoryBlock(BaseMemoryBlock[str]):
    """`Memory.from_defaults(memory_blocks=[CelestialMemoryBlock(memory=memory)])`.

    Messages that leave the short-term history are stored: all of the user and the model, or with `keep="worthwhile"`
    only those that `decide` would save. Memories for the user's last message are added to the prompt as quoted data,
    within `budget` tokens.
    """

    name: str = Field(default="celestial", description="The name of the memory block.")
    memory: Any = Field(exclude=True, description="A CelestialMemory or an AsyncCelestialMemory.")
    user_id: str | None = Field(default=None, description="Whose memory it is; the memory's own user if None.")
    agent_id: str | None = Field(default=None, description="Which agent's memory it is.")
    budget: int = Field(default=1024, description="The most tokens that memories may take in a prompt.")
    keep: Keep = Field(default="everything", description="Which messages are remembered.")

    @field_validator("memory")
    @classmethod
    def _memory(cls, memory: object) -> AnyMemory:
        return check_memory(memory)

    @field_validator("budget")
    @classmethod
    def _budget(cls, budget: int) -> int:
        return check_budget(budget)

    @field_validator("user_id", "agent_id")
    @classmethod
    def _name(cls, name: str | None) -> str | None:
        Owner().with_ids(name, None)  # raises for invalid names
        return name

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        """The memories for the user's last message; "" if there are none."""
        question = next(
            (_text_of(message) for message in reversed(messages or []) if message.role is MessageRole.USER), ""
        )
        if not question.strip():
            return ""
        try:
            composed = await in_thread(
                self.memory, lambda memory: memory.of(self.user_id, self.agent_id).compose(question, self.budget)
            )
        except CelestialError as error:
            logger.warning("a turn is answered without memories: %s", error)
            return ""
        return composed.text

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Store messages, each under the session it came from."""
        await in_thread(self.memory, self._keep, messages)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Drop the last memories, which are the least relevant; None if none would be left."""
        return drop_last_memories(content, tokens_to_truncate)

    def _keep(self, memory: CelestialMemory, messages: list[ChatMessage]) -> None:
        history: list[Utterance] = []
        for message in messages:
            role, text = _ROLES.get(message.role), _text_of(message)
            if role is None or not text.strip():  # system prompts and tool messages are not conversation
                continue
            utterance = Utterance(text, role)
            session_id = message.additional_kwargs.get(_SESSION)
            keep_turn(
                memory,
                utterance,
                history,
                keep=self.keep,
                session_id=session_id if isinstance(session_id, str) else None,
                user_id=self.user_id,
                agent_id=self.agent_id,
            )
            history.append(past_turn(role, text))


def _text_of(message: ChatMessage) -> str:
    return "\n".join(block.text for block in message.blocks if isinstance(block, TextBlock))
