"""The memory of classic chains, which take `memory=`; LangChain keeps them in langchain-classic."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from langchain_classic.base_memory import BaseMemory
from pydantic import Field

from celestial_engine.adapters.langchain.turns import Query, TurnMemory, text_from
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.errors import InvalidInputError, Reason


class CelestialConversationMemory(BaseMemory):
    """Replaces a conversation buffer: loads the relevant memories, not the whole conversation.

    `clear` forgets only what this conversation stored.
    """

    remembering: TurnMemory
    memory_key: str = "history"
    input_key: str | None = None
    output_key: str | None = None
    session_id: str = Field(default_factory=lambda: uuid4().hex)

    @property
    def memory_variables(self) -> list[str]:
        return [self.memory_key]

    def load_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return {self.memory_key: self.remembering.recalled(Query(self._text_of(inputs, self.input_key, "input_key")))}

    def save_context(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        query = Query(self._text_of(inputs, self.input_key, "input_key"))
        answer = self._text_of(outputs, self.output_key, "output_key")
        self.remembering.observed(query, answer, self.session_id)

    def clear(self) -> None:
        remembering = self.remembering
        where = ItemFilter(session_id=self.session_id)
        remembering.memory.of(remembering.user_id, remembering.agent_id).departures.forget_where(where)

    def _text_of(self, values: dict[str, Any], key: str | None, field: str) -> str:
        names = [name for name in values if name not in (self.memory_key, "stop")] if key is None else [key]
        if len(names) != 1 or names[0] not in values:
            raise InvalidInputError(field, Reason.SAY_WHICH, names=tuple(map(str, values)))
        return text_from(values[names[0]])
