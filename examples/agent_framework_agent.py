"""An agent of Microsoft's Agent Framework that remembers across sessions. Runs offline: the client is scripted.

In a clone: pip install ".[agent-framework]"
python examples/agent_framework_agent.py
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any

from agent_framework import Agent, AgentSession, BaseChatClient, ChatResponse, FunctionInvocationLayer, Message

from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialContextProvider


class ScriptedClient(FunctionInvocationLayer[Any], BaseChatClient[Any]):
    """A fake model that answers only with the quoted memories."""

    def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Any, **_: Any
    ) -> Awaitable[ChatResponse]:
        quotes = [line for message in messages for line in message.text.splitlines() if line[:1].isdigit()]

        async def answered() -> ChatResponse:
            answer = f"I remember: {quotes[0]}" if quotes else "I see."
            return ChatResponse(messages=[Message("assistant", [answer])])

        return answered()


async def main() -> None:
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        agent = Agent(ScriptedClient(), context_providers=[CelestialContextProvider(memory)])
        for day, said in (
            ("monday", "My sister Mina lives in Busan."),
            ("friday", "Where does my sister Mina live?"),
            ("saturday", "내 동생 지호는 녹차를 좋아해."),
            ("sunday", "지호는 무슨 차를 좋아해?"),
        ):
            answer = await agent.run(said, session=AgentSession(session_id=day))
            print(f"[{day}] user:  {said}\n[{day}] agent: {answer.text}")


if __name__ == "__main__":
    asyncio.run(main())
