"""Measurements of the engine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from benchmarks.data import Corpus, Memory, Question
from benchmarks.measure import Clock, Fact, Figure, Limit, Stopwatch, Timing, on_one_core, say, shown
from celestial_engine import CelestialMemory, Settings, StorageSettings

STORES = 500
QUESTIONS = 200  # of each of two kinds
WARM_UP = 20
COMMON = 40
NEWCOMER = 1_000
QUIET_RUNS = 50
MOVER_RUNS = 5
HITS = 5
A_DAY = 86_400.0
# Also measured of the peer.
STORE, RECALL, QUIET = "store, durability full", f"recall, limit {HITS}", "rebalance, quiet"
ANSWERS = f"answers found among {HITS}"
_BATCH = 5_000
# Some memories are rated by the engine, some have an importance; the bounded zones fill up.
_IMPORTANCES = (None, 0.2, 0.5, 0.9)


def at_ten_thousand(folder: Path, corpus: Corpus, size: int) -> list[Figure]:
    """Measure all operations of an agent, on a store of everyday size."""
    memories = list(corpus.memories(size))
    path = folder / "everyday.db"
    fill(path, memories, size)
    more = list(corpus.memories(STORES, "more"))
    stores, settle = _stores(copied(path), more, size, "full", Limit(10))
    normal, _ = _stores(copied(path), more, size, "normal")
    recall, found = recalls(copied(path), memories, corpus, size, Limit(50))
    return [
        _bare_fsync(folder, size),
        stores,
        normal,
        Fact("stores a second, durability full", size, stores.per_second, "/s"),
        Fact("stores a second, durability normal", size, normal.per_second, "/s"),
        recall,
        found,
        settle,
        quiet(path, size, Limit(5, "p50")),
        movers(path, size),
        footprint(path, size),
    ]


def at_a_million(folder: Path, corpus: Corpus, size: int) -> list[Figure]:
    """Measure what must not grow with the size of the store."""
    path = folder / "large.db"
    filled, sample = fill(path, corpus.memories(size), size)
    bytes_on_disk = disk_bytes(path)
    return [
        Fact("filling with store_many, memories a second", size, size / filled.seconds, "/s"),
        Fact("size of the file", size, bytes_on_disk / 1e6, "MB"),
        quiet(path, size, Limit(50, "p50")),
        *recalls(path, sample, corpus, size, Limit(100)),
        common_words(path, corpus, size, Limit(100)),
        newcomer(path, corpus, size, Limit(50)),
    ]


def many_owners(folder: Path, corpus: Corpus, owners: int, each: int) -> list[Figure]:
    """Many owners in one file: a rebalance with nothing due must not visit them."""
    path, total = folder / "owners.db", owners * each
    texts = iter(corpus.memories(total, "owners"))
    with engine(path, settings=Settings(storage=StorageSettings(durability="normal"))) as (memory, _):
        for number in shown(range(owners), "filling owners", owners):
            memory.of(f"user {number}").store_many([text.text for text in islice(texts, each)], 0.5)
        first = Stopwatch()
        first.time(memory.rebalance)
    name = f"{owners:,} owners x {each}"
    settled = first.timing(f"rebalance, first seating of {name}", total)
    return [settled, quiet(path, total, Limit(50, "p50"), f"rebalance, quiet, {name}")]


@contextmanager
def engine(path: Path, durability: str = "full") -> Iterator[tuple[CelestialMemory, Clock]]:
    """Open the engine with a fake clock, no background work and no embedder."""
    clock = Clock()
    on_one_core()
    with CelestialMemory(
        str(path),
        rebalance_interval=None,
        clock=clock,
        embedder="none",
        settings=Settings(storage=StorageSettings(durability=durability)),
    ) as memory:
        yield memory, clock


def fill(path: Path, memories: Iterable[Memory], size: int) -> tuple[Stopwatch, list[Memory]]:
    """Store memories in batches and rebalance; returns the times and every 97th memory."""
    watch, sample, rest = Stopwatch(), [], iter(memories)
    with engine(path) as (memory, _):
        for _start in shown(range(0, size, _BATCH), f"filling, batches of {_BATCH:,}", -(-size // _BATCH)):
            batch = list(islice(rest, _BATCH))
            sample += batch[::97]
            for place, importance in enumerate(_IMPORTANCES):
                watch.time(memory.store_many, [each.text for each in batch[place :: len(_IMPORTANCES)]], importance)
        memory.rebalance()
    return watch, sample


def recalls(path: Path, memories: Sequence[Memory], corpus: Corpus, size: int, limit: Limit) -> tuple[Timing, Fact]:
    """Ask all questions after a warm-up; returns the speed and how many answers were found."""
    watch, answers = Stopwatch(), 0
    queries = questions(corpus, memories)
    with engine(path) as (memory, clock):
        for question in queries[:WARM_UP]:
            memory.search(question.text, HITS)
        for question in shown(queries, "recall", len(queries)):
            clock.advance(1.0)
            hits = watch.time(memory.recall, question.text, HITS)
            answers += any(hit.content == question.answer for hit in hits)
    timing = watch.timing(RECALL, size, limit)
    return timing, Fact(ANSWERS, size, 100 * answers / QUESTIONS, "%")


def common_words(path: Path, corpus: Corpus, size: int, limit: Limit) -> Timing:
    """The slowest query for an index: a very common word."""
    watch = Stopwatch()
    with engine(path) as (memory, _):
        for question in corpus.common_words(COMMON):
            watch.time(memory.search, question.text, HITS)
    return watch.timing("search, one common word", size, limit)


def newcomer(path: Path, corpus: Corpus, size: int, limit: Limit) -> Timing:
    """An owner with few memories in a large file: the other owners must not slow it down."""
    watch, memories = Stopwatch(), list(corpus.memories(NEWCOMER, "newcomer"))
    queries = questions(corpus, memories)
    with engine(path) as (memory, _):
        memory.of("newcomer").store_many([each.text for each in memories])
        for question in queries[:WARM_UP]:
            memory.of("newcomer").search(question.text, HITS)
        for question in queries:
            watch.time(memory.recall, question.text, HITS, user_id="newcomer")
    return watch.timing(f"recall of another owner with {NEWCOMER:,}", size, limit)


def questions(corpus: Corpus, memories: Sequence[Memory]) -> list[Question]:
    """Random questions and questions with a known answer, alternating."""
    pairs = zip(corpus.questions(QUESTIONS), corpus.known(memories, QUESTIONS), strict=True)
    return [question for pair in pairs for question in pair]


def quiet(path: Path, size: int, limit: Limit, name: str = QUIET) -> Timing:
    """Rebalance with nothing due: immediately after a full rebalance."""
    watch = Stopwatch()
    with engine(path) as (memory, _):
        memory.rebalance()
        for _ in range(QUIET_RUNS):
            watch.time(memory.rebalance)
    return watch.timing(name, size, limit)


def movers(path: Path, size: int) -> Timing:
    """Rebalance after an idle day, when all memories are due. On a fresh copy each time."""
    watch, moved = Stopwatch(), 0
    for _ in range(MOVER_RUNS):
        with engine(copied(path)) as (memory, clock):
            clock.advance(A_DAY + 1)
            result = watch.time(memory.rebalance)
            if result.visited < size:
                say(f"  only {result.visited:,} of {size:,} were visited")
            moved = result.moved
    return watch.timing(f"rebalance, {size:,} due", size, Limit(500, "p50"), f"{moved:,} moved")


def footprint(path: Path, size: int) -> Fact:
    """The memory that an open engine with Core and Inner adds, in a separate process."""
    command = [sys.executable, "-m", "benchmarks.footprint", str(path)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[1])
    grown = json.loads(answer.stdout)
    return Fact(
        "memory of Core + Inner and the engine", size, grown["mb"], "MB", 50, f"{grown['items']} memories held"
    )


def copied(path: Path) -> Path:
    """A copy to change. The original was closed, so one file is complete."""
    copy = path.with_name("copy.db")
    for leftover in path.parent.glob("copy.db*"):
        shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
    return Path(shutil.copy(path, copy))


def disk_bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in path.parent.glob(path.name + "*"))


def _stores(
    path: Path, memories: Sequence[Memory], size: int, durability: str, limit: Limit | None = None
) -> tuple[Timing, Timing]:
    stores, settle = Stopwatch(), Stopwatch()
    with engine(path, durability) as (memory, clock):
        for number, text in enumerate(shown(memories, "store", len(memories))):
            clock.advance(1.0)
            stores.time(memory.store, text.text, _IMPORTANCES[number % len(_IMPORTANCES)])
        settle.time(memory.rebalance)
    return (
        stores.timing(f"store, durability {durability}", size, limit),
        settle.timing(f"rebalance after {len(memories)} stores", size),
    )


def _bare_fsync(folder: Path, size: int) -> Timing:
    """The time of a durable write of the disk alone: the lower bound of store."""
    watch = Stopwatch()
    with open(folder / "bare", "ab") as file:
        for _ in range(200):
            file.write(b"x" * 4096)
            file.flush()
            watch.time(os.fsync, file.fileno())
    return watch.timing("(the disk: 4 KiB and fsync)", size)
