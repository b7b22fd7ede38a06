"""The protocol's own conformance suite and inspector, against our server: `make protocol` installs them.

The suite calls tools, prompts and resources by name: `conformance/fixtures.py` adds them to the server that people get.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools import node_tools

REASON = node_tools.missing("protocol")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=str(REASON))]
ROOT = Path(__file__).parents[3]
SERVER = [sys.executable, "-m", "tests.surfaces.mcp.conformance.server"]
# Extensions that this server does not offer, each with the reason.
NOT_OFFERED = {
    "sep-2640-skills-directory": "skills are files of the plugins, not resources",
    "sep-2640-skills-enumeration": "skills are files of the plugins, not resources",
    "sep-2640-skills-manifest": "skills are files of the plugins, not resources",
    "tasks-mrtr-input": "what needs the user's word asks before its task begins, never in between",
    "tasks-dispatch-and-envelope": "one of its nine checks answers a task that asks, see above",
}


def conformance(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = node_tools.program("protocol", "@modelcontextprotocol/conformance", "dist/index.js")
    return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def served(tmp_path):
    """The server with the suite's fixtures, in a process of its own; its address and a token."""
    process = subprocess.Popen(
        [*SERVER, str(tmp_path / "m.db")], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        yield json.loads(line)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_every_scenario_that_a_revision_requires_passes(revision, served, tmp_path):
    """All server scenarios of the suite that this revision of the protocol asks for, and those that are still pending."""
    done = conformance("server", "--url", served["url"], "--requirements", revision, "-o", str(tmp_path / "out"))
    summary = dict(re.findall(r"^[✓✗] ([a-z0-9-]+): \d+ passed, (\d+) failed", done.stdout, re.M))
    required = _required(revision)
    assert len(required) >= 30
    assert required <= summary.keys()
    failing = {name for name, failures in summary.items() if failures != "0"}
    assert failing == {name for name in summary if name in NOT_OFFERED}, done.stdout[-6000:]
    checks = [check for file in (tmp_path / "out").glob("*/checks.json") for check in json.loads(file.read_text())]
    warnings = {check["id"] for check in checks if check["status"] == "WARNING"}
    # Responses cannot be taken up again after a lost connection: the suite recommends it, clients call again.
    assert warnings <= {"server-sse-priming-event", "server-sse-retry-field"}


def _required(revision: str) -> set[str]:
    listed = conformance("list", "--server", "--requirements", revision).stdout
    required = listed.split("Client scenarios")[0]
    return set(re.findall(r"^  - ([a-z0-9-]+)$", required, re.M))


def inspector(home: Path, *arguments: str) -> dict:
    command = node_tools.program("protocol", "@modelcontextprotocol/inspector", "clients/launcher/build/index.js")
    environment = {**node_tools.environment(), "HOME": str(home), "CELESTIAL_EMBEDDER": "none"}
    done = subprocess.run(
        [*command, "--cli", *arguments], capture_output=True, text=True, timeout=120, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("way", ["stdio", "http"])
def test_the_inspector_lists_calls_and_reads(way, tmp_path, serve_celestial):
    target = serve_celestial(way)

    def ask(*arguments: str) -> dict:
        return inspector(tmp_path, *target, *arguments)

    tools = ask("--method", "tools/list", "--strict")["tools"]
    assert {"auto_search", "memory_save"} <= {tool["name"] for tool in tools}
    text = "Mina is allergic to peanuts"
    saved = ask("--method", "tools/call", "--tool-name", "memory_save", "--tool-arg", f"content={text}")
    assert saved["structuredContent"]["content"] == text
    found = ask("--method", "tools/call", "--tool-name", "memory_search", "--tool-arg", "query=peanuts")
    assert [hit["memory"]["content"] for hit in found["structuredContent"]["hits"]] == [text]
    assert {one["uri"] for one in ask("--method", "resources/list")["resources"]} >= {"memory://core"}
    assert ask("--method", "resources/read", "--uri", "memory://soul")["contents"][0]["uri"] == "memory://soul"
    prompts = {one["name"] for one in ask("--method", "prompts/list")["prompts"]}
    assert "recall" in prompts
    assert ask("--method", "prompts/get", "--prompt-name", "recall", "--prompt-args", "question=peanuts?")["messages"]


@pytest.fixture
def serve_celestial(tmp_path):
    """What the inspector is to connect to: a command, or an address with a token."""
    started = []

    def make(way: str) -> list[str]:
        database = str(tmp_path / "m.db")
        celestial = [sys.executable, "-m", "celestial_engine"]
        if way == "stdio":
            return [*celestial, "mcp", "--tools", "full", "--db", database]
        command = [*celestial, "serve", "--json", "--db", database, "--port", "0"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        started.append(process)
        lines = ""
        while not lines.rstrip().endswith("}"):
            line = process.stdout.readline()
            assert line, process.stderr.read()
            lines += line
        told = json.loads(lines)
        return [told["url"] + "/mcp", "--transport", "http", "--header", f"Authorization: Bearer {told['token']}"]

    yield make
    for process in started:
        process.kill()
        process.communicate()
