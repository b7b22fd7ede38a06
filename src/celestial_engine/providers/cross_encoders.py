"""Cross-encoders by name, through libraries that fetch them from a hub once and keep them.

They load on first use. For sentence-transformers a folder works as well as a name; fastembed knows those it lists.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from celestial_engine.core.retrieval.cross_encoding import CrossEncoder
from celestial_engine.errors import ConfigError, Expected, Reason
from celestial_engine.providers.libraries import library_class

_MOST_CHARACTERS = 2_000  # the models read 512 tokens, question and text together


class _LibraryCrossEncoder(ABC):
    library: str
    default: str

    def __init__(self, model: str = "") -> None:
        self._named = model or self.default
        self.name = f"{self.library}/{self._named}"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        return [
            float(score)
            for score in self._scores(question[:_MOST_CHARACTERS], [text[:_MOST_CHARACTERS] for text in texts])
        ]

    @abstractmethod
    def _scores(self, question: str, texts: list[str]) -> Any: ...

    @cached_property
    def _model(self) -> Any:
        return self._load()

    @abstractmethod
    def _load(self) -> Any: ...


class SentenceTransformersCrossEncoder(_LibraryCrossEncoder):
    """sentence-transformers: nearly every published model, with PyTorch."""

    library = "sentence-transformers"
    default = "BAAI/bge-reranker-v2-m3"

    def _scores(self, question: str, texts: list[str]) -> Any:
        return self._model.predict([(question, text) for text in texts], show_progress_bar=False)

    def _load(self) -> Any:
        return library_class("sentence_transformers", "CrossEncoder")(self._named, device="cpu")


class FastembedCrossEncoder(_LibraryCrossEncoder):
    """fastembed: ONNX models, without PyTorch. Its multilingual one is not for commercial use."""

    library = "fastembed"
    default = "BAAI/bge-reranker-base"

    def _scores(self, question: str, texts: list[str]) -> Any:
        return self._model.rerank(question, texts)

    def _load(self) -> Any:
        return library_class("fastembed.rerank.cross_encoder", "TextCrossEncoder")(self._named, threads=1)


_LIBRARIES = {maker.library: maker for maker in (FastembedCrossEncoder, SentenceTransformersCrossEncoder)}


def cross_encoder_of(choice: str) -> CrossEncoder:
    """Returns the model of a choice: a library, alone or with a model's name, fastembed:NAME."""
    library, _, model = choice.partition(":")
    if library not in _LIBRARIES:
        raise ConfigError("cross_encoder", Reason.WRONG_VALUE, expected=Expected.CROSS_ENCODER, got=choice)
    return _LIBRARIES[library](model)
