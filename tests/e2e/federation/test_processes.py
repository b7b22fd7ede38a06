"""Real processes that learn together over loopback, and survive kill -9."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.gossip_processes import Process, introduce, running, wait_for

from celestial_engine import CelestialMemory

pytestmark = pytest.mark.slow
NODES = 6


@pytest.fixture
def village(tmp_path) -> Iterator[list[Process]]:
    nodes = [Process(tmp_path, number) for number in range(NODES)]
    introduce(nodes)
    with running(nodes):
        yield nodes


def test_processes_learn_together_and_survive_kill_9(village):
    wait_for(lambda: all(node.status().candidate_on for node in village))
    victim = village[0]
    victim.stop(signal.SIGKILL)
    rounds = village[1].status().rounds
    wait_for(lambda: village[1].status().rounds > rounds + 2)
    assert village[1].status().candidate_on
    before = victim.status().rounds
    victim.start()
    wait_for(lambda: victim.status().rounds > before + 2)
    with CelestialMemory(victim.db, rebalance_interval=None) as memory:
        assert memory.ledger.verify().ok
        assert memory.federation.status().candidate_on


def test_the_command_line_tells_how_it_stands(village):
    wait_for(lambda: village[0].status().candidate_on)
    command = [sys.executable, "-m", "celestial_engine", "--db", str(village[0].db), "gossip"]
    told = subprocess.run([*command, "status", "--json"], capture_output=True, text=True, check=True)
    status = json.loads(told.stdout)
    assert status["enabled"]
    assert len(status["peers"]) == NODES - 1
    left = json.loads(
        subprocess.run([*command, "leave", "--json"], capture_output=True, text=True, check=True).stdout
    )
    assert (left["enabled"], left["peers"], left["candidate_on"]) == (False, [], False)
