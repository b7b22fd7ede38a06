"""Fixtures: a database with memories, and clients for every transport and both protocol eras."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

import httpx2
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from celestial_engine import CelestialMemory, Source, Tier
from celestial_engine.core.access import EVERYTHING
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.surfaces.mcp.desk import Desk, Guest
from celestial_engine.surfaces.mcp.http import mount
from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.mcp.server import build_server
from celestial_engine.surfaces.rest.app import build_app
from celestial_engine.testing.fakes import FakeClock

DAY = 86_400.0


@dataclass
class Prepared:
    """A database, and the ids of its memories."""

    path: Path
    ids: dict[str, str] = field(default_factory=dict)


@pytest.fixture
def prepared(tmp_path) -> Prepared:
    clock = FakeClock(time.time() - 340 * DAY)
    made = Prepared(tmp_path / "m.db")
    with CelestialMemory(made.path, rebalance_interval=None, clock=clock) as memory:
        made.ids["nominee"] = memory.store("The user gave their cat its name", tier=Tier.M365).id
        for _ in range(10):
            memory.remind(made.ids["nominee"])
        clock.now = time.time()
        memory.remind(made.ids["nominee"])  # nobody is proposed to a user who is away
        memory.sleep(duties=["nominate"], force=True)
        made.ids["cat"] = memory.store("The user's cat is called Mochi", tags=["pets"]).id
        made.ids["food"] = memory.store("Mochi the cat likes tuna").id
        made.ids["doomed"] = memory.store("The printer is out of paper").id
        made.ids["gone"] = memory.store("The bus was late").id
        memory.forget(made.ids["gone"])
        for day, what in ((15, "카페에서 아메리카노 마심"), (18, "카페에서 라떼 마심"), (22, "스타벅스 감")):
            memory.store(f"2월 {day}일 삐돌이가 {what}", source=Source.CONVERSATION, tier=Tier.M30)
    return made


def environment() -> dict[str, str]:
    return {**os.environ, "CELESTIAL_EMBEDDER": "none", "CELESTIAL_SLEEP": "off"}


def command(path: Path) -> list[str]:
    return [sys.executable, "-m", "celestial_engine", "mcp", "--tools", "full", "--db", str(path)]


@asynccontextmanager
async def over_stdio(path: Path, mode: str, **more: Any):
    program, *arguments = command(path)
    server = StdioServerParameters(command=program, args=arguments, env=environment())
    async with Client(server, mode=mode, **more) as client:
        yield client


@contextmanager
def served(memory: CelestialMemory) -> Iterator[str]:
    """REST with MCP on a free port; yields its address."""
    app = build_app(memory)
    mount(app, memory, hosts=None, profile=Profile.FULL)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
    assert not thread.is_alive()


@asynccontextmanager
async def over_http(address: str, token: str, mode: str, **more: Any):
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http), mode=mode, **more) as client,
    ):
        yield client


@asynccontextmanager
async def connected(way: str, mode: str, prepared: Prepared, **more: Any):
    """A client over stdio, over HTTP, or `direct` in this process."""
    if way == "stdio":
        async with over_stdio(prepared.path, mode, **more) as client:
            yield client
        return
    with CelestialMemory(prepared.path, rebalance_interval=None) as memory:
        if way == "direct":
            server = build_server(lambda: Desk.over(memory), lambda _: Guest(LOCAL_OWNER), profile=Profile.FULL)
            async with Client(server, mode=mode, **more) as client:
                yield client
            return
        token, _ = memory.access.grant("test", EVERYTHING)
        with served(memory) as address:
            async with over_http(address, token, mode, **more) as client:
                yield client


HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "plain", "version": "1"},
}


class Plain:
    """A client that writes and reads raw lines, for invalid input too."""

    def __init__(self, path: Path, *options: str, greet: bool = True) -> None:
        self.process = subprocess.Popen(
            [*command(path), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        self._last = 0
        if greet:
            self.ask("initialize", HELLO)
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request; other messages are skipped."""
        self._last += 1
        self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._last:
                return answer
        raise EOFError(self.process.stderr.read().decode())

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert not result.get("isError"), result
        return result["structuredContent"]

    def leave(self) -> str:
        """Close the connection and return the server's stderr."""
        self.process.stdin.close()
        complaints = self.process.stderr.read().decode()
        assert self.process.wait(60) == 0, complaints
        self._closed()
        return complaints

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(60)
        self._closed()

    def _closed(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError):
                pipe.close()


@pytest.fixture
def plain() -> Iterator[Any]:
    """Create raw clients, and stop those that are left."""
    made: list[Plain] = []

    def make(path: Path, *options: str, **more: Any) -> Plain:
        made.append(Plain(path, *options, **more))
        return made[-1]

    yield make
    for client in made:
        client.end()


@pytest.fixture
def ways() -> Any:
    """Gives tests access to the clients: test modules cannot import each other."""
    from types import SimpleNamespace

    return SimpleNamespace(
        connected=connected, served=served, over_http=over_http, environment=environment, HELLO=HELLO
    )
