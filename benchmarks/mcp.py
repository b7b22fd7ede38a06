"""The speed of MCP: a handshake, a call beside a direct one, ten processes on a file. `python -m benchmarks.mcp`.

Clients are plain: they write lines and read lines, so that what is measured is the server.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.data import Corpus
from benchmarks.measure import Fact, Figure, Limit, Stopwatch, Timing, say
from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.codec import encode
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.surfaces.mcp.tools import TOOLS, answered, tool
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.surfaces.wire import request_of

STARTS, CALLS, PROCESSES, SECONDS = 10, 300, 10, 60.0
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
OPTIONS: dict[str, Any] = {
    "embedder": "none",
    "rebalance_interval": None,
    "settings": Settings(StorageSettings(words="pairs")),
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mcp", description="Measures MCP.")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long the ten processes work")
    parser.add_argument("--output", type=Path, default=Path("benchmarks/results"), help="where the JSON goes")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        questions = filled(path, options.memories)
        figures = [
            *starts(path, options.memories),
            *overhead(path, options.memories, questions),
            *crowd(path, options.memories, questions, options.seconds),
            *sizes(),
        ]
    print(report.table(figures))
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "mcp.json").write_text(json.dumps([figure_json(figure) for figure in figures], indent=1))


class Client:
    """A stdio server process and its client."""

    def __init__(self, path: Path, embedder: str = "none") -> None:
        command = [sys.executable, "-m", "celestial_engine", "mcp", "--db", str(path)]
        env = {**os.environ, "CELESTIAL_EMBEDDER": embedder, "CELESTIAL_SLEEP": "off"}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
        )
        self._last = 0

    def greet(self) -> None:
        self.ask("initialize", HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._last += 1
        self._send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        for line in self._process.stdout or ():
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._last:
                return answer
        raise EOFError("the server has gone")

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        result: dict[str, Any] = self.ask("tools/call", {"name": name, "arguments": arguments})["result"]
        if result.get("isError"):
            raise RuntimeError(result["content"][0]["text"])
        content: dict[str, Any] = result["structuredContent"]
        return content

    def leave(self) -> str:
        """End the server and return its stderr."""
        _, complaints = self._process.communicate(timeout=60)
        return complaints.decode()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


def filled(path: Path, memories: int) -> list[str]:
    say(f"{memories:,} memories ...")
    corpus = Corpus()
    made = list(corpus.memories(memories))
    with CelestialMemory(path, settings=Settings(storage=StorageSettings(durability="normal")), **OPTIONS) as memory:
        memory.store_many([each.text for each in made])
    return [question.text for question in (*corpus.questions(CALLS), *corpus.known(made, CALLS))]


def starts(path: Path, memories: int) -> list[Figure]:
    """Time from process start; the first run, which compiles bytecode, is not counted."""
    say("starting ...")
    figures: list[Figure] = []
    for embedder in ("none", "auto"):
        greeted: list[float] = []
        listed: list[float] = []
        called: list[float] = []
        for number in range(STARTS + 1):
            started = time.perf_counter()
            client = Client(path, embedder)
            client.greet()
            moments = [time.perf_counter()]
            client.ask("tools/list", {})
            moments.append(time.perf_counter())
            client.call("memory_stats")
            moments.append(time.perf_counter())
            client.leave()
            if number:
                for times, moment in zip((greeted, listed, called), moments, strict=True):
                    times.append(1000 * (moment - started))
        limit = Limit(1000)
        with_ = f"embedder {embedder}"
        figures += [
            Timing(f"handshake, {with_}", memories, greeted, greeted, limit),
            Timing(f"... and the tools listed, {with_}", memories, listed, listed),
            Timing(f"... and the first call answered, {with_}", memories, called, called),
        ]
    return figures


def overhead(path: Path, memories: int, questions: Sequence[str]) -> list[Figure]:
    """Call each operation in this process and by a client, in turns, so that noise affects both."""
    say("calling ...")
    client = Client(path)
    client.greet()
    figures: list[Figure] = []
    with CelestialMemory(path, **OPTIONS) as memory:
        caller = Caller(memory, LOCAL_OWNER, "benchmark")
        known = [item.id for item in memory.list(CALLS)]
        cases: dict[str, list[dict[str, Any]]] = {
            "memory_get": [{"id": item_id} for item_id in known],
            "memory_search": [{"query": question, "reinforce": False} for question in questions[:CALLS]],
        }
        for name, requests in cases.items():
            direct, over = Stopwatch(), Stopwatch()
            for arguments in requests:
                answer = direct.time(
                    lambda given=arguments, tool=name: encode(TOOLS[tool].run(caller, request_of(TOOLS[tool], given)))
                )
                answered(TOOLS[name], answer)
                over.time(client.call, name, **arguments)
            added = [remote - local for remote, local in zip(over.wall_ms, direct.wall_ms, strict=True)]
            figures += [
                direct.timing(f"{name}, called in the process", memories),
                over.timing(f"{name}, over stdio", memories),
                Timing(f"{name}, what MCP adds", memories, added, added, Limit(5, "p50")),
            ]
    client.leave()
    return figures


def crowd(path: Path, memories: int, questions: Sequence[str], seconds: float) -> list[Figure]:
    """All processes save, search and compose at once; every confirmed memory must be stored at the end."""
    say(f"{PROCESSES} processes for {seconds:g} s ...")
    clients = [Client(path) for _ in range(PROCESSES)]
    for client in clients:
        client.greet()
        client.call("memory_stats")
    watches = {name: Stopwatch() for name in ("memory_save", "memory_search", "auto_search")}
    confirmed: list[str] = []
    failures: list[str] = []
    end = time.monotonic() + seconds

    def work(number: int) -> None:
        turn = 0
        try:
            while time.monotonic() < end:
                turn += 1
                question = questions[(number * 31 + turn) % len(questions)]
                text = f"process {number} learned thing {turn} about {question}"
                saved = watches["memory_save"].time(clients[number].call, "memory_save", content=text)
                confirmed.append(saved["id"])
                watches["memory_search"].time(clients[number].call, "memory_search", query=question)
                watches["auto_search"].time(clients[number].call, "auto_search", query=question, budget=256)
        except (RuntimeError, EOFError, OSError) as error:
            failures.append(f"{number}: {error}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(PROCESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failures += [errors for client in clients if "locked" in (errors := client.leave())]
    with CelestialMemory(path, **OPTIONS) as memory:
        kept = {record["id"] for record in memory.transfer.export()}
        lost = len(set(confirmed) - kept)
        failures += [str(problem) for problem in memory.maintenance.check()]
    for failure in failures:
        say(f"  {failure}")
    calls = sum(len(watch.wall_ms) for watch in watches.values())
    note = f"{PROCESSES} processes, {calls / seconds:.0f} calls a second in all"
    return [
        *(watch.timing(f"{name}, {PROCESSES} at once", memories, note=note) for name, watch in watches.items()),
        Fact("confirmed memories that were lost", memories, lost, "memories", note=f"of {len(confirmed)}"),
        Fact("errors, locks, damage", memories, len(failures), "cases"),
    ]


def sizes() -> list[Figure]:
    offered = [tool(name) for name in TOOLS]
    read = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema} for tool in offered
    ]
    whole = json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in offered])
    return [
        Fact(
            "what a model reads of the tools",
            0,
            count_tokens(json.dumps(read)),
            "tokens",
            6000,
            f"{len(TOOLS)} tools",
        ),
        Fact("tools/list on the wire", 0, len(whole) / 1024, "KiB"),
    ]


def figure_json(figure: Figure) -> dict[str, Any]:
    if isinstance(figure, Fact):
        return {"name": figure.name, "memories": figure.memories, "value": figure.value, "unit": figure.unit}
    times = {"p50_ms": figure.p50, "p95_ms": figure.p95, "calls": len(figure.wall_ms)}
    return {"name": figure.name, "memories": figure.memories, **times}


if __name__ == "__main__":
    main()
