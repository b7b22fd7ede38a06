"""Protocols for custom components of stellar-memory's users."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from celestial_engine.compat.stellar.models import MemoryItem, MemoryStats


@runtime_checkable
class MemoryStore(Protocol):
    """The memory interface of an application."""

    def store(self, content: str, *, importance: float = 0.5, metadata: dict[str, Any] | None = None) -> Any: ...
    def recall(self, query: str, *, limit: int = 5, min_score: float = 0.0) -> list[MemoryItem]: ...
    def get(self, memory_id: str) -> MemoryItem | None: ...
    def forget(self, memory_id: str) -> bool: ...
    def stats(self) -> MemoryStats: ...


@runtime_checkable
class StorageBackendProtocol(Protocol):
    """A storage backend. The shim always uses the engine's own."""

    def store(self, item: MemoryItem) -> None: ...
    def get(self, item_id: str) -> MemoryItem | None: ...
    def get_all(self) -> list[MemoryItem]: ...
    def update(self, item: MemoryItem) -> None: ...
    def remove(self, item_id: str) -> bool: ...
    def search(self, query: str, limit: int = 5, query_embedding: list[float] | None = None) -> list[MemoryItem]: ...
    def count(self) -> int: ...


@runtime_checkable
class EmbedderProvider(Protocol):
    """Computes vectors of texts."""

    def embed(self, text: str) -> list[float] | None: ...
    def embed_batch(self, texts: list[str]) -> list[list[float] | None]: ...


@runtime_checkable
class LLMProvider(Protocol):
    """Completes a prompt."""

    def complete(self, prompt: str, *, max_tokens: int = 256) -> str: ...


@runtime_checkable
class ImportanceEvaluator(Protocol):
    """Estimates the importance of a text."""

    def evaluate(self, content: str, metadata: dict[str, Any] | None = None) -> float: ...


@runtime_checkable
class EventHook(Protocol):
    """Receives events."""

    def on_event(self, event_type: str, data: dict[str, Any]) -> dict[str, Any] | None: ...
