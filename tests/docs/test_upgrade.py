"""docs/upgrade.md: what it says is new is there, and what it says is gone is gone."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from functools import reduce
from pathlib import Path

import celestial_engine
from celestial_engine import CelestialMemory, Settings

TEXT = (Path(__file__).parents[2] / "docs" / "upgrade.md").read_text(encoding="utf-8")
MOVED = re.findall(r"^\| `memory\.(\w+)(?:\(\))?` \| `memory\.([\w.]+)\(\)` \|$", TEXT, re.MULTILINE)
SETTINGS = re.findall(r"^\| `(\w+)=` \| `Settings\((\w+)=(?:(\w+)\((\w+)=\.\.\.\)|\.\.\.)\)` \|$", TEXT, re.MULTILINE)
AREAS = {"policy", "orbits", "imagination"}  # old methods whose names are areas now


def test_every_new_name_is_there_and_no_old_one(memory):
    assert len(MOVED) > 90
    for old, new in MOVED:
        assert callable(reduce(getattr, new.split("."), memory)), new
        assert not hasattr(CelestialMemory, old) or old in {*AREAS, new.split(".")[0]}, old


def test_every_setting_has_its_place():
    arguments = inspect.signature(CelestialMemory).parameters
    assert len(SETTINGS) == 19
    for old, group, kind, name in SETTINGS:
        assert old not in arguments
        assert group in {one.name for one in fields(Settings)}
        if kind:
            assert name in {one.name for one in fields(getattr(celestial_engine, kind))}


def test_every_method_of_today_is_told_of(memory):
    kept = set(re.findall(r"`(\w+)`", TEXT.partition("These kept their names:")[2].partition("###")[0]))
    public = {name for name in dir(memory) if not name.startswith("_")} - {"parts", "of"}
    areas = {new.split(".")[0] for _, new in MOVED if "." in new}
    assert public == kept | areas


def test_no_page_shows_an_old_call():
    """Decisions are as they were made; operations and commands have names of their own."""
    docs = Path(__file__).parents[2] / "docs"
    for page in [*docs.parent.glob("README*.md"), *docs.glob("*.md")]:
        if page.name in ("upgrade.md", "operations.md", "cli.md", "stellar-memory.md"):
            continue
        text = page.read_text(encoding="utf-8")
        for old, new in MOVED:
            if old != new.split(".")[-1]:
                assert not re.search(rf"(?<![\w.]){old}\(|memory\.{old}\(", text), f"{page.name}: {old}"
