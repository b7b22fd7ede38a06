"""A chain that remembers: memories go into what it is given, and the turn is observed when it is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable, ensure_config
from pydantic import ConfigDict

from celestial_engine.adapters.langchain.turns import (
    Asked,
    Remembering,
    asked_in,
    messages_in,
    session_in,
    text_in,
    with_memories,
)
from celestial_engine.errors import Expected, InvalidInputError, Reason


class RememberingChain(RunnableSerializable[Any, Any]):
    """The same chain with a memory. A turn that fails is not remembered: it will be tried again."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    chain: Runnable[Any, Any]
    remembering: Remembering
    input_key: str = "input"
    memory_key: str = "memories"

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
        asked = self._asked(input)
        output = self.chain.invoke(self._given(input, self.remembering.recalled(asked)), config, **kwargs)
        self._over(asked, output, config)
        return output

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002
        asked = self._asked(input)
        memories = await asyncio.to_thread(self.remembering.recalled, asked)
        output = await self.chain.ainvoke(self._given(input, memories), config, **kwargs)
        await asyncio.to_thread(self._over, asked, output, config)
        return output

    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Any]:  # noqa: A002
        asked, whole = self._asked(input), None
        for chunk in self.chain.stream(self._given(input, self.remembering.recalled(asked)), config, **kwargs):
            whole = _joined(whole, chunk)
            yield chunk
        self._over(asked, whole, config)

    async def astream(
        self,
        input: Any,  # noqa: A002
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[Any]:
        asked, whole = self._asked(input), None
        memories = await asyncio.to_thread(self.remembering.recalled, asked)
        async for chunk in self.chain.astream(self._given(input, memories), config, **kwargs):
            whole = _joined(whole, chunk)
            yield chunk
        await asyncio.to_thread(self._over, asked, whole, config)

    def _asked(self, given: Any) -> Asked:
        if isinstance(given, str):
            return Asked(given)
        if isinstance(given, Mapping):
            if self.input_key in given:
                return self._asked(given[self.input_key])
            if "messages" in given:
                return asked_in(messages_in(given["messages"]) or [])
            raise InvalidInputError("input", Reason.MISSING, names=(self.input_key, "messages"))
        messages = messages_in(given)
        if messages is None:
            raise InvalidInputError(
                "input", Reason.WRONG_TYPE, expected=Expected.CHAIN_INPUT, got=type(given).__name__
            )
        return asked_in(messages)

    def _given(self, given: Any, memories: str) -> Any:
        if isinstance(given, str):
            return f"{memories}\n\n{given}" if memories else given
        if isinstance(given, Mapping):
            if self.input_key not in given:
                return {**given, "messages": with_memories(messages_in(given["messages"]) or [], memories)}
            return {**given, self.memory_key: memories}
        return with_memories(messages_in(given) or [], memories)

    def _over(self, asked: Asked, output: Any, config: RunnableConfig | None) -> None:
        self.remembering.observed(asked, text_in(output), session_in(ensure_config(config)))


def _joined(whole: Any, chunk: Any) -> Any:
    """What was streamed so far; where chunks do not add up, the last of them."""
    if whole is None:
        return chunk
    try:
        return whole + chunk
    except TypeError:
        return {**whole, **chunk} if isinstance(whole, dict) and isinstance(chunk, dict) else chunk
