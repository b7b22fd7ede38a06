"""The server as people start it: a process, its first lines, its end; and the page that tells of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from tests.surfaces.server_process import bearer, half_sent, started

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.cli import main

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def test_the_first_start_makes_a_token_and_shows_it_once(tmp_path):
    """Address, token, the line for Claude Code; the next start shows no token, and the first one still works."""
    path = tmp_path / "memory.db"
    with started(path) as (process, told):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", told["url"])
        assert told["claude_mcp_add"] == (
            f"claude mcp add --transport http celestial {told['url']}/mcp "
            f'--header "Authorization: Bearer {told["token"]}"'
        )
        answer = httpx.post(f"{told['url']}/v1/memories", json={"content": "kept"}, headers=bearer(told["token"]))
        assert answer.status_code == 201
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    with started(path, "--no-mcp") as (_, again):
        assert again["token"] is None
        assert again["claude_mcp_add"] is None
        found = httpx.post(
            f"{again['url']}/v1/memories/search", json={"query": "kept"}, headers=bearer(told["token"])
        )
        assert [hit["memory"]["content"] for hit in found.json()["hits"]] == ["kept"]


def test_it_ends_only_when_what_was_asked_is_answered(tmp_path):
    """SIGTERM in the middle of requests: each one is answered or was never taken, and what was answered is kept."""
    path = tmp_path / "memory.db"
    kept: list[str] = []
    with started(path) as (process, told):
        some = threading.Event()

        def store() -> None:
            with httpx.Client(base_url=told["url"], headers=bearer(told["token"]), timeout=30) as client:
                for number in range(10_000):
                    try:
                        answer = client.post("/v1/memories", json={"content": f"number {number}"})
                    except httpx.TransportError:
                        return
                    if answer.status_code == 503:
                        assert answer.json()["code"] == "draining"
                        return
                    assert answer.status_code == 201
                    kept.append(answer.json()["id"])
                    some.set()

        threads = [threading.Thread(target=store) for _ in range(4)]
        for thread in threads:
            thread.start()
        assert some.wait(30)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        for thread in threads:
            thread.join()
    with CelestialMemory(path, rebalance_interval=None) as memory:
        assert memory.maintenance.check() == []
        for item_id in kept:
            memory.get(item_id)


def test_it_does_not_listen_to_everybody_without_a_token(tmp_path, capsys):
    """Beyond loopback there must be a token first; nothing is opened, and nothing is made up."""
    path = str(tmp_path / "memory.db")
    assert main(["serve", "--db", path, "--host", "0.0.0.0", "--port", "0"]) == 4
    assert "celestial token create" in capsys.readouterr().err
    assert main(["token", "list", "--db", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tokens"] == []


def test_a_port_that_is_taken_or_none_is_told(tmp_path, capsys):
    path = str(tmp_path / "memory.db")
    with started(tmp_path / "other.db") as (_, told):
        port = told["url"].rpartition(":")[2]
        assert main(["serve", "--db", path, "--port", port]) == 5
        assert port in capsys.readouterr().err
    assert main(["serve", "--db", path, "--port", "http"]) == 2


def test_tokens_are_made_listed_and_revoked_by_hand(tmp_path, capsys):
    """The token is shown once and kept nowhere; a revoked one stays listed."""
    path = str(tmp_path / "memory.db")

    def run(*arguments: str) -> str:
        assert main(["token", *arguments, "--db", path]) == 0
        return capsys.readouterr().out

    token = run("create", "laptop", "--scopes", "read", "--user", "mina").strip()
    assert token.startswith("cel_")
    (listed,) = json.loads(run("list", "--json"))["tokens"]
    assert (listed["name"], listed["owner"], listed["scopes"]) == ("laptop", "mina/default", ["read"])
    assert all(token.encode() not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    run("revoke", listed["id"])
    assert json.loads(run("list", "--json"))["tokens"][0]["revoked_at"] is not None
    assert main(["token", "create", "--db", path]) == 2
    assert main(["token", "revoke", "nobody", "--db", path]) == 3
    assert main(["token", "create", "x", "--scopes", "everything", "--db", path]) == 2


def test_an_export_comes_back_by_hand(tmp_path, capsys):
    """`import` reads what `export` wrote; a broken line is told by its number."""
    one, two, lines = (str(tmp_path / name) for name in ("one.db", "two.db", "lines.jsonl"))
    assert main(["store", "Mina likes tea", "--db", one, "--importance", "0.8"]) == 0
    assert main(["export", "--output", lines, "--db", one]) == 0
    assert main(["import", lines, "--db", two]) == 0
    assert "came in: 1;" in capsys.readouterr().out
    with CelestialMemory(two, rebalance_interval=None) as memory:
        assert [item.content for item in memory.list()] == ["Mina likes tea"]
    Path(lines).write_text("{}\n{nonsense\n")
    assert main(["import", lines, "--db", two]) == 2
    assert main(["import", str(tmp_path / "none"), "--db", two]) == 2


@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("bash"), reason="needs curl and bash")
@pytest.mark.parametrize("name", ["README.md", "README.ko.md", "docs/rest.md"])
def test_the_page_leads_to_a_recalled_memory(name, tmp_path):
    """Pasted as it is printed, with the token that was printed, the example finds what it stored."""
    text = (ROOT / name).read_text(encoding="utf-8")
    script = next(block for block in text.split("```")[1::2] if "curl" in block)
    stored = re.search(r'"content": "([^"]+)"', script)[1]
    with started(tmp_path / "memory.db", "--no-mcp") as (_, told):
        script = script.replace("http://127.0.0.1:8484", told["url"]).replace("cel_...", told["token"])
        done = subprocess.run(["bash", "-eu"], input=script, capture_output=True, text=True, check=True)
    *_, found = [json.loads(line) for line in done.stdout.replace("}{", "}\n{").splitlines() if "hits" in line]
    assert found["hits"][0]["memory"]["content"] == stored


def test_make_run_serves(tmp_path):
    """What the README tells newcomers to type starts the server, on a database of its own."""
    done = subprocess.run(
        ["make", "-n", "run"], cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ}
    )
    assert "celestial serve --db .celestial/memory.db" in done.stdout


def test_a_server_that_stops_answers_what_it_began_and_refuses_the_rest(tmp_path):
    """Alive but not ready; what it reads already is answered, what comes later refused; then it ends."""
    path = tmp_path / "memory.db"
    with started(path, "--no-mcp") as (process, told), httpx.Client(base_url=told["url"], timeout=60) as client:
        assert client.get("/ready").json() == {"status": "ok"}
        with half_sent(told, "begun before the signal") as send:
            process.send_signal(signal.SIGTERM)
            while client.get("/ready").status_code == 200:
                pass
            assert client.get("/ready").json() == {"status": "draining"}
            assert client.get("/health").status_code == 200
            refused = client.get("/v1/stats", headers=bearer(told["token"]))
            assert (refused.status_code, refused.json()["code"]) == (503, "draining")
            assert send() == b"HTTP/1.1 201 Created"
        assert process.wait(60) == 0
    with CelestialMemory(path, rebalance_interval=None) as memory:
        assert [item.content for item in memory.list()] == ["begun before the signal"]


def test_a_second_signal_stops_at_once(tmp_path):
    """Nothing is waited for."""
    with started(tmp_path / "memory.db", "--no-mcp") as (process, told), half_sent(told, "never finished"):
        process.send_signal(signal.SIGTERM)
        while httpx.get(f"{told['url']}/ready").status_code == 200:
            pass
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_a_server_is_ready_only_for_the_schema_that_it_knows(tmp_path):
    """A newer version changed the database meanwhile: the process lives, but must not be sent requests."""
    path = tmp_path / "memory.db"
    with started(path, "--no-mcp") as (_, told):
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA user_version = 999")
        answer = httpx.get(f"{told['url']}/ready")
        assert (answer.status_code, answer.json()["code"]) == (503, "newer_schema")
        assert httpx.get(f"{told['url']}/health").status_code == 200
