"""stellar-memory's embedder interface, backed by the engine's embedder."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine import ports
from celestial_engine.bootstrap import open_embedder
from celestial_engine.compat.stellar.config import EmbedderConfig
from celestial_engine.config import Environment


class Embedder:
    """Wraps an engine embedder."""

    def __init__(self, model: ports.Embedder) -> None:
        self._model = model

    def embed(self, text: str) -> list[float]:
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: Sequence[str]) -> list[list[float]]:
        return [list(vector) for vector in self._model.passages(texts)] if texts else []


class NullEmbedder:
    """Used when there is no model: returns None for every text."""

    def embed(self, text: str) -> None:
        return None

    def embed_batch(self, texts: Sequence[str]) -> list[None]:
        return [None] * len(texts)


def create_embedder(config: EmbedderConfig | None = None) -> Embedder | NullEmbedder:
    """The embedder named by CELESTIAL_EMBEDDER, else the installed one. `config.model_name` is ignored."""
    if config is not None and not config.enabled:
        return NullEmbedder()
    environment = Environment.read()
    model = open_embedder(environment.embedder, environment.embedder_key)
    return NullEmbedder() if model is None else Embedder(model)
