"""Servers on one PostgreSQL under mixed traffic: nothing lost, counts exact, no row of another owner.

`python -m benchmarks.traffic` does the same for a minute.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import ExitStack

import pytest
from tests.surfaces.server_process import started
from tests.traffic import OPTIONS, USERS, Traffic, tokens_of, turn_row_security_off

from celestial_engine import CelestialMemory

pytestmark = pytest.mark.slow
pytest.importorskip("fastapi")

SERVERS, REQUESTS = 4, 160


@pytest.fixture(autouse=True)
def _no_embedder(monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "none")
    monkeypatch.setenv("CELESTIAL_POOL_SIZE", "6")


@pytest.mark.parametrize("row_security", [True, False])
def test_four_servers_under_mixed_traffic(url, row_security):
    """Also when one of them is killed half way."""
    tokens = tokens_of(url)
    if not row_security:
        turn_row_security_off(url)
    with ExitStack() as stack:
        servers = [stack.enter_context(started(url)) for _ in range(SERVERS)]
        traffic = Traffic([told["url"] for _, told in servers], tokens)
        traffic.run(REQUESTS, half_way=servers[0][0].kill)
    traffic.check(url)


def test_workers_of_one_server(url):
    """`serve --workers` shares the database among its processes."""
    tokens = tokens_of(url)
    with started(url, "--workers", "2") as (process, told):
        traffic = Traffic([told["url"]], tokens)
        traffic.run(REQUESTS // 2)
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 0
    assert not traffic.unanswered_stores + traffic.unanswered_recalls
    traffic.check(url)


def test_the_night_of_all_owners_in_processes(url):
    tokens_of(url)
    for user in USERS:
        with CelestialMemory(url, user_id=user, **OPTIONS) as memory:
            memory.store_many([f"{user} 기억 {n} about tea" for n in range(5)])
    slept = subprocess.run(
        [sys.executable, "-m", "celestial_engine", "sleep", "--all", "--workers", "2", "--json", "--db", url],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert slept.returncode == 0, slept.stderr
    for user in USERS:
        with CelestialMemory(url, user_id=user, **OPTIONS) as memory:
            assert sum(event.type.value == "slept" for event in memory.ledger.history(limit=100)) == 1
            assert memory.ledger.verify().ok
