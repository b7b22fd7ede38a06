"""An agent of the OpenAI Agents SDK: a persistent session, and forgetting needs approval. Runs offline: scripted.

In a clone: pip install ".[openai-agents]"
python examples/openai_agents_agent.py
"""

from __future__ import annotations

import asyncio
from typing import Any

import openai
from agents import Agent, OpenAIResponsesModel, Runner, set_tracing_disabled
from scripted_server import ScriptedServer, function_call, output_text, responses_answer

from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialSession, celestial_tools


def script(item_id: str) -> list[Any]:
    return [
        responses_answer(output_text("Hello Mina.")),
        lambda request: responses_answer(output_text(f"You said {len(request['input']) // 2} thing before.")),
        responses_answer(function_call("celestial_forget", {"id": item_id})),
        responses_answer(output_text("It is forgotten.")),
    ]


async def main() -> None:
    set_tracing_disabled(True)
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        secret = memory.store("Mina plans a surprise party")
        # To use OpenAI, remove the server, and pass the agent a model name.
        with ScriptedServer(script(secret.id)) as server:
            async with openai.AsyncOpenAI(api_key="none", base_url=server.url) as client:
                model = OpenAIResponsesModel("scripted", client)
                agent = Agent(name="Assistant", model=model, tools=celestial_tools(memory))
                for message in ("I am Mina.", "What did I say?"):
                    result = await Runner.run(agent, message, session=CelestialSession("a chat", memory))
                    print(result.final_output)
                result = await Runner.run(agent, "Forget the party.", session=CelestialSession("a chat", memory))
                state = result.to_state()
                for call in result.interruptions:
                    print("may it call", call.name, call.arguments, "? yes")
                    state.approve(call)
                result = await Runner.run(agent, state, session=CelestialSession("a chat", memory))
                print(result.final_output, "Memories left:", len(memory.list()))


if __name__ == "__main__":
    asyncio.run(main())
