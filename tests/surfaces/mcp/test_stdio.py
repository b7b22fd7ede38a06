"""One process a client: greeted at once, unmoved by garbage, gone when the client is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import mcp_types.version as versions
import pytest
from tools import mcp_tools

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.mcp import greeting
from celestial_engine.surfaces.mcp.profiles import Profile

META = "io.modelcontextprotocol/"


def hello(version):
    if version in greeting.MODERN_VERSIONS:
        client = {f"{META}clientInfo": {"name": "plain", "version": "1"}, f"{META}clientCapabilities": {}}
        return {"method": "server/discover", "params": {"_meta": {f"{META}protocolVersion": version, **client}}}
    client = {"capabilities": {}, "clientInfo": {"name": "plain", "version": "1"}}
    return {"method": "initialize", "params": {"protocolVersion": version, **client}}


# -- the greeting ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2025-11-25", "2024-11-05", "2026-07-28"])
def test_the_greeting_is_what_the_server_says(version, tmp_path, plain):
    """A line of garbage before it makes the server answer itself: the same, word by word."""
    asked = hello(version)
    said = greeting.greeting({"jsonrpc": "2.0", "id": 1, **asked})
    greeted = plain(tmp_path / "a.db", greet=False)
    assert greeted.ask(asked["method"], asked["params"]) == said
    answered = plain(tmp_path / "b.db", greet=False)
    answered.write(b"garbage\n")
    assert answered.ask(asked["method"], asked["params"]) == said
    assert len(greeted.leave().splitlines()) <= len(answered.leave().splitlines())


def test_the_greeting_knows_every_version():
    assert versions.HANDSHAKE_PROTOCOL_VERSIONS == greeting.HANDSHAKE_VERSIONS
    assert versions.MODERN_PROTOCOL_VERSIONS == greeting.MODERN_VERSIONS


@pytest.mark.parametrize(
    "request_",
    [
        None, [], 3, {}, {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": None, **hello("2025-11-25")},
        {"jsonrpc": "2.0", "id": True, **hello("2025-11-25")},
        {"jsonrpc": "2.0", "id": 1, **hello("2099-01-01")},
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}},
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}},
        {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": {f"{META}protocolVersion": "2026-07-28"}}},
    ],
)  # fmt: skip
def test_whatever_is_not_sure_is_left_to_the_server(request_):
    assert greeting.greeting(request_) is None


# -- the tools ------------------------------------------------------------------------------------------


def test_the_file_of_tools_is_what_the_server_lists():
    assert mcp_tools.FILE.read_text(encoding="utf-8") == mcp_tools.written(), "out of date: make docs"


@pytest.mark.slow
@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize("version", ["2025-11-25", "2024-11-05", "2026-07-28"])
def test_the_door_lists_the_tools_as_the_server_does(version, profile, tmp_path, plain):
    """An empty cursor leaves the question to the server: it says the same, word by word."""
    asked = hello(version)
    named = {"_meta": asked["params"]["_meta"]} if version in greeting.MODERN_VERSIONS else {}
    greeted = greeting.greeting({"jsonrpc": "2.0", "id": 1, **asked})
    client = plain(tmp_path / "m.db", "--tools", profile.value, greet=False)
    assert client.ask(asked["method"], asked["params"]) == greeted
    said = client.ask("tools/list", named)
    assert said == greeting.listing(
        {"jsonrpc": "2.0", "id": said["id"], "method": "tools/list", "params": named}, greeted, profile.value
    )
    if version not in greeting.MODERN_VERSIONS:
        client.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    assert client.ask("tools/list", {**named, "cursor": None})["result"] == said["result"]


GREETED = greeting.greeting({"jsonrpc": "2.0", "id": 1, **hello("2025-11-25")})
MODERN = {"_meta": hello("2026-07-28")["params"]["_meta"]}


@pytest.mark.parametrize(
    ("request_", "greeted"),
    [
        (None, GREETED), ([], GREETED), ({}, GREETED),
        ({"jsonrpc": "2.0", "id": 2, "method": "tools/call"}, GREETED),
        ({"jsonrpc": "1.0", "id": 2, "method": "tools/list"}, GREETED),
        ({"jsonrpc": "2.0", "method": "tools/list"}, GREETED),
        ({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": []}, GREETED),
        ({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"cursor": "2"}}, GREETED),
        ({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": MODERN}, GREETED),
        ({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, None),
        ({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, greeting.greeting({"jsonrpc": "2.0", "id": 1, **hello("2026-07-28")})),
    ],
)  # fmt: skip
def test_a_list_that_is_not_sure_is_left_to_the_server(request_, greeted):
    assert greeting.listing(request_, greeted, "essential") is None


def test_a_damaged_file_of_tools_leaves_the_list_to_the_server(monkeypatch):
    asked = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert greeting.listing(asked, GREETED, "essential") is not None
    for name in ("missing.json", "greeting.py"):
        monkeypatch.setattr(greeting, "LISTED_FILE", name)
        assert greeting.listing(asked, GREETED, "essential") is None


@pytest.mark.slow
def test_a_version_of_tomorrow_is_answered(tmp_path, plain):
    client = plain(tmp_path / "m.db", greet=False)
    answer = client.ask("initialize", hello("2099-01-01")["params"])
    assert answer["result"]["protocolVersion"] == versions.LATEST_HANDSHAKE_VERSION


def test_the_door_opens_before_anything_is_loaded():
    """Neither the protocol's library nor the engine: those take longer than a client likes to wait."""
    code = (
        "import sys; import celestial_engine.surfaces.cli.run, celestial_engine.surfaces.cli.commands.mcp, "
        "celestial_engine.surfaces.mcp.doorway; "
        "print([name for name in ('mcp', 'pydantic', 'anyio', 'sqlite3', 'celestial_engine.engine') "
        "if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


# -- bad company ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_garbage_changes_nothing(tmp_path, plain):
    client = plain(tmp_path / "m.db")
    for garbage in (
        b"garbage\n", b"\n", b"{}\n", b"[]\n", b'"text"\n', b"\xff\xfe\x00\n", b'{"jsonrpc": "2.0"}\n',
        b'{"jsonrpc": "2.0", "id": {}, "method": 3}\n', b'{"jsonrpc": "1.0", "id": 77, "method": "ping"}\n',
        b"[" * 50_000 + b"\n", b'{"jsonrpc": "2.0", "id": 99, "result": {}}\n', "안녕\n".encode(),
        b'{"jsonrpc": "2.0", "method": "notifications/nothing"}\n', b"x" * 1_000_000 + b"\n",
    ):  # fmt: skip
        client.write(garbage)
    assert client.call("memory_save", content="still here")["content"] == "still here"
    assert client.ask("nothing/known", {})["error"]["code"]
    assert client.call("memory_stats")["total"] == 1


def test_what_a_library_prints_does_not_reach_the_client(tmp_path):
    """Standard output carries the protocol; what anybody else writes there goes to standard error."""
    code = (
        "import os, sys, subprocess\n"
        "from celestial_engine.surfaces.mcp.doorway import Doorway\n"
        "door = Doorway(); door.greet()\n"
        "print('noise', flush=True); os.write(1, b'more noise'); subprocess.run(['echo', 'child noise'])\n"
        "assert sys.stdin.read() == ''\n"
        "door.outbox.write('{}\\n'); door.outbox.flush()\n"
    )
    request = json.dumps({"jsonrpc": "2.0", "id": 1, **hello("2025-11-25")})
    done = subprocess.run([sys.executable, "-c", code], input=request + "\n", capture_output=True, text=True)
    first, second = done.stdout.splitlines()
    assert json.loads(first)["id"] == 1
    assert second == "{}"
    assert "noise" in done.stderr
    assert "child noise" in done.stderr


# -- clients that go ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_client_that_leaves_ends_the_process(tmp_path, plain):
    """What it was told is stored is stored."""
    client = plain(tmp_path / "m.db")
    item_id = client.call("memory_save", content="before it left")["id"]
    complaints = client.leave()
    assert "Traceback" not in complaints
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        assert memory.get(item_id).content == "before it left"
        assert memory.maintenance.check() == []


@pytest.mark.slow
def test_a_client_that_never_spoke_ends_the_process(tmp_path, plain):
    assert "Traceback" not in plain(tmp_path / "m.db", greet=False).leave()


@pytest.mark.slow
def test_a_client_that_does_not_listen_any_more_has_gone(tmp_path, plain):
    """Its end of the pipe is closed while ours of the other is open."""
    client = plain(tmp_path / "m.db")
    client.process.stdout.close()
    with pytest.raises(BrokenPipeError):
        for number in range(1_200):
            client.send({"jsonrpc": "2.0", "id": number, "method": "tools/list", "params": {}})
            time.sleep(0.05)  # for the other side to notice
    assert client.process.wait(60) == 0
    assert "Traceback" not in client.process.stderr.read().decode()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_asked_to_end_it_ends(number, tmp_path, plain):
    client = plain(tmp_path / "m.db")
    client.call("memory_save", content="before the end")
    client.process.send_signal(number)
    assert client.process.wait(60) == 0
    assert "Traceback" not in client.process.stderr.read().decode()


@pytest.mark.slow
def test_a_killed_server_loses_nothing_it_confirmed(tmp_path, plain):
    confirmed = []
    for round_ in range(3):
        client = plain(tmp_path / "m.db")
        texts = [f"round {round_} memory {number}" for number in range(20)]
        confirmed.extend(client.call("memory_save", content=text)["id"] for text in texts)
        os.kill(client.process.pid, signal.SIGKILL)
        client.end()
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None) as memory:
        assert all(memory.get(item_id) for item_id in confirmed)
        assert memory.maintenance.check() == []
        assert memory.ledger.verify().ok


@pytest.mark.slow
def test_a_memory_that_cannot_be_opened_is_told_in_the_answer(tmp_path, plain):
    (tmp_path / "m.db").write_bytes(b"this is no database " * 100)
    client = plain(tmp_path / "m.db")
    result = client.ask("tools/call", {"name": "memory_stats", "arguments": {}})["result"]
    told = result["content"][0]["text"]
    assert json.loads(told)["error"] == "foreign_database"
    assert str(tmp_path) not in told  # where files lie is no business of a model
    client.leave()
