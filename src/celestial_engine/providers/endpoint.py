"""Embeddings over HTTP: OpenAI, Ollama, LM Studio, vLLM and other servers with `POST /v1/embeddings`."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.errors import EmbeddingError, Reason
from celestial_engine.providers.http import HttpError, JsonEndpoint, RetryPolicy, check_key

_MOST_ANSWER_BYTES = 64 << 20


class EndpointEmbedder:
    """`url` is the base, such as http://localhost:11434/v1; the key is sent only in the header."""

    def __init__(
        self, url: str, model: str, api_key: str | None = None, *, timeout: float = 30.0, tries: int = 3
    ) -> None:
        key = check_key(api_key)
        patience = RetryPolicy(timeout, tries, (timeout + 10.0) * tries, most_bytes=_MOST_ANSWER_BYTES)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._endpoint = JsonEndpoint(url.rstrip("/") + "/embeddings", headers, patience)
        self._model = model
        self.name = f"endpoint/{model}"

    def passages(self, texts: Sequence[str]) -> list[Sequence[float]]:
        try:
            answer = self._endpoint.post({"model": self._model, "input": list(texts)})
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            vectors: list[Sequence[float]] = [[float(value) for value in row["embedding"]] for row in rows]
        except HttpError as error:
            raise EmbeddingError(error.problem) from error
        except (KeyError, TypeError, ValueError) as error:
            raise EmbeddingError(Reason.ENDPOINT_ANSWER, names=(f"embeddings ({error!r})",)) from error
        if len(vectors) != len(texts):
            raise EmbeddingError(Reason.VECTOR_COUNT, got=len(vectors), count=len(texts))
        return vectors

    def query(self, text: str) -> Sequence[float]:
        return self.passages([text])[0]

    def closeness(self, cosine: float) -> float:
        return min(1.0, max(0.0, cosine))
