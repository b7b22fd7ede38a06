"""CelestialMiddleware: agents of create_agent that remember, end to end with a scripted chat model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from celestial_engine import ItemFilter
from celestial_engine.adapters import CelestialMiddleware, LangChainAdapter
from celestial_engine.errors import InvalidInputError

TOLD = "Please remember that my sister Mina lives in Busan."
KEPT = "My sister Mina lives in Busan."  # of a request, the statement is kept
ASKED = "Where does my sister Mina live?"


class Scripted(BaseChatModel):
    """Says its lines, and notes what it was given."""

    lines: list[AIMessage]
    seen: list[Any]

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **_):
        self.seen.append(messages)
        return ChatResult(generations=[ChatGeneration(message=self.lines[len(self.seen) - 1])])


@tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def agent_with(memory, *lines, prompt=None, saver=None, tools=(), **settings):
    model = Scripted(lines=[AIMessage(line) if isinstance(line, str) else line for line in lines], seen=[])
    middleware = [CelestialMiddleware(memory, **settings)]
    return model, create_agent(
        model, tools=list(tools), middleware=middleware, system_prompt=prompt, checkpointer=saver
    )


def said(text, thread="t"):
    return {"messages": [HumanMessage(text)]}, {"configurable": {"thread_id": thread}}


def test_what_one_thread_tells_another_one_knows(memory):
    model, agent = agent_with(memory, "Noted.", "In Busan.", prompt="Be kind.")
    agent.invoke(*said(TOLD, "monday"))
    result = agent.invoke(*said(ASKED, "friday"))
    assert [message.text for message in result["messages"]] == [ASKED, "In Busan."]
    assert model.seen[0][0] == SystemMessage("Be kind.")
    assert model.seen[1][0].text.startswith("Be kind.\n\n<memories>")
    assert "Mina lives in Busan" in model.seen[1][0].text
    assert "celestial_memories" not in result
    (kept,) = memory.list(where=ItemFilter(session_id="monday"))
    assert kept.content == KEPT


def test_the_async_agent_does_the_same(memory):
    model, agent = agent_with(memory, "Noted.", "In Busan.")

    async def talk():
        await agent.ainvoke(*said(TOLD, "monday"))
        await agent.ainvoke(*said(ASKED, "friday"))

    asyncio.run(talk())
    assert "Mina lives in Busan" in model.seen[1][0].text
    assert [item.content for item in memory.list(where=ItemFilter(session_id="monday"))] == [KEPT]


def test_a_run_recalls_once_however_often_the_model_is_called(memory):
    item = memory.store("Mina lives in Busan, where the weather is mild")
    call = AIMessage("", tool_calls=[{"name": "weather", "args": {"city": "Busan"}, "id": "1"}])
    model, agent = agent_with(memory, call, "Sunny.", tools=[weather])
    agent.invoke(*said("How is the weather where Mina lives?"))
    assert len(model.seen) == 2
    assert all("Busan" in messages[0].text for messages in model.seen)
    assert memory.get(item.id).recall_count == 1


def test_memories_never_enter_the_conversation_that_is_kept(memory):
    memory.store(TOLD)
    model, agent = agent_with(memory, "In Busan.", "Yes.", saver=InMemorySaver())
    agent.invoke(*said(ASKED))
    result = agent.invoke(*said("Are you sure about my sister Mina?"))
    assert not any("<memories>" in message.text for message in result["messages"])
    assert model.seen[1][0].text.count("<memories>") == 1


def test_each_run_recalls_for_what_is_said_in_it(memory):
    memory.store("Mina lives in Busan")
    memory.store("The bicycle is locked in the shed")
    model, agent = agent_with(memory, "In Busan.", "In the shed.", saver=InMemorySaver())
    agent.invoke(*said("Where does Mina live?"))
    agent.invoke(*said("Where is the bicycle?"))
    assert "bicycle" in model.seen[1][0].text


def test_blocks_of_a_system_message_stay_blocks(memory):
    memory.store(TOLD)
    block = {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}
    model, agent = agent_with(memory, "In Busan.", prompt=SystemMessage([block]))
    agent.invoke(*said(ASKED))
    first, second = model.seen[0][0].content
    assert first == block
    assert "Mina lives in Busan" in second["text"]


def test_owners_do_not_see_each_other(memory):
    _, hers = agent_with(memory, "Noted.", user_id="mina")
    model, his = agent_with(memory, "I do not know.", user_id="jiho")
    hers.invoke(*said(TOLD))
    his.invoke(*said(ASKED))
    assert not any(isinstance(message, SystemMessage) for message in model.seen[0])
    assert memory.of("jiho").list() == []
    assert [item.content for item in memory.of("mina").list()] == [KEPT]


def test_an_agent_goes_on_without_its_memory(memory, caplog):
    _, agent = agent_with(memory, "I do not know.")
    memory.close()
    assert agent.invoke(*said(ASKED))["messages"][-1].text == "I do not know."
    assert "without memories" in caplog.text


def test_a_run_without_a_thread_or_words_is_fine(memory):
    _, agent = agent_with(memory, "Hm?")
    assert agent.invoke({"messages": [HumanMessage("")]})["messages"][-1].text == "Hm?"
    assert memory.list() == []


def test_the_adapter_gives_the_same(memory):
    assert isinstance(LangChainAdapter(memory, user_id="mina").as_middleware(budget=64), CelestialMiddleware)
    with pytest.raises(InvalidInputError, match="must be a CelestialMemory"):
        CelestialMiddleware(None)
