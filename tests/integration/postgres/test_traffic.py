"""Servers on one PostgreSQL under mixed traffic: nothing lost, counts exact, no row of another owner."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import defaultdict
from contextlib import ExitStack

import psycopg
import pytest
from tests.postgres_server import Server
from tests.surfaces.server_process import started

from celestial_engine import CelestialMemory
from celestial_engine.storage.postgres.schema.tables import OWNER_TABLES

pytestmark = pytest.mark.slow
pytest.importorskip("fastapi")

USERS = ("anna", "bert", "chris")
SERVERS, CLIENTS, SECONDS = 4, 6, 8.0


class Traffic:
    """Clients that store and search for several owners at several servers, and note what was acknowledged."""

    def __init__(self, servers: list[str], tokens: dict[str, str]) -> None:
        self.servers, self.tokens = list(servers), tokens
        self.acknowledged: dict[str, list[str]] = defaultdict(list)
        self.unanswered: dict[str, int] = defaultdict(int)
        self.foreign: list[str] = []
        self.refused: list[tuple[int, str]] = []
        self._ended, self._lock = threading.Event(), threading.Lock()

    def run(self, seconds: float, half_way: object = None) -> None:
        clients = [threading.Thread(target=self._client, args=(number,)) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        time.sleep(seconds / 2)
        if callable(half_way):
            half_way()
        time.sleep(seconds / 2)
        self._ended.set()
        for client in clients:
            client.join()

    def _client(self, number: int) -> None:
        dice, sent = random.Random(number), 0
        while not self._ended.is_set():
            user, server = dice.choice(USERS), dice.choice(self.servers)
            if dice.random() < 0.5:
                sent += 1
                self._store(server, user, f"{user} note {number}-{sent} about coffee")
            else:
                self._search(server, user)

    def _store(self, server: str, user: str, content: str) -> None:
        try:
            answer = self._post(server, "/v1/memories", user, {"content": content})
        except urllib.error.HTTPError as error:
            self.refused.append((error.code, error.read().decode()))
        except OSError:  # the server was killed: it may or may not be stored
            with self._lock:
                self.unanswered[user] += 1
        else:
            with self._lock:
                self.acknowledged[user].append(answer["id"])

    def _search(self, server: str, user: str) -> None:
        body = {"query": "coffee", "reinforce": random.random() < 0.5}
        try:
            answer = self._post(server, "/v1/memories/search", user, body)
        except urllib.error.HTTPError as error:
            self.refused.append((error.code, error.read().decode()))
        except OSError:
            return
        else:
            text = json.dumps(answer)
            self.foreign += [text for other in USERS if other != user and f"{other} note" in text]

    def _post(self, server: str, route: str, user: str, body: dict[str, object]) -> dict[str, str]:
        request = urllib.request.Request(
            server + route,
            json.dumps(body).encode(),
            {"authorization": f"Bearer {self.tokens[user]}", "content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return dict(json.loads(answer.read()))


def tokens_of(url: str) -> dict[str, str]:
    tokens = {}
    for user in USERS:
        with CelestialMemory(url, user_id=user, rebalance_interval=None, embedder="none") as memory:
            tokens[user] = memory.access.grant("traffic")[0]
    return tokens


def check_store(url: str, traffic: Traffic) -> None:
    assert traffic.refused == []
    assert traffic.foreign == []
    for user in USERS:
        with CelestialMemory(url, user_id=user, rebalance_interval=None, embedder="none") as memory:
            there = {record["id"] for record in memory.transfer.export()}
            assert there >= set(traffic.acknowledged[user])
            assert len(there) - len(traffic.acknowledged[user]) <= traffic.unanswered[user]
            assert memory.stats()["total"] == len(there)
            assert memory.ledger.verify().ok
            assert memory.maintenance.check() == []


@pytest.fixture(autouse=True)
def _no_embedder(monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "none")
    monkeypatch.setenv("CELESTIAL_POOL_SIZE", "6")


@pytest.mark.parametrize("row_security", [True, False])
def test_four_servers_under_mixed_traffic(url, postgres: Server, row_security):
    """Also when one of them is killed half way."""
    tokens = tokens_of(url)
    if not row_security:
        with psycopg.connect(url, autocommit=True) as connection:
            for table in OWNER_TABLES:
                connection.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
    with ExitStack() as stack:
        servers = [stack.enter_context(started(url)) for _ in range(SERVERS)]
        traffic = Traffic([told["url"] for _, told in servers], tokens)
        traffic.run(SECONDS, half_way=servers[0][0].kill)
    assert sum(map(len, traffic.acknowledged.values())) > 20
    check_store(url, traffic)


def test_workers_of_one_server(url):
    """`serve --workers` shares the database among its processes."""
    tokens = tokens_of(url)
    with started(url, "--workers", "2") as (process, told):
        traffic = Traffic([told["url"]], tokens)
        traffic.run(4.0)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert sum(map(len, traffic.acknowledged.values())) > 10
    assert not any(traffic.unanswered.values())
    check_store(url, traffic)


def test_the_night_of_all_owners_in_processes(url):
    tokens_of(url)
    for user in USERS:
        with CelestialMemory(url, user_id=user, rebalance_interval=None, embedder="none") as memory:
            memory.store_many([f"{user} 기억 {n} about tea" for n in range(5)])
    slept = subprocess.run(
        [sys.executable, "-m", "celestial_engine", "sleep", "--all", "--workers", "2", "--json", "--db", url],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert slept.returncode == 0, slept.stderr
    for user in USERS:
        with CelestialMemory(url, user_id=user, rebalance_interval=None, embedder="none") as memory:
            assert sum(event.type.value == "slept" for event in memory.ledger.history(limit=100)) == 1
            assert memory.ledger.verify().ok
