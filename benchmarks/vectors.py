"""The speed and the recall of the vector search: `python -m benchmarks.vectors`. See docs/decisions/0009.

The store is filled and queried like the engine does. Each scan method runs in a separate process; the one of the
standard library in a process where numpy cannot be imported.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.data import SEED
from benchmarks.measure import Fact, Figure, Limit, Stopwatch, Timing, on_one_core, say, shown
from celestial_engine.core.orbit.memory_function import Course, Piece
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.storage.sqlite.connections import Durability
from celestial_engine.storage.sqlite.schema.migrations import OWNER_SHIFT
from celestial_engine.storage.sqlite.search import scans
from celestial_engine.storage.sqlite.search.codes import OwnerCodes

DIMENSION = 384
QUERIES, POOL, TOP, COMPARED = 100, 30, 10, 200
WAYS = {"standard library": 30.0, "numpy": 10.0, "faiss": 10.0}  # method -> limit of the p95 in ms
LIMITED_TO = 100_000
SOMEBODY = Owner("somebody")
NOON = 1_800_000_000.0
BATCH = 1_000


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    if options.ask:
        _ask_store(*options.ask)
        return
    options.output.mkdir(parents=True, exist_ok=True)
    on_one_core()
    figures: list[Figure] = []
    for size in options.sizes:
        with tempfile.TemporaryDirectory(prefix="celestial-vectors-") as folder:
            measured = list(_measured(Path(folder), size))
        figures += measured
        print(f"\n{size:,} vectors\n{report.table(measured)}", flush=True)
    report.write_json(options.output / "vectors.json", {"random_seed": SEED, "figures": report.as_json(figures)})
    try:
        report.plot(options.output / "vectors.png", figures, [], "")
    except ImportError:
        say("no plot: matplotlib is not installed here")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vectors", description="Measures the vector search.")
    parser.add_argument("--sizes", default="10000,100000", help="how many vectors, comma between")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where plot and JSON go")
    parser.add_argument("--ask", nargs=3, metavar=("WAY", "DATABASE", "QUESTIONS"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    options.sizes = [int(size) for size in options.sizes.split(",")]
    return options


def _measured(folder: Path, size: int) -> Iterator[Figure]:
    say(f"{size:,} vectors")
    database, questions = folder / "m.db", folder / "questions.json"
    asked, nearest, adding = _fill(database, size)
    questions.write_text(json.dumps(asked))
    yield Fact(
        "add a memory with its vector", size, 1000 * adding.seconds / size, "ms", note=f"{BATCH} a transaction"
    )
    for way, most in WAYS.items():
        if way == "faiss" and find_spec("faiss") is None:
            say("faiss is not installed here: measured without it")
            continue
        say(f"  {way}")
        command = [sys.executable, "-m", "benchmarks.vectors", "--ask", way, str(database), str(questions)]
        result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        limit = Limit(most) if size <= LIMITED_TO else None
        yield Timing(f"nearest {POOL}, {way}", size, result["wall_ms"], result["cpu_ms"], limit)
        yield Timing(f"compare {COMPARED}, {way}", size, result["compare_wall_ms"], result["compare_cpu_ms"])
        yield Fact(f"first search, {way}", size, result["first_ms"], "ms", note="in a new process, codes loaded")
        yield Fact(f"RAM of the codes, {way}", size, result["bytes"] / 1e6, "MB")
        found = sum(len(set(result["found"][i]) & set(nearest[i])) for i in range(len(asked)))
        yield Fact(
            f"recall@{TOP}, {way}", size, 100 * found / (TOP * len(asked)), "%", note="of what is really nearest"
        )


def _fill(database: Path, size: int) -> tuple[list[list[float]], list[list[str]], Stopwatch]:
    """Store the vectors; returns queries, the exact nearest memories of each, and the time."""
    import numpy as np

    law = _Mixture(np, clusters=max(1, size // 20))
    asked = law.draw(QUERIES)
    watch = Stopwatch()
    best = np.zeros((QUERIES, 0))
    names = np.zeros((QUERIES, 0), np.int64)
    store = SqliteStore(str(database), durability=Durability.NORMAL)
    for start in shown(range(0, size, BATCH), "stored, in thousands", size // BATCH):
        vectors = law.draw(min(BATCH, size - start))
        watch.time(_store, store, start, vectors.tolist())
        best = np.hstack([best, asked @ vectors.T])
        names = np.hstack([names, np.tile(np.arange(start, start + len(vectors)), (QUERIES, 1))])
        top = np.argsort(-best, axis=1)[:, :TOP]
        best, names = np.take_along_axis(best, top, 1), np.take_along_axis(names, top, 1)
    store.checkpoint()
    store.close()
    return asked.tolist(), [[f"m{name}" for name in row] for row in names.tolist()], watch


def _store(store: SqliteStore, start: int, vectors: list[list[float]]) -> None:
    with store.write(SOMEBODY) as session:
        for number, vector in enumerate(vectors, start):
            item = CelestialItem(
                f"m{number}", f"memory {number}", NOON, NOON, zone=3, owner=SOMEBODY, embedding=vector
            )
            session.items.add(item, Course(Piece.FAST, 0.0, None))


class _Mixture:
    """Vectors like those of e5: unrelated ones have a cosine of 0.78, neighbours 0.86; dimensions differ."""

    def __init__(self, np: Any, clusters: int) -> None:
        self._np = np
        self._random = np.random.default_rng(SEED)
        self._scale = np.exp(self._random.normal(0.0, 0.5, DIMENSION))
        self._common = self._directions(1)
        self._clusters = self._directions(clusters)

    def draw(self, count: int) -> Any:
        np = self._np
        chosen = self._clusters[self._random.integers(0, len(self._clusters), count)]
        vectors = 0.78**0.5 * self._common + 0.08**0.5 * chosen + 0.14**0.5 * self._directions(count)
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    def _directions(self, count: int) -> Any:
        drawn = self._random.standard_normal((count, DIMENSION), dtype=self._np.float32) * self._scale
        return drawn / self._np.linalg.norm(drawn, axis=1, keepdims=True)


def _ask_store(way: str, database: str, questions: str) -> None:
    """Run the queries in this process, and print the times and results as JSON."""
    on_one_core()
    if way == "standard library":
        sys.modules["numpy"] = None  # type: ignore[assignment]
    scans.FAISS_FROM = 0 if way == "faiss" else sys.maxsize
    asked: list[list[float]] = json.loads(Path(questions).read_text())
    store = SqliteStore(database)
    first, searching, comparing = Stopwatch(), Stopwatch(), Stopwatch()
    first.time(_nearest, store, asked[0])
    found = [searching.time(_nearest, store, vector) for vector in asked]
    some = [f"m{17 * number}" for number in range(COMPARED)]
    for vector in asked:
        with store.read() as session:
            comparing.time(session.search.cosines, SOMEBODY, some, vector)
    store.close()
    with sqlite3.connect(database) as db:
        codes = OwnerCodes(db, 1 << OWNER_SHIFT, (2 << OWNER_SHIFT) - 1, DIMENSION)
    print(json.dumps({
        "first_ms": first.wall_ms[0], "wall_ms": searching.wall_ms, "cpu_ms": searching.cpu_ms, "found": found,
        "compare_wall_ms": comparing.wall_ms, "compare_cpu_ms": comparing.cpu_ms, "bytes": codes.size_bytes,
    }))  # fmt: skip


def _nearest(store: SqliteStore, vector: list[float]) -> list[str]:
    with store.read() as session:
        return [match.item_id for match in session.search.by_vector(SOMEBODY, vector, POOL)][:TOP]


if __name__ == "__main__":
    main()
