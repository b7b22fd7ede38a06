"""`celestial move` killed at any moment: run again, it goes on, and the source was never changed."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import time
from itertools import count

import pytest
from tests.postgres_server import Server

from celestial_engine import CelestialMemory
from celestial_engine.moves import move_memories
from celestial_engine.testing.fakes import FakeClock

CLOCK = FakeClock()
MEMORIES = 600


def opened(path: str) -> CelestialMemory:
    return CelestialMemory(path, rebalance_interval=None, embedder="hashed", clock=CLOCK)


def exported(path: str) -> list[str]:
    with opened(path) as memory:
        return [json.dumps(record) for record in memory.transfer.export()]


def rows_of(path: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as db:
        tables = ("items", "texts", "ledger", "versions", "owners")
        return [row for table in tables for row in db.execute(f"SELECT * FROM {table} ORDER BY 1")]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_killed_move_goes_on(kind, tmp_path, postgres: Server):
    source = str(tmp_path / "source.db")
    target = str(tmp_path / "target.db") if kind == "sqlite" else postgres.url()
    with opened(source) as memory:
        memory.store_many([f"기억 {n}: coffee number {n}" for n in range(MEMORIES)])
        memory.recall("coffee", limit=9)
    before, dice, kills = rows_of(source), random.Random(7), 0
    for attempt in count(1):
        moving = subprocess.Popen(
            [sys.executable, "-m", "celestial_engine", "move", source, target, "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        if kills < 6:
            time.sleep(dice.uniform(0.2, 0.8))
            moving.kill()
        out, err = moving.communicate()
        if moving.returncode == 0:
            break
        assert attempt < 60
        if moving.returncode == -9:
            kills += 1
        else:  # a killed move still refuses for some seconds
            assert json.loads(err)["error"] == "busy", err
            time.sleep(1)
    assert json.loads(out)["owners"][0]["memories"] == MEMORIES
    assert kills, "the machine was faster than the killer"
    assert rows_of(source) == before
    assert exported(target) == exported(source)
    with opened(target) as memory:
        assert memory.ledger.verify().ok
        assert memory.maintenance.check() == []
    with opened(source) as memory:
        memory.store("the source can be written at once, or when the lease of a killed move has ended")
    move_memories(source, target)
    assert exported(target) == exported(source)
