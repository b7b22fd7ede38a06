"""What the documentation shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["README.md", "README.ko.md"])
def test_installing_comes_before_the_first_example(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert 0 < text.index("\npip install .") < text.index("```python")


@pytest.mark.parametrize("name", ["README.md", "README.ko.md"])
def test_every_verb_and_every_area_is_in_the_readme(name, memory):
    """But for `unpin`, `remind` and `rebalance`, which their neighbours lead to."""
    from celestial_engine.engine.parts import Area

    text = (ROOT / name).read_text(encoding="utf-8")
    public = [one for one in dir(memory) if not one.startswith("_") and one not in ("parts", "path", "owner")]
    areas = {one for one in public if isinstance(getattr(memory, one), Area)}
    verbs = set(public) - areas - {"rebalance", "remind", "unpin"}
    assert {one for one in areas if f"memory.{one}" not in text} == set()
    assert {one for one in verbs if f"memory.{one}(" not in text} == set()
    assert all(f"`{name}`" in text for name in ("user_id", "agent_id", "clock"))


@pytest.mark.parametrize("name", ["README.md", "README.ko.md"])
def test_one_command_runs_it_and_one_tests_it(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert text.count("\nmake run\n") == 1
    assert text.count("\nmake test\n") == 1


def test_every_link_leads_somewhere():
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} -> {target}"


def test_no_page_is_empty_or_unfinished():
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        text = page.read_text(encoding="utf-8")
        assert len(text) > 200, f"{page.name} says nothing"
        assert not re.search(r"\b[A-Z]{4,}TABLE\b|TODO|FIXME|<!--", text), f"{page.name} is unfinished"


def test_every_decision_is_listed():
    folder = ROOT / "docs" / "decisions"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    for page in folder.glob("0*.md"):
        assert page.name in listed


def test_every_environment_variable_is_documented():
    from celestial_engine.config import VARIABLES

    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert VARIABLES
    assert all(name in page for name in VARIABLES)


def test_docstrings_are_true():
    import doctest

    import celestial_engine
    from celestial_engine.config import engine_settings
    from celestial_engine.engine import memory

    for module in (celestial_engine, engine_settings, memory):
        result = doctest.testmod(module)
        assert result.attempted > 0
        assert result.failed == 0
