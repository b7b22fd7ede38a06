"""A LlamaIndex chat that remembers messages beyond its history. Runs offline: the model is scripted.

In a clone: pip install ".[llama-index]"
python examples/llama_index_agent.py
"""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.memory import Memory
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import StaticPool

from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialMemoryBlock

SMALL_TALK = "It rained all day, and then it rained some more, so we stayed at home and listened to the rain."


class ScriptedModel(CustomLLM):
    """A fake model that answers only with the quoted memories."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="scripted", is_chat_model=True)

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        quotes = [line for line in prompt.splitlines() if line[:1].isdigit()]
        return CompletionResponse(text=f"I remember: {quotes[0]}" if quotes else "I see.")

    def stream_complete(self, prompt: str, formatted: bool = False, **more: Any) -> CompletionResponseGen:
        yield self.complete(prompt, formatted, **more)


async def main() -> None:
    history = create_async_engine("sqlite+aiosqlite:///:memory:", poolclass=StaticPool)
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        short = Memory.from_defaults(
            token_limit=60,  # so small that messages leave the history at once
            token_flush_size=10,
            tokenizer_fn=str.split,
            async_engine=history,
            memory_blocks=[CelestialMemoryBlock(memory=memory, keep="worthwhile")],
        )
        chat = SimpleChatEngine.from_defaults(llm=ScriptedModel(), memory=short)
        for message in (
            "My sister Mina lives in Busan.",
            "내 동생 지호는 녹차를 좋아해.",
            SMALL_TALK,
            SMALL_TALK,
            "Where does my sister Mina live?",
            "지호는 무슨 차를 좋아해?",
        ):
            print(f"user:  {message}\nagent: {(await chat.achat(message)).response}")
    await history.dispose()


if __name__ == "__main__":
    asyncio.run(main())
