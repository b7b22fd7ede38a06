"""How fast the server answers: by operation, for sessions alone, and with nothing of what was asked."""

from __future__ import annotations

from fastapi.testclient import TestClient

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.rest.app import build_app
from celestial_engine.surfaces.rest.metrics import Metrics, Speed

HOST = "http://127.0.0.1:8484"


def test_half_and_nearly_all_are_told_from_the_buckets():
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
        metrics = Metrics(memory)
        assert metrics.speeds() == []
        for seconds in [0.02] * 95 + [2.0] * 5:
            metrics.note("memory_search", 200, seconds)
        metrics.note("orbits", 503, 60.0)
        search, orbits = metrics.speeds()
    assert (search.operation, search.answers, search.failed) == ("memory_search", 100, 0)
    assert 10 < search.median_ms < search.slow_ms <= 25
    assert orbits == Speed(
        "orbits", 1, 1, 10_000.0, 10_000.0
    )  # beyond the last bucket its limit is all that is known


def test_only_a_session_may_look():
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
        client = TestClient(build_app(memory), base_url=HOST, follow_redirects=False)
        assert client.get("/dashboard/speed").status_code == 401
        client.get("/login", params={"key": memory.access.login_key()})
        client.get("/v1/memories/zanzibar")
        told = client.get("/dashboard/speed")
        assert "zanzibar" not in told.text
        assert "memory_get" in [one["operation"] for one in told.json()["operations"]]
