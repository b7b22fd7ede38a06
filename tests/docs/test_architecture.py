"""docs/architecture.md and CONTRIBUTING.md show the tree as it is."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))  # the tools are not installed with the engine

from tools.architecture import DRAWING, PACKAGE, PAGES, ROOT, WALKS, floors, sentence, with_drawings

PATH = re.compile(r"(?<![\w/.])((?:[a-z_0-9]+/)+(?:[a-z_0-9]+\.(?:py|md|txt|toml))?|[a-z_]+\.py)(?![\w/*])")
NAMED = ("core/orbit/memory_function.py", "core/guard/", "flow/night/expire.py", "surfaces/operations/")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_drawings_are_in_step(page):
    """`make docs` writes them again."""
    text = page.read_text(encoding="utf-8")
    assert DRAWING.search(text)
    assert with_drawings(text) == text


def test_every_file_that_the_page_names_is_there():
    page = ROOT / "docs" / "architecture.md"
    written = re.sub(r"^```text generated:(?!walk).*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    paths = {path for path in PATH.findall(written) if not path.startswith("decisions/")}
    assert len(paths) > 40
    for path in paths:
        assert any((base / path).exists() for base in (PACKAGE, ROOT, page.parent)), path


def test_a_stranger_finds_what_is_asked_for_most():
    table = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## The house")[0]
    assert all(f"`{path}" in table for path in NAMED)


def test_a_walk_is_short():
    assert all(len(files) <= 4 for files in WALKS.values())


def test_every_folder_says_what_it_is():
    for file in PACKAGE.rglob("__init__.py"):
        assert sentence(file).endswith("."), file


def test_every_layer_stands_on_a_floor():
    standing = {layer for floor in floors() for layer in floor}
    there = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} | {
        path.stem for path in PACKAGE.glob("*.py")
    }
    assert standing == there - {"__init__"}
