"""A client that sends nothing, or too slowly, does not hold a connection; who guesses tokens is counted by address."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import httpx
import pytest

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.http.patience import ImpatientProtocol
from celestial_engine.surfaces.rest.app import build_app
from celestial_engine.surfaces.rest.serving import Server, listening
from celestial_engine.surfaces.rest.settings import ServerSettings

HEAD = b"POST /v1/memories HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


@contextmanager
def served(memory: CelestialMemory, settings: ServerSettings) -> Iterator[tuple[str, int]]:
    listener, ready = listening("127.0.0.1", 0), threading.Event()
    server = Server(build_app(memory, settings), ready.set)
    thread = threading.Thread(target=lambda: anyio.run(server.serve, [listener]))
    thread.start()
    try:
        assert ready.wait(60)
        yield listener.getsockname()[:2]
    finally:
        server.should_exit = True
        thread.join(60)
        listener.close()


def answer_to(address: tuple[str, int], sent: bytes) -> bytes:
    """Returns all that comes back until the server closes the connection."""
    with socket.create_connection(address, timeout=60) as connection:
        connection.sendall(sent)
        parts = []
        while part := connection.recv(65_536):
            parts.append(part)
    return b"".join(parts)


@pytest.fixture
def impatient(monkeypatch, tmp_path) -> Iterator[tuple[CelestialMemory, tuple[str, int]]]:
    monkeypatch.setattr(ImpatientProtocol, "header_seconds", 0.3)
    with (
        CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory,
        served(memory, ServerSettings(body_seconds=0.5)) as address,
    ):
        yield memory, address


@pytest.mark.parametrize("sent", [b"", b"GET /health HT", HEAD])
def test_half_a_header_ends_the_connection(impatient, sent):
    assert answer_to(impatient[1], sent) == b""


def test_a_body_that_does_not_arrive_is_refused(impatient):
    memory, address = impatient
    token, _ = memory.access.grant("slow")
    head = HEAD + f"Authorization: Bearer {token}\r\nContent-Length: 100\r\n\r\n".encode()
    assert answer_to(address, head + b'{"content"').startswith(b"HTTP/1.1 408")


def test_a_request_that_takes_its_time_to_be_answered_is_not_cut(impatient):
    """Only sending is limited."""
    memory, address = impatient
    token, _ = memory.access.grant("calm")
    head = HEAD + f"Authorization: Bearer {token}\r\nConnection: close\r\n".encode()
    for number in range(3):
        body = f'{{"content": "note {number}"}}'.encode()
        # Sent at once: on a busy machine a client may take longer than the limit between the header and the body.
        answer = answer_to(address, head + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert answer.startswith(b"HTTP/1.1 201")


@pytest.mark.parametrize("path", ["/mcp", "/login", "/openapi.json", "/nowhere", "/v1/memories", "/metrics"])
def test_every_route_is_limited_by_address(tmp_path, path):
    """Each guess has another token: counting by token would let all of them through."""
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        app = build_app(memory, ServerSettings(requests_per_second=0.001, burst=3))

        async def run() -> list[int]:
            transport = httpx.ASGITransport(app, client=("203.0.113.9", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
                return [
                    (await http.get(path, headers={"Authorization": f"Bearer guess-{number}"})).status_code
                    for number in range(5)
                ]

        codes = anyio.run(run)
    assert codes[3:] == [429, 429]
    assert 429 not in codes[:3]


def test_health_is_never_refused(tmp_path):
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        app = build_app(memory, ServerSettings(requests_per_second=0.001, burst=1))

        async def run() -> list[int]:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as http:
                return [(await http.get("/health")).status_code for _ in range(5)]

        assert anyio.run(run) == [200] * 5
