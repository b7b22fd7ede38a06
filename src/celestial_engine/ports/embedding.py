"""Models that turn texts into vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

EmbedFunction = Callable[[str], Sequence[float]]


class Embedder(Protocol):
    """A model that turns texts into vectors. Vectors of different `name`s are never compared.

    A model for few languages may list them in an attribute `languages`, such as ("en",).
    """

    @property
    def name(self) -> str: ...
    def passages(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...
    def query(self, text: str) -> Sequence[float]: ...
    def closeness(self, cosine: float) -> float:
        """Maps a cosine to 0 (unrelated) to 1 (the same): every model has its own scale."""
        ...
