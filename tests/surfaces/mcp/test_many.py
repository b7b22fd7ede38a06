"""Ten processes and a server on one file, and the program that most people come with."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx2
import pytest
from tests import claude_code

from celestial_engine import CelestialMemory

PROCESSES = 10
SECONDS = float(os.environ.get("CELESTIAL_CONTENTION_SECONDS", "5"))


@pytest.mark.slow
def test_ten_processes_and_a_server_on_one_file(tmp_path, plain, ways):
    """Mixed load: nothing that was confirmed is lost, nobody hears of a lock."""
    path = tmp_path / "m.db"
    with CelestialMemory(path, rebalance_interval=None) as memory:
        shared = memory.store("shared 기억").id
        token, _ = memory.access.grant("server")
    clients = [plain(path) for _ in range(PROCESSES)]
    for client in clients:
        client.call("memory_stats")  # all are up
    confirmed: list[list[str]] = [[] for _ in range(PROCESSES + 1)]
    recalled = [0] * PROCESSES
    failures: list[BaseException] = []
    end = 0.0  # set when the server is up: everybody has at least one turn, however long that took

    def talk(number):
        try:
            while not confirmed[number] or time.monotonic() < end:
                text = f"process {number} wrote {len(confirmed[number])}"
                confirmed[number].append(clients[number].call("memory_save", content=text)["id"])
                hits = clients[number].call("memory_search", query="shared 기억", limit=1)["hits"]
                recalled[number] += hits[0]["memory"]["id"] == shared
                clients[number].call("auto_search", query="what did the process write?", budget=64)
                clients[number].call("memory_pin", id=confirmed[number][-1])
        except BaseException as error:  # noqa: BLE001 - told by the test below
            failures.append(error)

    def visit(address):
        try:
            while not confirmed[-1] or time.monotonic() < end:
                saved = httpx2.post(
                    f"{address}/v1/memories", json={"content": f"the server wrote {len(confirmed[-1])}"},
                    headers={"Authorization": f"Bearer {token}"}, timeout=60,
                )  # fmt: skip
                confirmed[-1].append(saved.json()["id"])
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    with CelestialMemory(path, rebalance_interval=0.5) as memory, ways.served(memory) as address:
        threads = [threading.Thread(target=talk, args=(number,)) for number in range(PROCESSES)]
        threads.append(threading.Thread(target=visit, args=(address,)))
        end = time.monotonic() + SECONDS
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SECONDS + 120)
    assert failures == []
    complaints = [client.leave() for client in clients]
    assert not [said for said in complaints if "locked" in said or "Traceback" in said]
    assert all(confirmed)
    with CelestialMemory(path, rebalance_interval=None) as memory:
        stored = {record["id"] for record in memory.transfer.export()}
        assert stored >= {item_id for ids in confirmed for item_id in ids}
        assert memory.get(shared).recall_count >= sum(recalled) > 0
        assert memory.maintenance.check() == []
        assert memory.ledger.verify().ok


@pytest.fixture(scope="module")
def claude(tmp_path_factory) -> Path:
    return claude_code.download(tmp_path_factory.mktemp("claude"))


@pytest.mark.slow
@pytest.mark.parametrize("way", ["stdio", "http"])
def test_claude_code_connects(way, claude, tmp_path, ways):
    """`claude mcp add`, then `claude mcp list`, in an empty home."""
    home, project, path = tmp_path / "h", tmp_path / "p", tmp_path / "m.db"
    home.mkdir()
    project.mkdir()

    def run(*arguments):
        env = {**ways.environment(), "HOME": str(home)}
        done = subprocess.run(
            [claude, "mcp", *arguments], cwd=project, env=env, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    if way == "stdio":
        run("add", "celestial", "--", sys.executable, "-m", "celestial_engine", "mcp", "--db", str(path))
        assert "Connected" in run("list")
        return
    with CelestialMemory(path, rebalance_interval=None) as memory, ways.served(memory) as address:
        token, _ = memory.access.grant("claude")
        header = f"Authorization: Bearer {token}"
        run("add", "--transport", "http", "celestial", f"{address}/mcp", "--header", header)
        assert "Connected" in run("list")
