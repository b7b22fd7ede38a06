"""Long calls as tasks, for clients that declare the extension (2026-07-28)."""

from __future__ import annotations

import itertools
import threading
import time

import httpx2
import pytest

from celestial_engine import CelestialMemory
from celestial_engine.core.access import EVERYTHING, Scope
from celestial_engine.surfaces.mcp.tasks import EXTENSION

META = "io.modelcontextprotocol/"
NUMBERS = itertools.count(1)


@pytest.fixture
def memory(tmp_path):
    with CelestialMemory(tmp_path / "m.db", embedder="none", rebalance_interval=None) as opened:
        yield opened


@pytest.fixture
def address(memory, ways):
    with ways.served(memory) as url:
        yield url


def ask(address, token, method, params, *, tasks=True):
    """One request as a client of 2026-07-28 sends it; returns the result, or the error."""
    capabilities = {"elicitation": {}, "extensions": {EXTENSION: {}}} if tasks else {"elicitation": {}}
    meta = {f"{META}protocolVersion": "2026-07-28", f"{META}clientCapabilities": capabilities}
    body = {"jsonrpc": "2.0", "id": next(NUMBERS), "method": method, "params": {**params, "_meta": meta}}
    headers = {
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {token}",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        "Mcp-Name": params.get("taskId") or params.get("name", ""),
    }
    answer = httpx2.post(f"{address}/mcp", json=body, headers=headers, timeout=60).json()
    return answer.get("result") or answer["error"]


def call(address, token, tool, arguments, **more):
    return ask(address, token, "tools/call", {"name": tool, "arguments": arguments}, **more)


def settled(address, token, task_id):
    while (task := ask(address, token, "tasks/get", {"taskId": task_id}))["status"] == "working":
        time.sleep(0.02)
    return task


def test_a_night_is_a_task_for_who_knows_tasks(memory, address):
    token, _ = memory.access.grant("all", EVERYTHING)
    memory.store("The printer is out of paper")
    made = call(address, token, "sleep_cycle_run", {"force": True})
    assert (made["resultType"], made["status"]) == ("task", "working")
    done = settled(address, token, made["taskId"])
    assert done["status"] == "completed"
    plain = call(address, token, "sleep_cycle_run", {"force": True}, tasks=False)
    assert done["result"]["structuredContent"].keys() == plain["structuredContent"].keys()
    assert call(address, token, "memory_stats", {})["resultType"] == "complete"


def test_a_mistake_is_the_result_of_its_task(memory, address):
    token, _ = memory.access.grant("all", EVERYTHING)
    made = call(address, token, "sleep_cycle_run", {"duties": ["nonsense"]})
    done = made if "content" in made else settled(address, token, made["taskId"])["result"]
    assert done["isError"]


def test_tasks_are_for_their_owner_and_scope_alone(memory, address):
    token, _ = memory.access.grant("all", EVERYTHING)
    reading, _ = memory.access.grant("reads", [Scope.READ])
    other, _ = memory.of("other").access.grant("other", EVERYTHING)
    task = call(address, token, "sleep_cycle_run", {"force": True})["taskId"]
    for stranger in (other, reading):
        for method in ("tasks/get", "tasks/cancel", "tasks/update"):
            assert ask(address, stranger, method, {"taskId": task})["code"] == -32602
    assert settled(address, token, task)["status"] == "completed"
    assert ask(address, token, "tasks/get", {"taskId": "unknown"})["code"] == -32602
    assert ask(address, token, "tasks/get", {"taskId": task}, tasks=False)["code"] == -32021


def test_a_night_that_is_cancelled_ends_between_two_batches(memory, address, monkeypatch):
    """What is done by then stays done, and nothing is half done."""
    token, _ = memory.access.grant("all", EVERYTHING)
    begun, go_on = threading.Event(), threading.Event()
    plain = CelestialMemory.sleep

    def waiting(self, *args, progress=None, **more):
        def report(duty, done, of):
            begun.set()
            assert go_on.wait(60)
            progress(duty, done, of)

        report(None, 0, 1)
        return plain(self, *args, progress=report, **more)

    monkeypatch.setattr(CelestialMemory, "sleep", waiting)
    task = call(address, token, "sleep_cycle_run", {"force": True})["taskId"]
    assert begun.wait(60)
    assert ask(address, token, "tasks/cancel", {"taskId": task}) == {"resultType": "complete"} | _server_info(
        address, token, task
    )
    go_on.set()
    assert settled(address, token, task)["status"] == "cancelled"
    assert "content" not in ask(address, token, "tasks/get", {"taskId": task})


def _server_info(address, token, task):
    """What the server says about itself with every answer."""
    answer = ask(address, token, "tasks/cancel", {"taskId": task})
    return {name: value for name, value in answer.items() if name == "_meta"}


def test_import_and_reindex_are_tasks_too(memory, address):
    token, _ = memory.access.grant("all", EVERYTHING)
    made = call(address, token, "reindex", {})
    assert made["resultType"] == "task"
    assert settled(address, token, made["taskId"])["status"] == "completed"
    asked = call(address, token, "memory_import", {"records": []})
    assert asked["resultType"] == "input_required", "the user's word comes before the task"


def test_several_processes_offer_no_tasks(memory):
    from celestial_engine.surfaces.mcp.desk import Desk, Guest
    from celestial_engine.surfaces.mcp.server import build_server

    alone = build_server(lambda: Desk.over(memory), lambda _: Guest(memory.owner))
    among = build_server(lambda: Desk.over(memory), lambda _: Guest(memory.owner), state_key=b"k" * 32)
    assert EXTENSION in alone.extensions
    assert EXTENSION not in among.extensions
    assert among.get_request_handler("tasks/get") is None
