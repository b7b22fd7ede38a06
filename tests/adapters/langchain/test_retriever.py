"""CelestialRetriever: LangChain's own suite for retrievers, and what our documents hold."""

from __future__ import annotations

import asyncio

import pytest
from langchain_tests.integration_tests import RetrieversIntegrationTests
from pydantic import ValidationError

from celestial_engine import CelestialMemory, ItemFilter
from celestial_engine.adapters import CelestialRetriever, LangChainAdapter
from celestial_engine.errors import InvalidInputError


class TestStandard(RetrieversIntegrationTests):
    """The suite that every LangChain retriever is held to."""

    @pytest.fixture(autouse=True)
    def _some_memories(self, memory):
        memory.store_many(f"Mina drinks green tea number {number}" for number in range(6))
        self.memory = memory

    @property
    def retriever_constructor(self):
        return CelestialRetriever

    @property
    def retriever_constructor_params(self):
        return {"memory": self.memory, "k": 2}

    @property
    def retriever_query_example(self):
        return "green tea"


def test_documents_carry_the_memory(memory):
    item = memory.store("Mina likes jasmine tea", 0.8, {"from": "chat", "zone": "mine"}, tags=["drinks"])
    (document,) = LangChainAdapter(memory).as_retriever().invoke("jasmine tea")
    assert document.id == item.id
    assert document.page_content == "Mina likes jasmine tea"
    assert document.metadata["from"] == "chat"
    assert document.metadata["zone"] in {zone.name for zone in memory.orbits.zones()}  # ours, whatever was stored
    assert document.metadata["tier"] == item.tier.value
    assert document.metadata["tags"] == ["drinks"]
    assert document.metadata["relevance"] > 0


def test_what_is_retrieved_becomes_more_central(memory):
    item = memory.store("Mina likes jasmine tea")
    LangChainAdapter(memory).as_retriever().invoke("jasmine tea")
    assert memory.get(item.id).recall_count == 1


def test_a_filter_leaves_only_what_it_asks_for(memory):
    memory.store("tea in the morning", tags=["work"])
    home = memory.store("tea in the evening", tags=["home"])
    retriever = LangChainAdapter(memory).as_retriever(k=5, where=ItemFilter(tags=("home",)))
    assert [document.id for document in retriever.invoke("tea")] == [home.id]


def test_owners_do_not_see_each_other(memory):
    memory.of("mina").store("Mina likes tea")
    assert LangChainAdapter(memory, user_id="jiho").as_retriever().invoke("tea") == []
    assert len(LangChainAdapter(memory, user_id="mina").as_retriever().invoke("tea")) == 1


def test_korean_is_found_asynchronously(memory):
    item = memory.store("민수는 화요일마다 테니스를 친다")
    found = asyncio.run(LangChainAdapter(memory).as_retriever().ainvoke("민수는 언제 테니스를 쳐?"))
    assert [document.id for document in found] == [item.id]


def test_nothing_is_asked_nothing_is_found(memory):
    memory.store("tea")
    assert LangChainAdapter(memory).as_retriever().invoke("  \n") == []


@pytest.mark.parametrize("k", [0, -1, "many", 2.5])
def test_a_bad_k_is_refused(memory, k):
    with pytest.raises(ValidationError):
        LangChainAdapter(memory).as_retriever(k=k)


def test_a_bad_k_of_a_call_is_refused(memory):
    with pytest.raises(InvalidInputError):
        LangChainAdapter(memory).as_retriever().invoke("tea", k=-3)


def test_only_a_memory_is_adapted():
    with pytest.raises(InvalidInputError, match="must be a CelestialMemory"):
        LangChainAdapter("memory.db")


def test_a_closed_memory_says_so():
    memory = CelestialMemory(":memory:", rebalance_interval=None)
    retriever = LangChainAdapter(memory).as_retriever()
    memory.close()
    with pytest.raises(Exception, match="was closed"):
        retriever.invoke("tea")
