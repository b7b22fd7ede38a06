"""Models that turn texts into vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

EmbedFunction = Callable[[str], Sequence[float]]


class Embedder(Protocol):
    """A model that turns texts into vectors. `name` says which: vectors of two models are never compared.

    One that knows few languages may name them in an attribute `languages`, such as ("en",).
    """

    @property
    def name(self) -> str: ...
    def passages(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...
    def query(self, text: str) -> Sequence[float]: ...
    def closeness(self, cosine: float) -> float:
        """Where a cosine lies between unrelated (0) and the same (1): every model has a scale of its own."""
        ...
