"""Speed of reading and deciding, in milliseconds of CPU time."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.data import Corpus
from benchmarks.measure import Stopwatch
from benchmarks.selfplay.play import course
from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.understanding import Reader

MEMORIES = 10_000
_LOADS = 20


def table(texts: Sequence[str]) -> str:
    rows = {
        f"decide at {MEMORIES:,} memories": _deciding(texts, learning=False),
        f"decide at {MEMORIES:,} memories, with what was learned": _deciding(texts, learning=True),
        "reading a turn": _reading(texts),
        "loading the weights, once a process": _loading(),
    }
    lines = ["| ms | p50 | p95 | CPU p50 | CPU p95 |", "|---|---|---|---|---|"]
    for name, watch in rows.items():
        got = watch.timing(name, MEMORIES)
        lines.append(f"| {name} | {got.p50:.2f} | {got.p95:.2f} | {got.cpu_p50:.2f} | {got.cpu_p95:.2f} |")
    return "\n".join(lines)


def _deciding(texts: Sequence[str], *, learning: bool) -> Stopwatch:
    watch = Stopwatch()
    settings = Settings(storage=StorageSettings(ledger_path="none"), learning=LearningSettings(enabled=learning))
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none", settings=settings) as memory:
        memory.store_many([each.text for each in Corpus().memories(MEMORIES)])
        if learning:
            memory.policy.adopt(course("planner", 300, 7, LearningSettings(), PlainArithmetic()).learned, 300)
        for text in texts:
            watch.time(memory.decide, text)
    return watch


def _reading(texts: Sequence[str]) -> Stopwatch:
    watch, reader = Stopwatch(), Reader()
    reader.read("loads the weights")
    for text in texts:
        watch.time(reader.read, text)
    return watch


def _loading() -> Stopwatch:
    watch = Stopwatch()
    for _ in range(_LOADS):
        watch.time(Reader().model)
    return watch
