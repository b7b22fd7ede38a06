"""Several processes on one socket: what one does the others know, and any of them may be killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.surfaces.server_process import announced, bearer, half_sent, started

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.cli import main

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the workers in /proc"),
]
TIMEOUT = 60
CALL = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def workers_of(process: subprocess.Popen) -> list[int]:
    """The worker processes that are alive, without the one that multiprocessing keeps for itself."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(pid) for pid in children if "spawn_main" in _command_of(pid)]


def _command_of(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


@contextmanager
def only(worker: int, workers: list[int]) -> Iterator[None]:
    """Only this worker can answer: the others are stopped."""
    others = [pid for pid in workers if pid != worker]
    for pid in others:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in others:
            os.kill(pid, signal.SIGCONT)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """A server with two workers: what it announced, their ids, and its database."""
    path = tmp_path_factory.mktemp("two") / "memory.db"
    with started(path, "--workers", "2") as (process, told):
        workers = workers_of(process)
        assert len(workers) == 2
        yield told, workers, path


def test_what_one_worker_stores_another_finds(two):
    """By id and by words, changed as it was changed elsewhere."""
    told, (first, second), _ = two

    def client() -> httpx.Client:
        return httpx.Client(base_url=told["url"], headers=bearer(told["token"]), timeout=TIMEOUT)

    with only(first, [first, second]), client() as http:
        made = http.post("/v1/memories", json={"content": "Mina drinks green tea"}).json()
    with only(second, [first, second]), client() as http:
        assert http.get(f"/v1/memories/{made['id']}").json()["content"] == "Mina drinks green tea"
        found = http.post("/v1/memories/search", json={"query": "green tea"}).json()["hits"]
        assert [hit["memory"]["id"] for hit in found] == [made["id"]]
        http.patch(f"/v1/memories/{made['id']}", json={"content": "Mina drinks black tea"})
    with only(first, [first, second]), client() as http:
        assert http.get(f"/v1/memories/{made['id']}").json()["content"] == "Mina drinks black tea"


def test_a_token_that_one_worker_revoked_is_refused_by_all(two, capsys):
    told, workers, path = two
    assert main(["token", "create", "other", "--db", str(path)]) == 0
    token = capsys.readouterr().out.strip()
    used = {}
    for worker in workers:
        with only(worker, workers):
            used[worker] = httpx.get(f"{told['url']}/v1/stats", headers=bearer(token), timeout=TIMEOUT).status_code
    assert set(used.values()) == {200}
    with only(workers[0], workers), CelestialMemory(path, rebalance_interval=None) as memory:
        memory.access.revoke(next(grant.id for grant in memory.access.tokens() if grant.name == "other"))
    for worker in workers:
        with only(worker, workers):
            assert httpx.get(f"{told['url']}/v1/stats", headers=bearer(token), timeout=TIMEOUT).status_code == 401


def test_a_session_of_one_worker_is_one_of_all_and_its_events_too(two):
    """Logged in at one, known to the other; a stream of the first tells what the second did, and so does /metrics."""
    told, (first, second), _ = two
    with only(first, [first, second]), httpx.Client(timeout=TIMEOUT) as client:
        assert client.get(told["dashboard"]).status_code == 303
    cookies = dict(client.cookies)
    with only(second, [first, second]):
        known = httpx.get(f"{told['url']}/dashboard/session", cookies=cookies, timeout=TIMEOUT)
        assert known.json()["csrf"]
    os.kill(second, signal.SIGSTOP)
    try:
        stream = httpx.stream("GET", f"{told['url']}/v1/events/stream", cookies=cookies, timeout=TIMEOUT)
        with stream as events:
            lines = events.iter_lines()
            assert next(lines).startswith("retry")
            os.kill(second, signal.SIGCONT)
            with only(second, [first, second]):
                made = httpx.post(
                    f"{told['url']}/v1/memories",
                    json={"content": "seen elsewhere"},
                    headers=bearer(told["token"]),
                    timeout=TIMEOUT,
                )
            changes = (json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {"))
            assert made.json()["id"] in (change.get("id") for change in changes)
    finally:
        os.kill(second, signal.SIGCONT)
    counts = []
    for worker in (first, second):
        with only(worker, [first, second]):
            metrics = httpx.get(f"{told['url']}/metrics", timeout=TIMEOUT).text
            counts.append(re.search(r'celestial_requests_total{operation="memory_save",status="201"} (\S+)', metrics))
    assert counts[0][1] == counts[1][1] != "0.0"


def test_every_worker_is_the_server_that_the_dashboard_looks_for(two, capsys):
    told, workers, path = two
    for worker in workers:
        with only(worker, workers):
            assert main(["dashboard", "--db", str(path), "--json"]) == 0
            assert json.loads(capsys.readouterr().out)["url"] == told["url"]


def test_an_mcp_client_may_be_answered_by_any_worker(two):
    """It shook hands with one, and calls a tool of the other."""
    told, (first, second), _ = two

    def call(method: str, **params: object) -> dict:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = httpx.post(f"{told['url']}/mcp", json=message, headers=bearer(told["token"]) | CALL, timeout=TIMEOUT)
        assert answer.status_code == 200, answer.text
        data = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
        return json.loads(data[-1] if data else answer.text)["result"]

    with only(first, [first, second]):
        hello = call(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "test", "version": "1"},
        )
        assert hello["serverInfo"]["name"]
    with only(second, [first, second]):
        stored = call("tools/call", name="memory_save", arguments={"content": "by MCP, at the second"})
        assert not stored.get("isError")
    with only(first, [first, second]):
        found = call("tools/call", name="memory_search", arguments={"query": "by MCP, at the second"})
        assert "by MCP, at the second" in json.dumps(found)


def test_a_rate_limit_counts_over_all_workers(tmp_path):
    path = tmp_path / "memory.db"
    with CelestialMemory(path, rebalance_interval=None) as memory:
        token, _ = memory.access.grant("test")
    script = Path(__file__).with_name("limited_server.py")
    with announced([sys.executable, str(script), str(path), "2", "6"]) as (process, told):
        workers = workers_of(process)

        def ask(worker: int, times: int) -> list[int]:
            with only(worker, workers):
                return [
                    httpx.get(f"{told['url']}/v1/stats", headers=bearer(token), timeout=TIMEOUT).status_code
                    for _ in range(times)
                ]

        assert ask(workers[0], 3) == [200] * 3
        assert ask(workers[1], 4) == [200] * 3 + [429]
        assert ask(workers[0], 1) == [429]


def test_a_killed_worker_loses_nothing_and_another_takes_its_place(tmp_path):
    """kill -9 while clients store: everything acknowledged is there, the rest goes on, and there are two again."""
    path = tmp_path / "memory.db"
    kept: list[str] = []
    enough, killed = threading.Event(), threading.Event()
    with started(path, "--workers", "2", "--no-mcp") as (process, told):
        workers = workers_of(process)

        def store(name: int) -> None:
            after_the_kill = 0
            while after_the_kill < 5:
                with httpx.Client(base_url=told["url"], headers=bearer(told["token"]), timeout=TIMEOUT) as client:
                    try:
                        for number in range(10):
                            answer = client.post("/v1/memories", json={"content": f"number {number} of {name}"})
                            if answer.status_code == 429:
                                continue
                            assert answer.status_code == 201
                            kept.append(answer.json()["id"])
                            after_the_kill += killed.is_set()
                            if len(kept) > 20:
                                enough.set()
                    except httpx.TransportError:
                        pass  # the worker that was killed: unanswered, so not acknowledged

        threads = [threading.Thread(target=store, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        assert enough.wait(TIMEOUT)
        os.kill(workers[0], signal.SIGKILL)
        killed.set()
        for thread in threads:
            thread.join()
        while len(now := workers_of(process)) < 2:
            assert process.poll() is None
            os.sched_yield()
        assert workers[0] not in now
        assert workers[1] in now
        process.send_signal(signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0
    with CelestialMemory(path, rebalance_interval=None) as memory:
        assert memory.maintenance.check() == []
        assert memory.ledger.verify().ok
        for item_id in kept:
            memory.get(item_id)


def test_workers_of_a_killed_parent_end_too(tmp_path):
    with started(tmp_path / "memory.db", "--workers", "2", "--no-mcp") as (process, told):
        workers = workers_of(process)
        process.kill()
        process.wait(TIMEOUT)
        while any("spawn_main" in _command_of(str(pid)) for pid in workers):
            os.sched_yield()
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{told['url']}/health", timeout=TIMEOUT)


def test_all_workers_finish_what_they_began(tmp_path):
    """One signal to the parent: the request that a worker reads is answered, a new one is not taken."""
    path = tmp_path / "memory.db"
    with started(path, "--workers", "2", "--no-mcp") as (process, told), half_sent(told, "begun before") as send:
        process.send_signal(signal.SIGTERM)
        while httpx.get(f"{told['url']}/ready", timeout=TIMEOUT).status_code == 200:
            pass
        assert send() == b"HTTP/1.1 201 Created"
        assert process.wait(TIMEOUT) == 0
    with CelestialMemory(path, rebalance_interval=None) as memory:
        assert [item.content for item in memory.list()] == ["begun before"]


def test_a_second_signal_kills_all_workers(tmp_path):
    with started(tmp_path / "memory.db", "--workers", "2", "--no-mcp") as (process, told), half_sent(told, "never"):
        workers = workers_of(process)
        process.send_signal(signal.SIGTERM)
        while httpx.get(f"{told['url']}/ready", timeout=TIMEOUT).status_code == 200:
            pass
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert not any("spawn_main" in _command_of(str(pid)) for pid in workers)


@pytest.mark.parametrize("workers", ["0", "-1", "many", "65", "1.5"])
def test_a_number_of_workers_is_checked(workers, tmp_path, capsys):
    assert main(["serve", "--db", str(tmp_path / "m.db"), "--port", "0", f"--workers={workers}"]) == 2
    assert workers in capsys.readouterr().err


def test_workers_need_a_file(capsys):
    assert main(["serve", "--db", ":memory:", "--port", "0", "--workers", "2"]) == 2
    assert ":memory:" in capsys.readouterr().err
