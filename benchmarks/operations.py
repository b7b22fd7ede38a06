"""Each operation beside a bare FTS5 query, in one run: `python -m benchmarks.operations`. See docs/benchmarks.md.

A ratio says more than milliseconds: both are measured in turns, on the same texts and questions.
"""

from __future__ import annotations

import argparse
import re
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import Corpus, Memory
from benchmarks.measure import Clock, Fact, Figure, Stopwatch, Timing, on_one_core, say
from benchmarks.ours import HITS, WARM_UP, questions
from benchmarks.report import table
from celestial_engine import CelestialMemory

FTS5 = "FTS5 alone: OR of all words, bm25"
_STORES = 300
_BATCH = 1_000
_OBSERVED = 100


class BareFts5:
    """One full-text table with Porter stems, asked for any word of a question."""

    def __init__(self, path: Path, texts: Sequence[str]) -> None:
        self._db = sqlite3.connect(path)
        self._db.execute("CREATE VIRTUAL TABLE texts USING fts5 (body, tokenize = 'porter unicode61')")
        with self._db:
            self._db.executemany("INSERT INTO texts (rowid, body) VALUES (?, ?)", enumerate(texts))

    def search(self, question: str, limit: int) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        rows = self._db.execute("SELECT body FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?", (words, limit))
        return [body for (body,) in rows]

    def close(self) -> None:
        self._db.close()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.operations", description="Measures each operation.")
    parser.add_argument("--size", type=int, default=10_000, help="how many memories (default 10000)")
    options = parser.parse_args(arguments)
    on_one_core()
    with tempfile.TemporaryDirectory(prefix="celestial-bench-") as folder:
        figures = measured(Path(folder), options.size)
    print(f"\n{options.size:,} memories\n{table(figures)}\n\n{ratios(figures)}")


def measured(folder: Path, size: int) -> list[Figure]:
    corpus = Corpus()
    memories = list(corpus.memories(size))
    bare = BareFts5(folder / "fts5.db", [memory.text for memory in memories])
    figures: list[Figure] = []
    for embedder, name in (("none", "words"), ("hashed", "words and vectors")):
        say(f"{size:,} memories, {name}")
        figures += _asked(folder / f"{embedder}.db", corpus, memories, bare if embedder == "none" else None, name)
    bare.close()
    return figures


def _asked(path: Path, corpus: Corpus, memories: Sequence[Memory], bare: BareFts5 | None, name: str) -> list[Figure]:
    clock, size = Clock(), len(memories)
    with CelestialMemory(path, rebalance_interval=None, clock=clock, embedder=path.stem) as memory:
        memory.store_many([each.text for each in memories])
        memory.rebalance()
        memory.parts.store.checkpoint()
        asked = [question.text for question in questions(corpus, memories)]
        for question in asked[:WARM_UP]:
            memory.search(question, HITS)
        ours, theirs = Stopwatch(), Stopwatch()
        filled = _bytes(path)
        for question in asked[WARM_UP:]:
            clock.advance(1.0)
            ours.time(memory.recall, question, HITS)
            if bare is not None:
                theirs.time(bare.search, question, HITS)
        memory.store("the files of the ledger follow with a change that is on disk")
        memory.parts.store.checkpoint()
        grown = (_bytes(path) - filled) / len(ours.wall_ms)
        figures: list[Figure] = [ours.timing(f"recall, {name}", size)]
        if bare is not None:
            figures = [theirs.timing(FTS5, size), *figures]
        figures += _written(memory, corpus, clock, size, name)
    return [
        *figures,
        Fact(f"database and ledger, {name}", size, filled / size, "bytes a memory"),
        Fact(f"database and ledger, {name}", size, grown, "bytes a recall"),
    ]


def _written(memory: CelestialMemory, corpus: Corpus, clock: Clock, size: int, name: str) -> list[Figure]:
    store, many, observe = Stopwatch(), Stopwatch(), Stopwatch()
    for each in corpus.memories(_STORES, "more"):
        clock.advance(1.0)
        store.time(memory.store, each.text)
    many.time(memory.store_many, [each.text for each in corpus.memories(_BATCH, "batch")])
    for each in corpus.memories(_OBSERVED, "turns"):
        clock.advance(1.0)
        observe.time(memory.observe, f"What did I say about {' and '.join(each.content_words[:3])}?")
    each_of_many = Timing(
        f"store_many, each of {_BATCH:,}, {name}", size,
        [value / _BATCH for value in many.wall_ms], [value / _BATCH for value in many.cpu_ms],
    )  # fmt: skip
    return [
        store.timing(f"store, {name}", size),
        each_of_many,
        observe.timing(f"observe a question, {name}", size),
    ]


def ratios(figures: Sequence[Figure]) -> str:
    """The CPU time of each operation as a multiple of the bare query's."""
    timings = [figure for figure in figures if isinstance(figure, Timing)]
    bare = next(figure.cpu_p50 for figure in timings if figure.name == FTS5)
    return "\n".join(f"{figure.cpu_p50 / bare:6.2f} x  {figure.name}" for figure in timings)


def _bytes(path: Path) -> int:
    """The size of a database and of its ledger's files."""
    folder = path.with_name(path.name + ".ledger")
    return path.stat().st_size + sum(file.stat().st_size for file in folder.glob("*.jsonl"))


if __name__ == "__main__":
    main()
