"""Clients that store, search and recall for several owners at several servers, and check that nothing is lost."""

from __future__ import annotations

import json
import random
import threading
import time
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Callable

import psycopg

from celestial_engine import CelestialMemory
from celestial_engine.storage.postgres.schema.tables import OWNER_TABLES

USERS = ("anna", "bert", "chris")
CLIENTS = 6
OPTIONS = {"rebalance_interval": None, "embedder": "none"}
_HITS = 5
_TOWNS = ("Busan", "Seoul", "Paris", "Oslo", "Lima", "Rome", "Cairo", "Delhi")


class Traffic:
    """Notes what was acknowledged. It ends after so many requests, or so many seconds."""

    def __init__(self, servers: list[str], tokens: dict[str, str]) -> None:
        self.servers, self.tokens = list(servers), tokens
        self.acknowledged: dict[str, list[str]] = defaultdict(list)
        self.recalled: Counter[str] = Counter()  # hits of recalls that were answered
        self.shown: Counter[str] = Counter()  # and those that may not have been counted
        self.unanswered_stores: Counter[str] = Counter()
        self.unanswered_recalls: Counter[str] = Counter()
        self.foreign: list[str] = []
        self.refused: list[tuple[int, str]] = []
        self.sent = self.stores = 0
        self._half_done, self._lock = threading.Event(), threading.Lock()
        self._most: int | None = None
        self._until: tuple[float, float] | None = None  # the middle and the end, by the monotonic clock

    def run(
        self, requests: int | None = None, seconds: float | None = None, half_way: Callable[[], None] | None = None
    ) -> None:
        self._most = requests
        if seconds is not None:
            now = time.monotonic()
            self._until = now + seconds / 2, now + seconds
        clients = [threading.Thread(target=self._client, args=(number,)) for number in range(CLIENTS)]
        for client in clients:
            client.start()
        self._half_done.wait()
        if half_way is not None:
            half_way()
        for client in clients:
            client.join()

    def _another(self) -> bool:
        """Counts a request; False if it would be one too many."""
        with self._lock:
            half, end = self._most is not None and self.sent >= self._most / 2, self.sent == self._most
            if self._until is not None:
                half, end = (time.monotonic() >= moment for moment in self._until)
            if half or end:
                self._half_done.set()
            self.sent += not end
            return not end

    def _client(self, number: int) -> None:
        dice, stored = random.Random(number), 0
        while self._another():
            user, server, what = dice.choice(USERS), dice.choice(self.servers), dice.random()
            if what < 0.5:
                stored += 1
                town, day = dice.choice(_TOWNS), dice.randrange(1, 29)
                self._store(server, user, f"{user} note {number}-{stored}: coffee with Tom in {town} on May {day}")
            else:
                self._search(server, user, reinforce=what < 0.75)

    def _store(self, server: str, user: str, content: str) -> None:
        with self._lock:
            self.stores += 1
        try:
            answer = self._post(server, "/v1/memories", user, {"content": content})
        except urllib.error.HTTPError as error:
            self.refused.append((error.code, error.read().decode()))
        except OSError:  # the server was killed: it may or may not be stored
            with self._lock:
                self.unanswered_stores[user] += 1
        else:
            with self._lock:
                self.acknowledged[user].append(answer["id"])

    def _search(self, server: str, user: str, *, reinforce: bool) -> None:
        body = {"query": "coffee", "reinforce": reinforce, "limit": _HITS}
        try:
            answer = self._post(server, "/v1/memories/search", user, body)
        except urllib.error.HTTPError as error:
            self.refused.append((error.code, error.read().decode()))
        except OSError:
            with self._lock:
                self.unanswered_recalls[user] += reinforce
        else:
            text = json.dumps(answer)
            with self._lock:
                if reinforce:
                    # A statement that another has replaced is shown and not counted.
                    self.shown[user] += len(answer["hits"])
                    self.recalled[user] += sum(hit["memory"]["superseded_by"] is None for hit in answer["hits"])
                self.foreign += [text for other in USERS if other != user and f"{other} note" in text]

    def _post(self, server: str, route: str, user: str, body: dict[str, object]) -> dict[str, str]:
        request = urllib.request.Request(
            server + route,
            json.dumps(body).encode(),
            {"authorization": f"Bearer {self.tokens[user]}", "content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return dict(json.loads(answer.read()))

    def check(self, url: str) -> None:
        """Compares what was acknowledged with what is stored, for each owner."""
        assert self.refused == []
        assert self.foreign == []
        acknowledged = sum(map(len, self.acknowledged.values()))
        assert acknowledged + self.unanswered_stores.total() == self.stores > 0
        for user in USERS:
            with CelestialMemory(url, user_id=user, **OPTIONS) as memory:
                records = list(memory.transfer.export())
                there, recalls = {record["id"] for record in records}, sum(each["recall_count"] for each in records)
                assert there >= set(self.acknowledged[user])
                assert len(there) - len(self.acknowledged[user]) <= self.unanswered_stores[user]
                assert self.recalled[user] <= recalls <= self.shown[user] + _HITS * self.unanswered_recalls[user]
                assert all(record["content"].startswith(f"{user} note ") for record in records)
                assert memory.stats()["total"] == len(there)
                assert memory.ledger.verify().ok
                assert memory.maintenance.check() == []


def tokens_of(url: str) -> dict[str, str]:
    tokens = {}
    for user in USERS:
        with CelestialMemory(url, user_id=user, **OPTIONS) as memory:
            tokens[user] = memory.access.grant("traffic")[0]
    return tokens


def turn_row_security_off(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for table in OWNER_TABLES:
            connection.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
