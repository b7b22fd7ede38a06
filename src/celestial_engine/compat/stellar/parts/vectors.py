"""Vector similarity, serialization and exact search (stellar-memory's `utils` and `vector_index`)."""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from array import array
from collections.abc import Mapping, Sequence

from celestial_engine.compat.stellar.config import VectorIndexConfig
from celestial_engine.core.orbit.memory_function import similarity
from celestial_engine.errors import InvalidInputError, Reason

_FLOAT = "f"


def cosine_similarity(a: Sequence[float], b: Sequence[float]) -> float:
    """Cosine clipped to 0..1; 0 for zero vectors or different lengths."""
    return similarity(a, b)


def serialize_embedding(embedding: Sequence[float]) -> bytes:
    return array(_FLOAT, embedding).tobytes()


def deserialize_embedding(blob: bytes, dim: int | None = None) -> list[float]:
    """Raises InvalidInputError if the blob does not hold `dim` numbers."""
    values: array[float] = array(_FLOAT)
    values.frombytes(blob)
    if dim is not None and len(values) != dim:
        raise InvalidInputError("embedding", Reason.WRONG_COUNT, count=dim, got=len(values))
    return values.tolist()


class VectorIndex(ABC):
    """Vectors by item id. The engine does not use it; it is for callers that index vectors of their own."""

    @abstractmethod
    def add(self, item_id: str, vector: list[float]) -> None: ...
    @abstractmethod
    def remove(self, item_id: str) -> None: ...
    @abstractmethod
    def search(self, query_vector: list[float], top_k: int = 10) -> list[tuple[str, float]]: ...
    @abstractmethod
    def size(self) -> int: ...
    @abstractmethod
    def rebuild(self, items: Mapping[str, list[float]]) -> None: ...


class BruteForceIndex(VectorIndex):
    """Exact search: compares the query with every vector."""

    def __init__(self) -> None:
        self._vectors: dict[str, list[float]] = {}

    def add(self, item_id: str, vector: list[float]) -> None:
        self._vectors[item_id] = list(vector)

    def remove(self, item_id: str) -> None:
        self._vectors.pop(item_id, None)

    def search(self, query_vector: list[float], top_k: int = 10) -> list[tuple[str, float]]:
        """(id, cosine) pairs, most similar first."""
        scored = ((item_id, similarity(query_vector, vector)) for item_id, vector in self._vectors.items())
        return heapq.nlargest(top_k, scored, key=lambda pair: pair[1])

    def size(self) -> int:
        return len(self._vectors)

    def rebuild(self, items: Mapping[str, list[float]]) -> None:
        self._vectors = {item_id: list(vector) for item_id, vector in items.items()}


class BallTreeIndex(BruteForceIndex):
    """Same exact search under stellar-memory's name; `leaf_size` is ignored."""

    def __init__(self, leaf_size: int = 40) -> None:
        super().__init__()
        self.leaf_size = leaf_size


def create_vector_index(config: object, dimension: int = 384) -> VectorIndex:
    """Create the configured index. `faiss` falls back to BallTreeIndex, as in 3.0 without faiss installed."""
    if isinstance(config, VectorIndexConfig) and config.enabled and config.backend in ("ball_tree", "faiss"):
        return BallTreeIndex(config.ball_tree_leaf_size)
    return BruteForceIndex()
