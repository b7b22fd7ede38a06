"""The door for peers: bounded before the database is touched, silent towards strangers."""

from __future__ import annotations

import asyncio

import pytest

from celestial_engine.core.federation.messages import MESSAGE_BYTES
from celestial_engine.surfaces.gossip.app import GossipApp
from celestial_engine.testing.fakes import FakeClock

HEADERS = ((b"content-type", b"application/octet-stream"),)


def ask(
    app, body=b"", *, path="/gossip", method="POST", headers=HEADERS, client="127.0.0.1", scheme="http", chunks=None
):
    sent = []
    parts = list(chunks if chunks is not None else [body])

    async def receive():
        part = parts.pop(0)
        if part is None:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "path": path,
        "method": method,
        "headers": headers,
        "client": (client, 5),
        "scheme": scheme,
    }
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], sent[1]["body"]


@pytest.fixture
def door(memory):
    memory.federation.join()
    return GossipApp(memory, FakeClock())


def test_what_is_no_message_for_us_is_refused(door, memory):
    assert ask(door, path="/other") == (404, b"not found")
    assert ask(door, method="GET") == (405, b"method")
    assert ask(door, headers=()) == (415, b"media type")
    assert ask(door, bytes(MESSAGE_BYTES + 1)) == (413, b"too_large")
    assert ask(door, chunks=[bytes(4_000)] * 3) == (413, b"too_large")
    assert memory.federation.status().rejected == {}  # it is written with the next message
    assert ask(door, b"hello") == (403, b"refused")
    assert memory.federation.status().rejected == {"too_large": 2, "garbage": 1}


def test_plain_http_from_elsewhere_is_refused(door):
    assert ask(door, client="192.0.2.7")[0] == 403
    assert ask(door, b"x", client="192.0.2.7", scheme="https") == (403, b"refused")


def test_strangers_do_not_learn_why(door, memory):
    """The reason would tell them who the peers are; it is counted instead."""
    assert ask(door, b"hello") == (403, b"refused")
    assert ask(door, b"") == (403, b"refused")
    assert memory.federation.status().rejected == {"garbage": 1, "truncated": 1}


def test_a_slow_body_is_cut_off(door, memory, monkeypatch):
    monkeypatch.setattr("celestial_engine.surfaces.gossip.app._BODY_SECONDS", 0.05)
    assert ask(door, chunks=[b"CELG", None]) == (408, b"too slow")
    ask(door, b"hello")
    assert memory.federation.status().rejected == {"too_slow": 1, "garbage": 1}


def test_a_flood_is_turned_away_before_the_database(door, memory):
    clock = FakeClock()
    door = GossipApp(memory, clock)
    answers = [ask(door, b"x")[0] for _ in range(130)]
    assert answers.count(503) == 30
    assert memory.federation.status().rejected == {"garbage": 100}
    clock.advance(seconds=2)
    ask(door, b"x")
    assert memory.federation.status().rejected == {"garbage": 101, "too_many": 30}


def test_who_takes_no_part_refuses_everything(memory):
    assert ask(GossipApp(memory), b"x") == (403, b"refused")
