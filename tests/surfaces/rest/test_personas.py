"""Personas over HTTP: the whole run at once, or as server-sent events."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

RUNS = "/v1/personas/runs"
EVENTS = {"accept": "text/event-stream"}


def messages(answer: httpx.Response) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in answer.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_a_run_is_one_answer(http) -> None:
    answer = http.post(RUNS, json={"question": "Shall we move?", "depth": 2, "offline": True})
    assert answer.status_code == 200
    run = answer.json()
    assert [step["sequence"] for step in run["answers"]] == [1, 2, 3, 4, 5, 6]
    assert len(run["reports"]) == 2
    assert run["reports"][0].keys() >= {"impact", "transparency", "reproducibility", "verifiability", "adjustment"}
    first = http.get(f"/v1/memories/{run['answers'][0]['memory_id']}").json()
    assert first["session_id"] == run["session_id"]
    (latest,) = http.get(RUNS, params={"limit": 1}).json()["runs"]
    assert (latest["session_id"], latest["finished"]) == (run["session_id"], True)


def test_a_run_as_events(http) -> None:
    body = {"question": "Shall we move?", "offline": True}
    with http.stream("POST", RUNS, json=body, headers=EVENTS) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        told = list(messages(answer))
    one_cycle = ["speaking", "answered"] * 3
    assert [name for name, _ in told] == ["started", *one_cycle, "cycle", "result"]
    assert told[0][1]["cycle"] == ["thesis", "antithesis", "synthesis"]
    assert told[2][1]["answer"]["persona_id"] == "thesis"
    assert told[-1][1]["answers"][0] == {
        name: value for name, value in told[2][1]["answer"].items() if name != "prompt_digest"
    }


@pytest.mark.parametrize("headers", [{}, EVENTS])
@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({"question": "x", "depth": 50, "offline": True}, 422, None),
        ({"question": "x", "depth": 0, "offline": True}, 422, None),
        ({"question": "", "offline": True}, 422, "not_both"),
        ({}, 422, "not_both"),
        ({"question": "x", "resume": "sess_1"}, 422, "not_both"),
        ({"question": "x"}, 422, "no_language_model"),
        ({"question": "x", "registry": "nonsense"}, 422, "unknown_choice"),
        ({"question": "x", "registry": "/etc/passwd"}, 422, "unknown_choice"),
        ({"question": "x", "registry": "mine.json"}, 422, "unknown_choice"),
        ({"resume": "sess_none", "offline": True}, 404, None),
    ],
)
def test_bad_requests_have_their_status(http, headers, body, status, reason) -> None:
    answer = http.post(RUNS, json=body, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/problem+json")
    if reason is not None:
        assert answer.json()["reason"] == reason


def test_a_failure_on_the_way_is_an_event(http, served, monkeypatch) -> None:
    from celestial_engine.personas.backends import EchoBackend

    generate = EchoBackend.generate

    def fails_second(self: Any, prompt: str, max_tokens: int) -> str:
        if "cycle step 2" in prompt:
            raise RuntimeError("out of order")
        return generate(self, prompt, max_tokens)

    monkeypatch.setattr(EchoBackend, "generate", fails_second)
    body = {"question": "Shall we move?", "offline": True}
    with http.stream("POST", RUNS, json=body, headers={**EVENTS, "accept-language": "ko"}) as answer:
        told = list(messages(answer))
    name, problem = told[-1]
    assert name == "problem"
    assert (problem["code"], problem["status"]) == ("persona_run", 502)
    assert "답하지 못했습니다" in problem["detail"]
    monkeypatch.undo()
    again = http.post(RUNS, json={"resume": problem["fields"]["session_id"], "offline": True}).json()
    assert [step["sequence"] for step in again["answers"]] == [1, 2, 3]


def test_who_leaves_stops_the_run(http, served, monkeypatch) -> None:
    from celestial_engine.personas.backends import EchoBackend

    asked, gone = [], threading.Event()

    def waits(self: Any, prompt: str, max_tokens: int) -> str:
        asked.append(prompt)
        if len(asked) > 1:
            gone.wait(10)
        return "an answer"

    monkeypatch.setattr(EchoBackend, "generate", waits)
    body = {"question": "Shall we move?", "depth": 10, "offline": True}
    with http.stream("POST", RUNS, json=body, headers=EVENTS) as answer:
        for name, _ in messages(answer):
            if name == "answered":
                break
    threading.Timer(2.5, gone.set).start()
    for thread in threading.enumerate():
        if thread.name == "celestial-events":
            thread.join(20)
    assert len(asked) < 30
    (latest,) = http.get(RUNS, params={"limit": 1}).json()["runs"]
    assert not latest["finished"]


def test_there_are_not_too_many_at_once(http, monkeypatch) -> None:
    from celestial_engine.surfaces.rest import events

    monkeypatch.setattr(events, "_places", threading.BoundedSemaphore(1))
    events._places.acquire()
    body = {"question": "Shall we move?", "offline": True}
    refused = http.post(RUNS, json=body, headers=EVENTS)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
    events._places.release()
    for _ in range(3):
        assert http.post(RUNS, json=body, headers=EVENTS).status_code == 200


def test_a_registry_is_shown_without_its_secrets(http) -> None:
    shown = http.get("/v1/personas/registry", params={"registry": "planning-ko"}).json()
    assert shown["cycle"] == ["planner", "critic", "facilitator"]
    assert shown["ready_made"] == ["dialectic", "code-review", "planning-ko"]
    assert set(shown["backends"][0]) == {"id", "type", "model", "timeout"}


def test_a_reader_may_look_but_not_run(served) -> None:
    from celestial_engine.core.access import Scope

    token, _ = served.memory.access.grant("reader", frozenset({Scope.READ}))
    with served.client(token) as client:
        assert client.get(RUNS).status_code == 200
        assert client.post(RUNS, json={"question": "x", "offline": True}).status_code == 403
        assert client.post(RUNS, json={"question": "x", "offline": True}, headers=EVENTS).status_code == 403


def test_a_broken_registry_of_the_server_does_not_tell_its_path(serve, tmp_path) -> None:
    from celestial_engine import CelestialMemory, Settings

    settings = Settings(personas=tmp_path / "secret-folder" / "mine.json")
    with (
        CelestialMemory(tmp_path / "m.db", rebalance_interval=None, settings=settings) as memory,
        serve(memory) as server,
        server.client() as client,
    ):
        answer = client.post(RUNS, json={"question": "x"})
        assert answer.status_code == 422
        assert "secret-folder" not in answer.text


def test_without_a_model_the_registry_is_named(http) -> None:
    problem = http.post(RUNS, json={"question": "x"})
    assert "CELESTIAL_PERSONAS" not in problem.text
    assert "dialectic" in problem.text
