"""Nodes in real processes, for tests of learning together over loopback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.gossip_nodes import remember_turns, taught

from celestial_engine import CelestialMemory
from celestial_engine.engine.federation import FederationStatus

_SETTINGS = "[gossip]\ngossip_interval = {interval}\ntolerated_attackers = {attackers}\n"


class Process:
    """A memory, and `celestial gossip run` on it; `address` is what peers connect to, if not the node itself."""

    def __init__(
        self,
        folder: Path,
        number: int,
        attackers: int = 1,
        tls: tuple[str, str] | None = None,
        interval: float = 0.5,
        **environment: str,
    ) -> None:
        self.db = folder / f"n{number}.db"
        config = folder / "celestial.toml"
        config.write_text(_SETTINGS.format(interval=interval, attackers=attackers), encoding="utf-8")
        self._environment = {**os.environ, "CELESTIAL_CONFIG": str(config), **environment}
        self._tls = tls
        self.text = f"Secret diary of person {number}: 민수의 비밀 일기는 서랍 {number}번 칸에 있다"
        with CelestialMemory(self.db, rebalance_interval=None) as memory:
            memory.policy.adopt(taught(number), 100)
            remember_turns(memory)
            self.item_id = memory.store(self.text).id
            memory.federation.join()
            self.key = memory.federation.key()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"{'https://localhost' if tls else 'http://127.0.0.1'}:{self.port}"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "celestial_engine", "--db", str(self.db), "gossip", "run", "--json"]
        command += ["--port", str(self.port)]
        if self._tls is not None:
            command += ["--certfile", self._tls[0], "--keyfile", self._tls[1]]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self._environment)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "{\n"

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(30)
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None

    def status(self) -> FederationStatus:
        with CelestialMemory(self.db, rebalance_interval=None) as memory:
            return memory.federation.status()


def introduce(nodes: Sequence[Process]) -> None:
    """Everybody adds everybody else."""
    for node in nodes:
        with CelestialMemory(node.db, rebalance_interval=None) as memory:
            for other in nodes:
                if other is not node:
                    memory.federation.add_peer(other.address, other.key)


@contextmanager
def running(nodes: Sequence[Process]) -> Iterator[None]:
    with ExitStack() as stack:
        for node in nodes:
            stack.callback(node.stop)
            node.start()
        yield


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Looks until it holds; `seconds` is only for a machine that hangs."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.3)
