"""A loop around OpenAI's Responses API that remembers across conversations. Runs offline: scripted.

In a clone: pip install ".[openai]"
python examples/openai_agent.py
"""

from __future__ import annotations

import json
from typing import Any

import openai
from scripted_server import ScriptedServer, function_call, output_text, responses_answer

from celestial_engine import CelestialMemory
from celestial_engine.adapters import OpenAIAdapter


def answer_from_memory(request: dict[str, Any]) -> dict[str, Any]:
    """In the second conversation the model knows only what is in memory."""
    recalled = json.loads(request["input"][-1]["output"])
    return responses_answer(output_text(recalled[0]["content"].replace("The user likes", "You like")))


SCRIPT = [
    responses_answer(function_call("celestial_store", {"content": "The user likes green tea.", "importance": 0.8})),
    responses_answer(output_text("I will remember that.")),
    responses_answer(function_call("celestial_recall", {"query": "Which tea does the user like?", "limit": None})),
    answer_from_memory,
]


def talk(client: openai.OpenAI, adapter: OpenAIAdapter, message: str) -> str:
    """Run one user turn, with any number of tool calls."""
    turns: list[Any] = [{"role": "user", "content": message}]
    while True:
        response = client.responses.create(model="scripted", input=turns, tools=adapter.as_tools("responses"))
        answers = adapter.answers(response)
        if not answers:
            return response.output_text
        turns += [*response.output, *answers]


def main() -> None:
    with (
        ScriptedServer(SCRIPT) as server,  # to use OpenAI, remove the server, its url and the scripted model
        openai.OpenAI(api_key="none", base_url=server.url) as client,
        CelestialMemory(":memory:", rebalance_interval=None) as memory,
    ):
        for message in ("I like green tea.", "What do I like to drink?"):
            print("you:  ", message)
            print("model:", talk(client, OpenAIAdapter(memory), message))


if __name__ == "__main__":
    main()
