"""How fast the server answers: by operation, for sessions alone, and with nothing of what was asked."""

from __future__ import annotations

import asyncio

from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.rest.app import build_app
from celestial_engine.surfaces.rest.metrics import Metrics, Speed, Watch

HOST = "http://127.0.0.1:8484"


def test_half_and_nearly_all_are_told_from_the_buckets():
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
        metrics = Metrics(memory)
        assert metrics.speeds() == []
        for seconds in [0.02] * 95 + [2.0] * 5:
            metrics.note("memory_search", 200, seconds)
        metrics.note("orbits", 503, 60.0)
        for _ in range(2):
            metrics.note("insight", 200, 60.0)
        search, insight, orbits = metrics.speeds()
    assert (search.operation, search.answers, search.failed) == ("memory_search", 100, 0)
    assert 10 < search.median_ms < search.slow_ms <= 25
    assert orbits == Speed("orbits", 1, 1, 60_000.0, 60_000.0)  # of a single answer everything is known
    assert (insight.median_ms, insight.slow_ms) == (10_000.0, 10_000.0)  # else the limit of the last bucket


def test_a_stream_has_answered_when_it_begins(monkeypatch):
    """It stays open for minutes on purpose; the time until its first byte is what somebody waits for."""
    clock = iter((100.0, 100.5, 700.0))  # asked, begun, ended

    async def streaming(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}
        )

    async def nothing(*_: object) -> Message:
        return {"type": "http.request"}

    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
        metrics = Metrics(memory)
        monkeypatch.setattr("celestial_engine.surfaces.rest.metrics.time.perf_counter", lambda: next(clock))
        asyncio.run(Watch(streaming, metrics)({"type": "http", "method": "GET"}, nothing, nothing))
        monkeypatch.undo()
        (stream,) = metrics.speeds()
    assert stream == Speed("other", 1, 0, 500.0, 500.0)


def test_only_a_session_may_look():
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
        client = TestClient(build_app(memory), base_url=HOST, follow_redirects=False)
        assert client.get("/dashboard/speed").status_code == 401
        client.get("/login", params={"key": memory.access.login_key()})
        client.get("/v1/memories/zanzibar")
        told = client.get("/dashboard/speed")
        assert "zanzibar" not in told.text
        assert "memory_get" in [one["operation"] for one in told.json()["operations"]]
