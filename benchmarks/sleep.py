"""The cost of sleep: `python -m benchmarks.sleep`. Time by duty, memory, growth, and concurrent recall.

The first night of a store that never slept has everything to do; the usual one has one day's memories.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.data import SEED, Corpus
from benchmarks.measure import Clock, Fact, Figure, Limit, Stopwatch, on_one_core, percentile, say, shown
from benchmarks.report import as_json, table, write_json
from celestial_engine import CelestialMemory, Settings, Source, StorageSettings

DAY = 86_400.0
START = 1_750_000_000.0
DAYS = 60  # days that the store was filled without sleep
SIZE_OF_VECTORS = 384
NIGHT_BELOW_MS = 20_000
MEMORY_BELOW_MB = 500
SLOWER_BELOW = 2.0
_REPEATED = 0.03  # share of texts that are repetitions
_MOST_QUESTIONS = 400


class RandomVectors:
    """A fake embedder of real size and no cost, to measure sleep with vectors."""

    name = f"random-{SIZE_OF_VECTORS}"

    def __init__(self) -> None:
        self._dice = random.Random(SEED)

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> list[float]:
        dice = random.Random(f"{SEED} {text}").random  # equal texts get equal vectors
        return [dice() - 0.5 for _ in range(SIZE_OF_VECTORS)]

    def closeness(self, cosine: float) -> float:
        return max(0.0, cosine)


def opened(path: Path, clock: Clock) -> CelestialMemory:
    return CelestialMemory(
        path,
        rebalance_interval=None,
        clock=clock,
        embedder=RandomVectors(),
        settings=Settings(storage=StorageSettings(words="pairs", durability="normal", ledger_path="none")),
    )


def fill(path: Path, size: int) -> None:
    """Fill two months: half observed, half stored by the user, with some repetitions."""
    clock, dice = Clock(START - DAYS * DAY), random.Random(SEED)
    texts = [memory.text for memory in Corpus().memories(size)]
    for place in range(size):
        if place > 100 and dice.random() < _REPEATED:
            texts[place] = texts[place - dice.randint(1, 100)]
    with opened(path, clock) as memory:
        a_day = -(-size // DAYS)
        for start in shown(range(0, size, a_day), "days", DAYS):
            part = texts[start : start + a_day]
            memory.store_many(part[::2], source=Source.CONVERSATION, session_id=f"day {start // a_day}")
            memory.store_many(part[1::2], source=Source.USER)
            clock.advance(DAY)


def night(path: Path, now: float) -> dict[str, Any]:
    """Run a night in a separate process, to measure its memory."""
    command = [sys.executable, "-m", "benchmarks.sleep", "--night", str(path), "--now", str(now)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def sleep_here(path: Path, now: float) -> None:
    on_one_core()
    with opened(path, Clock(now)) as memory:
        started, cpu = time.perf_counter(), time.process_time()
        report = memory.sleep(allow_large=True)
        result = {
            "ms": (time.perf_counter() - started) * 1000,
            "cpu_ms": (time.process_time() - cpu) * 1000,
            "duties": {duty.duty.value: duty.seconds for duty in report.duties},
            "counts": {duty.duty.value: dict(duty.counts) for duty in report.duties if duty.counts},
            "failed": [duty.error for duty in report.failed],
            "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
    print(json.dumps(result))


def measured(folder: Path, size: int) -> tuple[list[Figure], dict[str, Any]]:
    path = folder / f"{size}.db"
    say(f"{size:,} memories")
    fill(path, size)
    shutil.copy(path, _before_any_night(folder, size))
    nights = {"first night": night(path, START)}
    with opened(path, Clock(START + DAY / 2)) as memory:
        memory.store_many([one.text for one in Corpus().memories(size // DAYS, "the next day")], source=Source.USER)
    nights["usual night"] = night(path, START + DAY)
    limit = Limit(NIGHT_BELOW_MS * size / 10_000, "p50")
    figures: list[Figure] = []
    for name, result in nights.items():
        if result["failed"]:
            raise RuntimeError(result["failed"])
        watch = Stopwatch([result["ms"]], [result["cpu_ms"]])
        figures.append(watch.timing(name, size, limit))
        figures += [
            Stopwatch([1000 * seconds], [0.0]).timing(f"  {duty}", size, note=_counts(result["counts"].get(duty)))
            for duty, seconds in result["duties"].items()
        ]
        figures.append(
            Fact(f"{name}, peak memory", size, result["mb"], "MB", MEMORY_BELOW_MB if size <= 10_000 else None)
        )
    return figures, nights


def _before_any_night(folder: Path, size: int) -> Path:
    return folder / f"{size}-awake.db"


def _counts(counts: dict[str, int] | None) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in (counts or {}).items())


def recall_meanwhile(folder: Path, size: int) -> list[Figure]:
    """Recall alone, and while another process sleeps on the same file."""
    say(f"recall during sleep, {size:,} memories")
    path = _before_any_night(folder, size)
    questions = [question.text for question in Corpus().questions(_MOST_QUESTIONS)]
    idle, asleep = Stopwatch(), Stopwatch()
    with opened(path, Clock(START)) as memory:
        for question in questions[:20]:
            memory.recall(question)
        for question in questions:
            idle.time(memory.recall, question)
        command = [sys.executable, "-m", "benchmarks.sleep", "--night", str(path), "--now", str(START)]
        sleeper = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1.0)  # until the process has started
        while sleeper.poll() is None and len(asleep.wall_ms) < 10 * _MOST_QUESTIONS:
            asleep.time(memory.recall, questions[len(asleep.wall_ms) % len(questions)])
        _, errors = sleeper.communicate()
        if sleeper.returncode:
            raise RuntimeError(errors)
    slower = percentile(asleep.wall_ms, 95) / percentile(idle.wall_ms, 95)
    return [
        idle.timing("recall, nobody else there", size),
        asleep.timing("recall, another process asleep", size),
        Fact("recall p95 during sleep, of idle", size, slower, "x", SLOWER_BELOW),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sleep", description="Measures a night's work.")
    parser.add_argument("--sizes", default="10000,100000", help="how many memories, comma between")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where the JSON goes")
    parser.add_argument("--night", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--now", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.night is not None:
        sleep_here(options.night, options.now)
        return
    sizes = [int(size) for size in options.sizes.split(",")]
    figures: list[Figure] = []
    firsts: dict[int, float] = {}
    with tempfile.TemporaryDirectory(prefix="celestial-bench-") as name:
        for size in sizes:
            found, nights = measured(Path(name), size)
            firsts[size] = nights["first night"]["cpu_ms"]
            figures += found
            print(f"\n{size:,} memories\n{table(found)}", flush=True)
        rest: list[Figure] = recall_meanwhile(Path(name), min(sizes))
        if len(sizes) > 1:
            small, large = min(sizes), max(sizes)
            growth = firsts[large] / firsts[small] / (large / small)
            rest.append(Fact("first night, CPU a memory, largest of smallest", large, growth, "x", 1.5))
        print(f"\nthe rest\n{table(rest)}", flush=True)
    options.output.mkdir(parents=True, exist_ok=True)
    write_json(options.output / "sleep.json", {"random_seed": SEED, "figures": as_json([*figures, *rest])})
    say(f"figures: {options.output / 'sleep.json'}")


if __name__ == "__main__":
    main()
