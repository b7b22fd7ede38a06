"""Real processes that learn together over loopback: rounds, kill -9, a capture of the traffic, hostile connections."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.learning.learned_policy import Learned
from celestial_engine.core.learning.network import Network
from celestial_engine.core.learning.settings import LearningSettings

pytestmark = pytest.mark.slow
NODES = 6


def taught(seed: int) -> Learned:
    chance, start = random.Random(seed), Learned.starting(LearningSettings())
    layers = tuple(
        array("d", (weight + 0.01 + chance.gauss(0.0, 0.01) for weight in layer)) for layer in start.network.layers
    )
    return Learned(Network(start.network.sizes, layers), start.reranker, updates=100, trust=0.5)


class Process:
    def __init__(self, folder: Path, number: int) -> None:
        self.db = folder / f"n{number}.db"
        config = folder / "celestial.toml"
        config.write_text("[gossip]\ngossip_interval = 0.5\n", encoding="utf-8")
        self.env = {**os.environ, "CELESTIAL_CONFIG": str(config)}
        with CelestialMemory(self.db, rebalance_interval=None) as memory:
            memory.policy.adopt(taught(number), 100)
            memory.store(f"Secret diary of person {number}: 민수의 비밀 일기 {number}")
            memory.federation.join()
            self.key = memory.federation.key()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "celestial_engine",
            "--db",
            str(self.db),
            "gossip",
            "run",
            "--port",
            str(self.port),
            "--json",
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self.env)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "{\n"

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(30)
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None

    def status(self):
        with CelestialMemory(self.db, rebalance_interval=None) as memory:
            return memory.federation.status()


@pytest.fixture
def village(tmp_path) -> Iterator[list[Process]]:
    nodes = [Process(tmp_path, number) for number in range(NODES)]
    for node in nodes:
        with CelestialMemory(node.db, rebalance_interval=None) as memory:
            for other in nodes:
                if other is not node:
                    memory.federation.add_peer(other.url, other.key)
    with contextlib.ExitStack() as stack:
        for node in nodes:
            stack.callback(node.stop)
            node.start()
        yield nodes


def wait_for(condition, seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.3)


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


def test_hostile_connections_change_nothing(village):
    """Half-open connections, garbage and oversized bodies; the node goes on and says what it counted."""
    node = village[0]
    idle = []
    for _ in range(400):
        connection = socket.socket()
        connection.settimeout(2)
        with contextlib.suppress(OSError):
            connection.connect(("127.0.0.1", node.port))
            connection.send(b"POST /gossip HTTP/1.1\r\nHost: x\r\n")
        idle.append(connection)
    for connection in idle:
        connection.close()
    head = b"POST /gossip HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n"
    for body in (b"garbage!", b"CELGOSSP" + bytes(5_488), bytes(100_000)):
        with socket.create_connection(("127.0.0.1", node.port), 5) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(head % len(body) + body)
            with contextlib.suppress(OSError):
                assert connection.recv(100).split(b" ")[1:2] in ([b"403"], [b"413"], [b"503"], [])
    rounds = node.status().rounds
    wait_for(lambda: node.status().rounds > rounds + 1)
    wait_for(lambda: node.status().candidate_on)
    assert set(node.status().rejected) <= {"garbage", "version", "truncated"}


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
