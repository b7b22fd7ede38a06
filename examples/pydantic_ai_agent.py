"""A Pydantic AI agent that remembers across conversations. Runs offline: the model is scripted.

In a clone: pip install ".[pydantic-ai]"
python examples/pydantic_ai_agent.py
"""

from __future__ import annotations

import asyncio

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from celestial_engine import CelestialMemory
from celestial_engine.adapters import PydanticAIAdapter


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """A fake model: answers with the newest of the quoted memories; asked to note something, it calls the tool."""
    parts = [part for message in messages for part in message.parts]
    prompts = [part.content for part in parts if isinstance(part, UserPromptPart) and isinstance(part.content, str)]
    if isinstance(parts[-1], ToolReturnPart):
        return ModelResponse(parts=[TextPart(f"Noted, in the {parts[-1].content['stored']['zone']} zone.")])
    if prompts[-1].startswith("Note: "):
        noted = {"content": prompts[-1].removeprefix("Note: "), "importance": 0.8}
        return ModelResponse(parts=[ToolCallPart("celestial_store", noted)])
    quotes = [line for prompt in prompts for line in prompt.splitlines() if line[:1].isdigit()]
    return ModelResponse(parts=[TextPart(f"I remember: {quotes[-1]}" if quotes else "I see.")])


async def main() -> None:
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        agent = Agent(FunctionModel(scripted), capabilities=[PydanticAIAdapter(memory).capability()])
        for said in (
            "My sister Mina lives in Busan.",
            "Where does my sister Mina live?",
            "Note: 지호는 녹차를 좋아한다",
            "지호는 무슨 차를 좋아해?",
        ):
            print(f"user:  {said}\nagent: {(await agent.run(said)).output}")


if __name__ == "__main__":
    asyncio.run(main())
