"""Throughput of 1, 2 and 4 worker processes on one database file: `python -m benchmarks.workers`.

The client is a process too and takes its share of the cores, so the ratio depends on how many there are. The CPU time
per request does not: it is what a further worker costs on a machine that has a core for it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from benchmarks import report
from benchmarks.data import Corpus
from benchmarks.measure import Fact, say
from benchmarks.rest import OPTIONS, request_times
from celestial_engine import CelestialMemory

Asked = TypeVar("Asked")
CONNECTIONS, SECONDS, WORKERS = 32, 10.0, (1, 2, 4)
WARM_SECONDS = 1.0  # of `request_times`, before it counts
ENVIRONMENT = {"CELESTIAL_EMBEDDER": "none", "CELESTIAL_WORDS": "pairs", "CELESTIAL_DURABILITY": "normal"}
ROUTE = "/v1/memories/search"
REINFORCES = {"recall": True, "search": False}  # a recall writes what it found, a search only reads


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.workers", description="Measures worker processes.")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each route is measured")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where the JSON goes")
    parser.add_argument("--serve", nargs=2, metavar=("DB", "N"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve is not None:
        serve(options.serve[0], int(options.serve[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(Path(folder) / "memory.db", options.memories, options.seconds)
    print(report.table(figures))
    options.output.mkdir(parents=True, exist_ok=True)
    records = [{"name": figure.name, "value": figure.value, "unit": figure.unit} for figure in figures]
    (options.output / "workers.json").write_text(json.dumps(records, indent=1))


def measured(path: Path, memories: int, seconds: float) -> list[Fact]:
    say(f"{memories:,} memories ...")
    corpus = Corpus()
    made = list(corpus.memories(memories))
    questions = [question.text for question in (*corpus.questions(200), *corpus.known(made, 200))]
    with CelestialMemory(path, **OPTIONS) as memory:
        memory.store_many([each.text for each in made])
        token, _ = memory.access.grant("benchmark")
    figures: list[Fact] = [Fact("cores", memories, float(os.cpu_count() or 1), "")]
    for workers in WORKERS:
        idle = cpu_of_children(path, workers, lambda port: None)[0]
        for name, reinforce in REINFORCES.items():
            say(f"{name}, {workers} workers ...")
            bodies = [json.dumps({"query": question, "reinforce": reinforce}).encode() for question in questions]

            def ask(port: int, bodies: list[bytes] = bodies) -> list[float]:
                return asyncio.run(request_times(port, ROUTE, token, bodies, seconds, CONNECTIONS))

            used, times = cpu_of_children(path, workers, ask)
            cpu = 1000 * (used - idle) / len(times) * seconds / (seconds + WARM_SECONDS)
            figures.append(Fact(f"{name}, {workers} workers", memories, len(times) / seconds, "a second",
                                note=f"about {cpu:.0f} ms CPU a request"))  # fmt: skip
    return figures


def cpu_of_children(path: Path, workers: int, ask: Callable[[int], Asked]) -> tuple[float, Asked]:
    """The CPU seconds of a server from its start to its end, and what was asked meanwhile."""
    before = os.times()
    with served(path, workers) as port:
        asked = ask(port)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, asked


@contextmanager
def served(path: Path, workers: int) -> Iterator[int]:
    command = [sys.executable, "-m", "benchmarks.workers", "--serve", str(path), str(workers)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **ENVIRONMENT})
    try:
        yield int(process.stdout.readline())  # type: ignore[union-attr]
    finally:
        process.terminate()
        process.wait()


def serve(path: str, workers: int) -> None:
    """A server without a rate limit, which prints its port."""
    from celestial_engine.surfaces.rest.serving import listening
    from celestial_engine.surfaces.rest.settings import ServerSettings
    from celestial_engine.surfaces.rest.supervisor import supervise
    from celestial_engine.surfaces.rest.worker import WorkerSetup

    listener = listening("127.0.0.1", 0)
    port = listener.getsockname()[1]
    settings = ServerSettings(requests_per_second=1e9, burst=1_000_000_000)
    with tempfile.TemporaryDirectory() as folder:
        setup = WorkerSetup(path, None, None, settings, False, "en", "benchmark", b"k" * 32, folder)
        supervise(workers, setup, listener, lambda: print(port, flush=True))


if __name__ == "__main__":
    main()
