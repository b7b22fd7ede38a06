"""The stream of changes: whoever makes them, in order, to their owner alone, and from where one left off."""

from __future__ import annotations

import json
from itertools import islice

import pytest
from fastapi.testclient import TestClient

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.core.access import EVERYTHING, Scope
from celestial_engine.surfaces.dashboard import stream
from celestial_engine.surfaces.dashboard.stream import PATH, Pace, Streams
from celestial_engine.surfaces.rest.app import build_app

OPTIONS = {
    "embedder": "none",
    "rebalance_interval": None,
    "settings": Settings(StorageSettings("normal", words="pairs")),
}


@pytest.fixture
def memory(tmp_path):
    with CelestialMemory(tmp_path / "m.db", **OPTIONS) as one:
        yield one


def messages(lines):
    """What a browser would make of the lines: (id, event, data), without heartbeats."""
    told: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if line and name:
            told[name] = value
        elif not line and "event" in told:
            yield int(told["id"]), told["event"], json.loads(told["data"])
            told = {}


def test_changes_are_told_whoever_makes_them(served, tmp_path_factory):
    """Another engine on the same file is another process to this one; an owner hears of themselves alone."""
    with served.client() as client, client.stream("GET", PATH) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.iter_lines()
        assert next(lines) == "retry: 2000"
        with CelestialMemory(served.memory.path, **OPTIONS) as another:
            another.of("ana").store("not yours")
            mine = another.store("yours")
            another.forget(mine.id)
        (first, kind, data), (second, _, then) = islice(messages(lines), 2)
        assert (kind, data["type"], data["id"]) == ("change", "stored", mine.id)
        assert (then["type"], then["id"]) == ("forgotten", mine.id)
        assert data["event"] == first < second
    # Who lost the connection goes on after what they saw.
    with served.client() as client, client.stream("GET", PATH, headers={"last-event-id": str(first)}) as answer:
        assert next(messages(answer.iter_lines()))[0] == second


@pytest.mark.parametrize("seen", ["999999999999", "0"])
def test_who_missed_too_much_is_told_to_look_anew(served, monkeypatch, seen):
    """A number of another past, or one from long ago, leads to a reset and to the newest entry."""
    monkeypatch.setattr(stream, "_TOO_FAR_BEHIND", 0)
    served.memory.store("something")
    with served.client() as client, client.stream("GET", PATH, headers={"last-event-id": seen}) as answer:
        number, kind, _ = next(messages(answer.iter_lines()))
        assert (kind, number) == ("reset", served.memory.ledger.head().number)


def test_a_stream_needs_a_token_and_ends_with_it(served):
    """No token, no stream; one that may not read gets none; one that is revoked meanwhile hears no more."""
    import httpx

    assert httpx.get(f"{served.url}{PATH}").status_code == 401
    admin, _ = served.memory.access.grant("admin", [Scope.ADMIN])
    with served.client(admin) as client:
        assert client.get(PATH).status_code == 403
    token, grant = served.memory.access.grant("passing", EVERYTHING)
    with served.client(token) as client, client.stream("GET", PATH) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "retry: 2000"
        served.memory.access.revoke(grant.id)
        assert not [line for line in lines if line.startswith("event")]


def test_there_are_not_too_many(memory):
    """Of one token, and of all; who leaves makes room, and after the end nobody comes in."""
    streams = Streams(Pace(most_open=3, most_open_of_one=2))
    assert [streams.admit(name) for name in ("a", "a", "a", "b", "b")] == [True, True, False, True, False]
    streams.leave("a")
    assert streams.admit("b")
    streams.end()
    streams.leave("b")
    assert not streams.admit("c")


def test_places_are_given_back(memory):
    """A stream that ends frees its place, so that coming again and again never runs out."""
    token, _ = memory.access.grant("t", EVERYTHING)
    app = build_app(memory)
    client = TestClient(app, base_url="http://localhost", headers={"authorization": f"Bearer {token}"})
    streams = app.state.streams
    streams.pace = Pace(look_seconds=0.001, looks_at_most=3, looks_a_heartbeat=1, most_open=1)
    for _ in range(3):
        assert ": still here" in client.get(PATH).text
    assert streams.open == 0
    streams.end()
    assert client.get(PATH).status_code == 429
