"""as_memory: chains of old remember, and the documentation's examples run."""

from __future__ import annotations

import asyncio
import sys

import pytest
from langchain.agents import create_agent
from langchain_core._api import LangChainDeprecationWarning
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import PromptTemplate

from celestial_engine.adapters import LangChainAdapter
from celestial_engine.errors import ExtraMissingError, InvalidInputError

TOLD = "Please remember that my sister Mina lives in Busan."
ASKED = "Where does my sister Mina live?"


def test_a_chain_of_old_remembers(memory):
    from langchain_classic.chains import LLMChain

    model = FakeListChatModel(responses=["Noted.", "In Busan."])
    prompt = PromptTemplate.from_template("{history}\nHuman: {input}")
    with pytest.warns(LangChainDeprecationWarning, match="LLMChain"):  # of LangChain, about its own chains, once
        first = LLMChain(llm=model, prompt=prompt, memory=LangChainAdapter(memory).as_memory())
    second = LLMChain(llm=model, prompt=prompt, memory=LangChainAdapter(memory).as_memory())
    first.invoke({"input": TOLD})
    answer = second.invoke({"input": ASKED})
    assert "Mina lives in Busan" in answer["history"]
    assert answer["text"] == "In Busan."


def test_clear_forgets_this_conversation_alone(memory):
    kept = memory.store("The garden gate opens at seven")
    old = LangChainAdapter(memory).as_memory()
    old.save_context({"input": TOLD}, {"output": "Noted."})
    assert len(memory.list()) == 2
    old.clear()
    assert [item.id for item in memory.list()] == [kept.id]


def test_async_twins_do_the_same(memory):
    old = LangChainAdapter(memory).as_memory(memory_key="known")

    async def talk():
        await old.asave_context({"input": TOLD}, {"output": AIMessage("Noted.")})
        return await old.aload_memory_variables({"input": ASKED})

    assert "Busan" in asyncio.run(talk())["known"]
    assert old.memory_variables == ["known"]


def test_several_inputs_need_a_name(memory):
    old = LangChainAdapter(memory).as_memory()
    with pytest.raises(InvalidInputError, match="input_key"):
        old.load_memory_variables({"a": "x", "b": "y"})
    named = LangChainAdapter(memory).as_memory(input_key="b", output_key="out")
    assert named.load_memory_variables({"a": "x", "b": "y"}) == {"history": ""}
    with pytest.raises(InvalidInputError, match="output_key"):
        named.save_context({"b": "y"}, {"other": "z"})


def test_without_langchain_classic_the_extra_is_named(memory, monkeypatch):
    monkeypatch.delitem(sys.modules, "celestial_engine.adapters.langchain.legacy_memory", raising=False)
    monkeypatch.setitem(sys.modules, "langchain_classic.base_memory", None)
    with pytest.raises(ExtraMissingError, match=r"pip install .*\[langchain-classic\]"):
        LangChainAdapter(memory).as_memory()


def test_the_documented_snippets_run(memory, snippets):
    memory.store("Mina drinks green tea")
    wrap, agent, retrieve = snippets("LangChain")
    model = FakeListChatModel(responses=["Tea."])
    told = {"memory": memory, "chain": model, "model": model, "create_agent": create_agent}
    exec(wrap, told)
    assert told["chain"].invoke("What does Mina drink?").content == "Tea."
    exec(agent, told)
    assert told["agent"].invoke({"messages": [HumanMessage("What does Mina drink?")]})["messages"][-1].text == "Tea."
    exec(retrieve.replace("What do I drink?", "What does Mina drink?"), told)
    assert [document.page_content for document in told["documents"]] == ["Mina drinks green tea"]


def test_the_example_remembers_across_threads(example):
    said = example("langchain")
    assert said[1] == "[monday] agent: Noted."
    assert "Mina lives in Busan" in said[3]
    assert "지호는 녹차를 좋아한다" in said[7]
