"""An agent of Google's ADK that remembers across sessions. Runs offline: the model is scripted.

In a clone: pip install ".[google-adk]"
python examples/google_adk_agent.py
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from google.adk.agents import LlmAgent
from google.adk.agents.callback_context import CallbackContext
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools.preload_memory_tool import preload_memory_tool
from google.genai import types

from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialMemoryService


class ScriptedModel(BaseLlm):
    """A fake model that answers only with what ADK quotes from memory."""

    model: str = "scripted"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        texts = [part.text or "" for content in llm_request.contents for part in content.parts or []]
        quotes = [line for text in texts if "<PAST_CONVERSATIONS>" in text for line in text.splitlines()]
        statements = [line.removeprefix("user: ") for line in quotes if line.startswith("user: ")]
        answer = f"You told me: {statements[0]}" if statements else "I see."
        yield LlmResponse(content=types.Content(role="model", parts=[types.Part.from_text(text=answer)]))


async def remember(callback_context: CallbackContext) -> None:
    """Run a turn, then add the session; events that are already stored are skipped."""
    await callback_context.add_session_to_memory()


async def main() -> None:
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        agent = LlmAgent(
            name="assistant",
            model=ScriptedModel(),
            tools=[preload_memory_tool],
            after_agent_callback=remember,
        )
        sessions = InMemorySessionService()
        runner = Runner(
            app_name="example",
            agent=agent,
            session_service=sessions,
            memory_service=CelestialMemoryService(memory, keep="worthwhile"),
        )
        for day, text in (
            ("monday", "My sister Mina lives in Busan."),
            ("friday", "Where does my sister Mina live?"),
            ("saturday", "내 동생 지호는 녹차를 좋아해."),
            ("sunday", "지호가 좋아하는 차가 뭐였지?"),
        ):
            session = await sessions.create_session(app_name="example", user_id="me", session_id=day)
            message = types.Content(role="user", parts=[types.Part.from_text(text=text)])
            async for event in runner.run_async(user_id="me", session_id=session.id, new_message=message):
                if event.content and event.content.parts:
                    print(f"[{day}] user:  {text}\n[{day}] agent: {event.content.parts[0].text}")
        await runner.close()


if __name__ == "__main__":
    asyncio.run(main())
