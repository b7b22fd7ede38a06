"""A chain with memory: memories are added to its input, and the finished turn is observed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable, ensure_config
from pydantic import ConfigDict

from celestial_engine.adapters.langchain.turns import (
    Query,
    TurnMemory,
    messages_from,
    query_from,
    session_id_from,
    text_from,
    with_memories,
)
from celestial_engine.errors import Expected, InvalidInputError, Reason


class RememberingChain(RunnableSerializable[Any, Any]):
    """Wraps a chain with memory. A turn that fails is not observed: it will be tried again."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    chain: Runnable[Any, Any]
    remembering: TurnMemory
    input_key: str = "input"
    memory_key: str = "memories"

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
        query = self._query_of(input)
        output = self.chain.invoke(self._with_memories(input, self.remembering.recalled(query)), config, **kwargs)
        self._observe_turn(query, output, config)
        return output

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
        query = self._query_of(input)
        memories = await asyncio.to_thread(self.remembering.recalled, query)
        output = await self.chain.ainvoke(self._with_memories(input, memories), config, **kwargs)
        await asyncio.to_thread(self._observe_turn, query, output, config)
        return output

    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Any]:  # noqa: A002
        query, whole = self._query_of(input), None
        for chunk in self.chain.stream(
            self._with_memories(input, self.remembering.recalled(query)), config, **kwargs
        ):
            whole = _add_chunk(whole, chunk)
            yield chunk
        self._observe_turn(query, whole, config)

    async def astream(
        self,
        input: Any,  # noqa: A002
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[Any]:
        query, whole = self._query_of(input), None
        memories = await asyncio.to_thread(self.remembering.recalled, query)
        async for chunk in self.chain.astream(self._with_memories(input, memories), config, **kwargs):
            whole = _add_chunk(whole, chunk)
            yield chunk
        await asyncio.to_thread(self._observe_turn, query, whole, config)

    def _query_of(self, chain_input: Any) -> Query:
        if isinstance(chain_input, str):
            return Query(chain_input)
        if isinstance(chain_input, Mapping):
            if self.input_key in chain_input:
                return self._query_of(chain_input[self.input_key])
            if "messages" in chain_input:
                return query_from(messages_from(chain_input["messages"]) or [])
            raise InvalidInputError("input", Reason.MISSING, names=(self.input_key, "messages"))
        messages = messages_from(chain_input)
        if messages is None:
            raise InvalidInputError(
                "input", Reason.WRONG_TYPE, expected=Expected.CHAIN_INPUT, got=type(chain_input).__name__
            )
        return query_from(messages)

    def _with_memories(self, chain_input: Any, memories: str) -> Any:
        if isinstance(chain_input, str):
            return f"{memories}\n\n{chain_input}" if memories else chain_input
        if isinstance(chain_input, Mapping):
            if self.input_key not in chain_input:
                return {
                    **chain_input,
                    "messages": with_memories(messages_from(chain_input["messages"]) or [], memories),
                }
            return {**chain_input, self.memory_key: memories}
        return with_memories(messages_from(chain_input) or [], memories)

    def _observe_turn(self, query: Query, output: Any, config: RunnableConfig | None) -> None:
        self.remembering.observed(query, text_from(output), session_id_from(ensure_config(config)))


def _add_chunk(whole: Any, chunk: Any) -> Any:
    """Add a chunk to what was streamed so far; chunks that cannot be added replace it."""
    if whole is None:
        return chunk
    try:
        return whole + chunk
    except TypeError:
        return {**whole, **chunk} if isinstance(whole, dict) and isinstance(chunk, dict) else chunk
