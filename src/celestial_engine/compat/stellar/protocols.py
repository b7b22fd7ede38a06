"""What stellar-memory's users write their own parts against."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from celestial_engine.compat.stellar.models import MemoryItem, MemoryStats


@runtime_checkable
class MemoryStore(Protocol):
    """What a product needs of a memory."""

    def store(self, content: str, *, importance: float = 0.5, metadata: dict[str, Any] | None = None) -> Any: ...
    def recall(self, query: str, *, limit: int = 5, min_score: float = 0.0) -> list[MemoryItem]: ...
    def get(self, memory_id: str) -> MemoryItem | None: ...
    def forget(self, memory_id: str) -> bool: ...
    def stats(self) -> MemoryStats: ...


@runtime_checkable
class StorageBackendProtocol(Protocol):
    """What keeps items. The shim keeps them in its engine, and takes no other."""

    def store(self, item: MemoryItem) -> None: ...
    def get(self, item_id: str) -> MemoryItem | None: ...
    def get_all(self) -> list[MemoryItem]: ...
    def update(self, item: MemoryItem) -> None: ...
    def remove(self, item_id: str) -> bool: ...
    def search(self, query: str, limit: int = 5, query_embedding: list[float] | None = None) -> list[MemoryItem]: ...
    def count(self) -> int: ...


@runtime_checkable
class EmbedderProvider(Protocol):
    """What makes vectors of texts."""

    def embed(self, text: str) -> list[float] | None: ...
    def embed_batch(self, texts: list[str]) -> list[list[float] | None]: ...


@runtime_checkable
class LLMProvider(Protocol):
    """What completes a prompt."""

    def complete(self, prompt: str, *, max_tokens: int = 256) -> str: ...


@runtime_checkable
class ImportanceEvaluator(Protocol):
    """What judges how important a text is."""

    def evaluate(self, content: str, metadata: dict[str, Any] | None = None) -> float: ...


@runtime_checkable
class EventHook(Protocol):
    """What is told of events."""

    def on_event(self, event_type: str, data: dict[str, Any]) -> dict[str, Any] | None: ...
