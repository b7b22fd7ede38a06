"""The speed of REST: recall over 32 connections beside a bare route, and a cold command. `python -m benchmarks.rest`.

The servers are processes of their own. Whoever asks is a process, too, and takes its share of the cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.data import Corpus
from benchmarks.measure import Fact, Figure, Limit, Timing, percentile, say
from celestial_engine import CelestialMemory, Settings, StorageSettings

CONNECTIONS, SECONDS, COLD_RUNS = 32, 8.0, 15
Times = list[float]
OPTIONS: dict[str, Any] = {
    "embedder": "none",
    "rebalance_interval": None,
    "settings": Settings(StorageSettings(durability="normal", words="pairs")),
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rest", description="Measures REST.")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each route is measured")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where the JSON goes")
    parser.add_argument("--serve", metavar="DB", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve is not None:
        serve(options.serve)
        return
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(Path(folder) / "memory.db", options.memories, options.seconds)
    print(report.table(figures))
    options.output.mkdir(parents=True, exist_ok=True)
    records = [{"name": figure.name, "memories": figure.memories} | figure_json(figure) for figure in figures]
    (options.output / "rest.json").write_text(json.dumps(records, indent=1))


def measured(path: Path, memories: int, seconds: float) -> list[Figure]:
    say(f"{memories:,} memories ...")
    corpus = Corpus()
    made = list(corpus.memories(memories))
    questions = [question.text for question in (*corpus.questions(200), *corpus.known(made, 200))]
    with CelestialMemory(path, **OPTIONS) as memory:
        memory.store_many([each.text for each in made])
        token, _ = memory.access.grant("benchmark")
        direct = []
        for question in questions[::2]:
            started = time.perf_counter()
            memory.recall(question)
            direct.append(1000 * (time.perf_counter() - started))
    bodies = [json.dumps({"query": question}).encode() for question in questions]
    with served("bare") as port:
        bare = asyncio.run(request_times(port, "/v1/bare", token, bodies, seconds))
    with served(str(path)) as port:
        stats = asyncio.run(request_times(port, "/v1/stats", token, None, seconds))
        recall = asyncio.run(request_times(port, "/v1/memories/search", token, bodies, seconds))
        alone = asyncio.run(request_times(port, "/v1/memories/search", token, bodies, seconds, 1))
    return [
        Timing("recall in the process, one at a time", memories, direct, direct),
        *routes(memories, seconds, bare, stats, recall, alone),
        Timing("celestial recall, start to answer", memories, *cold_starts(path, questions), Limit(400.0, "p50")),
    ]


def routes(memories: int, seconds: float, bare: Times, stats: Times, recall: Times, alone: Times) -> list[Figure]:
    def timing(name: str, times: Times) -> Timing:
        return Timing(name, memories, times, times, note=f"{len(times) / seconds:.0f} a second")

    slower, longer = len(recall) / len(bare), percentile(recall, 95) / percentile(bare, 95)
    return [
        timing("recall over REST, 1 connection", alone),
        timing(f"recall over REST, {CONNECTIONS} connections", recall),
        timing(f"GET /v1/stats, {CONNECTIONS} connections", stats),
        timing(f"bare FastAPI route, {CONNECTIONS} connections", bare),
        Fact("recall over REST / bare route, a second", memories, slower, "x"),
        Fact("recall over REST / bare route, p95", memories, longer, "x"),
    ]


def cold_starts(path: Path, questions: Sequence[str]) -> tuple[Times, Times]:
    """Time cold commands with cached bytecode, as in an installation."""
    cache = path.parent / "bytecode"
    env = {**os.environ, "CELESTIAL_EMBEDDER": "none", "PYTHONPYCACHEPREFIX": str(cache)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    wall, cpu = [], []
    for question in questions[: COLD_RUNS + 1]:
        started, before = time.perf_counter(), os.times()
        command = [sys.executable, "-m", "celestial_engine", "recall", "--db", str(path), question]
        subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        wall.append(1000 * (time.perf_counter() - started))
        used = after.children_user + after.children_system - before.children_user - before.children_system
        cpu.append(1000 * used)
    return wall[1:], cpu[1:]


def figure_json(figure: Figure) -> dict[str, Any]:
    if isinstance(figure, Timing):
        return {"p50_ms": figure.p50, "p95_ms": figure.p95, "runs": len(figure.wall_ms), "note": figure.note}
    return {"value": figure.value, "unit": figure.unit}


async def request_times(
    port: int, path: str, token: str, bodies: list[bytes] | None, seconds: float, connections: int = CONNECTIONS
) -> Times:
    """Request times in milliseconds; each connection sends the next request as soon as it is answered."""
    times: Times = []
    head = f"Host: localhost\r\nAuthorization: Bearer {token}\r\n"

    def request(number: int) -> bytes:
        if bodies is None:
            return f"GET {path} HTTP/1.1\r\n{head}\r\n".encode()
        body = bodies[number % len(bodies)]
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return f"POST {path} HTTP/1.1\r\n{head}{kind}\r\n".encode() + body

    async def connection(first: int, until: float) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        number = first
        while time.perf_counter() < until:
            started = time.perf_counter()
            writer.write(request(number))
            answer = (await reader.readuntil(b"\r\n\r\n")).lower()
            if b" 200 " not in answer[:20]:
                raise RuntimeError(answer.decode())
            await reader.readexactly(int(answer.partition(b"content-length: ")[2].split(b"\r\n")[0]))
            times.append(1000 * (time.perf_counter() - started))
            number += connections
        writer.close()

    await asyncio.gather(*(connection(number, time.perf_counter() + 1.0) for number in range(connections)))  # warm
    times.clear()
    until = time.perf_counter() + seconds
    await asyncio.gather(*(connection(number, until) for number in range(connections)))
    return times


@contextmanager
def served(what: str) -> Any:
    command = [sys.executable, "-m", "benchmarks.rest", "--serve", what]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield int(process.stdout.readline())  # type: ignore[union-attr]
    finally:
        process.terminate()
        process.wait()


def serve(what: str) -> None:
    """A separate server, which prints its port; "bare" answers the same kind of request with almost no work."""
    from fastapi import FastAPI

    from celestial_engine.surfaces.dashboard.stream import Pace, Streams
    from celestial_engine.surfaces.rest import serving
    from celestial_engine.surfaces.rest.app import build_app
    from celestial_engine.surfaces.rest.drain import Drain
    from celestial_engine.surfaces.rest.settings import ServerSettings

    listener = serving.listening("127.0.0.1", 0)

    def started() -> None:
        print(listener.getsockname()[1], flush=True)

    if what == "bare":
        app = FastAPI()
        app.state.drain, app.state.streams = Drain(), Streams(Pace())

        @app.post("/v1/bare")
        async def bare(body: dict[str, str]) -> dict[str, str]:
            return body

        serving.serve(app, listener, started)
        return
    settings = ServerSettings(requests_per_second=1e9, burst=1_000_000_000)
    with CelestialMemory(what, **OPTIONS) as memory:
        serving.serve(build_app(memory, settings), listener, started)


if __name__ == "__main__":
    main()
