"""LangChainAdapter: a retriever, a chain wrapper, agent middleware, or the memory of a classic chain."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable
from pydantic import Field

from celestial_engine.adapters.langchain.turns import TurnMemory
from celestial_engine.adapters.shared.shapes import memory_json
from celestial_engine.core.orbit.zones import ZoneConfig
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.retrieval.search_result import Hit
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import ExtraMissingError, Reason

if TYPE_CHECKING:
    from celestial_engine.adapters.langchain.chain import RememberingChain
    from celestial_engine.adapters.langchain.legacy_memory import CelestialConversationMemory
    from celestial_engine.adapters.langchain.middleware import CelestialMiddleware


class CelestialRetriever(BaseRetriever):
    """Recalls memories for a query as documents; recall makes them more central.

    A document's metadata is the memory's own plus `zone`, `tier`, `score` (how central), `relevance` (how well it
    answers), `importance`, `trust`, `tags` and `created_at`.
    """

    memory: CelestialMemory
    k: int = Field(default=5, ge=1, le=1000)
    where: ItemFilter | None = None
    user_id: str | None = None
    agent_id: str | None = None

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return self._recall(query, k)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return await asyncio.to_thread(self._recall, query, k)

    def _recall(self, query: str, k: int | None) -> list[Document]:
        if not query.strip():
            return []
        limit = self.k if k is None else k
        result = self.memory.of(self.user_id, self.agent_id).recall(query, limit, explain=True, where=self.where)
        zones = self.memory.orbits.zones()
        return [self._document(hit, zones) for hit in result.hits]

    def _document(self, hit: Hit, zones: Sequence[ZoneConfig]) -> Document:
        fields = memory_json(zones, hit.item)
        content, item_id, metadata = fields.pop("content"), fields.pop("id"), fields.pop("metadata")
        return Document(id=item_id, page_content=content, metadata={**metadata, **fields, "relevance": hit.relevance})


class LangChainAdapter:
    """A memory for LangChain: `LangChainAdapter(memory).wrap(chain)`.

    Everything it returns is bound to one owner: the engine's own, or `user_id` and `agent_id`.
    """

    def __init__(self, memory: CelestialMemory, *, user_id: str | None = None, agent_id: str | None = None) -> None:
        self._remembering = TurnMemory(memory, user_id=user_id, agent_id=agent_id)

    def as_retriever(self, k: int = 5, where: ItemFilter | None = None) -> CelestialRetriever:
        """A retriever of at most `k` memories that match the filter."""
        remembering = self._remembering
        return CelestialRetriever(
            memory=remembering.memory, k=k, where=where, user_id=remembering.user_id, agent_id=remembering.agent_id
        )

    def wrap(
        self,
        chain: Runnable[Any, Any],
        *,
        input_key: str = "input",
        memory_key: str = "memories",
        budget: int = 1024,
    ) -> RememberingChain:
        """Wrap a chain: memories are added to its input, and each turn is observed.

        Memories go into the system message of messages, before a text, and into a mapping under `memory_key`.
        """
        from celestial_engine.adapters.langchain.chain import RememberingChain

        return RememberingChain(
            chain=chain, remembering=self._with_budget(budget), input_key=input_key, memory_key=memory_key
        )

    def as_middleware(self, *, budget: int = 1024) -> CelestialMiddleware:
        """For `create_agent(..., middleware=[adapter.as_middleware()])`."""
        from celestial_engine.adapters.langchain.middleware import CelestialMiddleware

        remembering = self._with_budget(budget)
        return CelestialMiddleware(
            remembering.memory, budget=remembering.budget, user_id=remembering.user_id, agent_id=remembering.agent_id
        )

    def as_memory(
        self,
        *,
        memory_key: str = "history",
        input_key: str | None = None,
        output_key: str | None = None,
        session_id: str | None = None,
        budget: int = 1024,
    ) -> CelestialConversationMemory:
        """For classic chains that take `memory=`; needs langchain-classic. New code uses `wrap` or the middleware."""
        try:
            from celestial_engine.adapters.langchain.legacy_memory import CelestialConversationMemory
        except ImportError as error:
            from celestial_engine.install_hints import install_command

            extra = "langchain-classic"
            install = install_command(extra)
            raise ExtraMissingError(
                Reason.SYSTEM_ERROR, name="as_memory", extra=extra, install=install, cause=str(error)
            ) from error
        remembering = self._with_budget(budget)
        session = {} if session_id is None else {"session_id": session_id}
        return CelestialConversationMemory(
            remembering=remembering, memory_key=memory_key, input_key=input_key, output_key=output_key, **session
        )

    def _with_budget(self, budget: int) -> TurnMemory:
        remembering = self._remembering
        return TurnMemory(remembering.memory, budget, remembering.user_id, remembering.agent_id)
