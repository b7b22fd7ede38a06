"""docs/mcp.md: its snippets are read, its example runs, what it names is there."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from celestial_engine.surfaces.cli.commands.mcp import CLIENTS
from celestial_engine.surfaces.cli.commands.mcp_install import NAME, client_named
from celestial_engine.surfaces.operations.catalogue import OPERATIONS

PAGE = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")


def fenced(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.M | re.S)


def test_every_snippet_starts_the_server():
    snippets = [json.loads(text) for text in fenced("json")]
    assert len(snippets) == 3
    for snippet in snippets:
        ((key, servers),) = snippet.items()
        assert key in {client_named(client).key for client in CLIENTS}
        assert servers[NAME]["args"][-1] == "mcp"


def test_every_client_is_explained():
    assert set(re.findall(r"`celestial mcp install ([a-z-]+)`", PAGE)) == set(CLIENTS)


def test_every_tool_that_is_named_is_offered():
    offered = {operation.name for operation in OPERATIONS if operation.tool}
    named = set(re.findall(r"`((?:memory|policy|sleep|auto|core)_[a-z_]+)`", PAGE))
    assert len(named) >= 12
    assert named <= offered


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    (code,) = fenced("python")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    runpy.run_path("example.py", run_name="__main__")
    assert capsys.readouterr().out == "Mina is allergic to peanuts\n"


@pytest.mark.parametrize(("name", "page"), [("README.md", "docs/mcp.md"), ("README.ko.md", "docs/ko/mcp.md")])
def test_the_readme_leads_here(name, page):
    text = (Path(__file__).parents[2] / name).read_text(encoding="utf-8")
    assert "claude mcp add -s user celestial -- celestial mcp" in text
    assert f"({page})" in text
