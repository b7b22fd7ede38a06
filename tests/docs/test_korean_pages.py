"""docs/ko: what the Korean pages say exists, exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from celestial_engine.core.orbit.zones import DEFAULT_ZONES
from celestial_engine.surfaces.cli.index import COMMANDS
from celestial_engine.surfaces.operations.catalogue import OPERATIONS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "ko"
PAGES = {page.name: page.read_text(encoding="utf-8") for page in sorted(FOLDER.glob("*.md"))}


def test_the_main_pages_are_there():
    assert {"start.md", "install.md", "how-it-works.md", "mcp.md", "hosts.md", "sync.md", "deploy.md"} <= PAGES.keys()


@pytest.mark.parametrize("name", PAGES)
def test_commands_exist(name):
    used = set(re.findall(r"(?<![\w-])celestial ([a-z]+)", PAGES[name]))
    assert used - {"http"} <= COMMANDS.keys()


def test_every_extra_but_the_frameworks_is_listed():
    tomllib = pytest.importorskip("tomllib")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    listed = set(re.findall(r"`([a-z-]+)`", PAGES["install.md"].partition("| 이름 |")[2].partition("\n\n")[0]))
    assert listed <= extras.keys()
    assert {"embeddings", "korean", "mcp", "server", "postgres", "otel", "full"} <= listed


def test_tools_exist():
    tools = {operation.name for operation in OPERATIONS if operation.tool}
    listed = set(re.findall(r"`((?:auto|memory|core)_\w+)`", PAGES["mcp.md"]))
    assert len(listed) > 8
    assert listed <= tools


def test_the_zones_are_those_in_force():
    rows = re.findall(r"^\| \d (\w+) \| (-?[\d.]+) 이상 \| ([\d,]*) ?\|", PAGES["how-it-works.md"], re.MULTILINE)
    zones = [(zone.name.lower(), zone.score_min, zone.max_slots) for zone in DEFAULT_ZONES[:4]]
    assert [(name.lower(), float(low)) for name, low, _ in rows] == [(name, low) for name, low, _ in zones]
    assert [int(places.replace(",", "")) for *_, places in rows if places] == [most for *_, most in zones if most]
