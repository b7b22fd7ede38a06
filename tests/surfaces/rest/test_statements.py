"""How many statements a request costs: what is the same for every memory is read once."""

from __future__ import annotations

import sqlite3

import pytest

from celestial_engine import CelestialMemory, Settings, StorageSettings


@pytest.fixture
def statements(monkeypatch):
    """Every statement that any connection runs."""
    said: list[str] = []
    connect = sqlite3.connect

    def traced(*args, **kwargs):
        connection = connect(*args, **kwargs)
        connection.set_trace_callback(said.append)
        return connection

    monkeypatch.setattr("celestial_engine.storage.sqlite.connections.sqlite3.connect", traced)
    return said


def test_a_page_of_a_hundred_costs_hardly_more_than_one_of_one(tmp_path, statements, serve):
    settings = Settings(StorageSettings("normal", words="pairs"))
    options = {"embedder": "none", "rebalance_interval": None, "settings": settings}
    with CelestialMemory(tmp_path / "m.db", **options) as memory, serve(memory) as served:
        memory.store_many([f"memory number {number}" for number in range(120)])
        costs = {}
        with served.client() as http:
            http.post("/v1/memories/list", json={"limit": 1})  # what the first request loads
            for limit in (1, 100):
                statements.clear()
                assert len(http.post("/v1/memories/list", json={"limit": limit}).json()["memories"]) == limit
                costs[limit] = len(statements)
    assert costs[100] <= costs[1] + 2
    assert costs[100] < 20
