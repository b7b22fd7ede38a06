"""Embeddings over HTTP: OpenAI, Ollama, LM Studio, vLLM and whatever else speaks `POST /v1/embeddings`."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

from celestial_engine.errors import ConfigError, EmbeddingError

_RETRIED = (408, 409, 429, 500, 502, 503, 504)
_MOST_ANSWER_BYTES = 64 << 20


class EndpointEmbedder:
    """`url` is the base, such as http://localhost:11434/v1; the key goes into the header and nowhere else."""

    def __init__(
        self, url: str, model: str, api_key: str | None = None, *, timeout: float = 30.0, tries: int = 3
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise ConfigError(reason=f"the address of an embedding endpoint begins with http(s)://, not {url!r}")
        self._url = url.rstrip("/") + "/embeddings"
        self._model = model
        self._key = api_key
        self._timeout = timeout
        self._tries = tries
        self.name = f"endpoint/{model}"

    def passages(self, texts: Sequence[str]) -> list[Sequence[float]]:
        answer = self._post({"model": self._model, "input": list(texts)})
        try:
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            vectors: list[Sequence[float]] = [[float(value) for value in row["embedding"]] for row in rows]
        except (KeyError, TypeError, ValueError) as error:
            raise EmbeddingError(reason=f"the endpoint's answer has no embeddings ({error!r})") from error
        if len(vectors) != len(texts):
            raise EmbeddingError(reason=f"the endpoint gave {len(vectors)} embeddings for {len(texts)} texts")
        return vectors

    def query(self, text: str) -> Sequence[float]:
        return self.passages([text])[0]

    def closeness(self, cosine: float) -> float:
        return min(1.0, max(0.0, cosine))

    def _post(self, body: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url, json.dumps(body).encode(), headers)  # noqa: S310 - checked above
        for attempt in range(self._tries):
            if attempt:
                time.sleep(min(8.0, 0.25 * 2**attempt))
            try:
                with urllib.request.urlopen(request, timeout=self._timeout) as answer:  # noqa: S310
                    return json.loads(answer.read(_MOST_ANSWER_BYTES))
            except urllib.error.HTTPError as error:
                reason = f"the endpoint answered {error.code}"
                error.close()
                if error.code not in _RETRIED:
                    break
            except (OSError, ValueError) as error:  # no connection, too slow, or not JSON
                reason = f"the endpoint cannot be used ({error})"
        raise EmbeddingError(reason=reason)
