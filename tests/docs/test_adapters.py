"""What the README shows of adapters is what their sessions execute, with the versions that they install."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ROOT / "requirements" / "adapters"
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
TESTED = re.compile(r"^\| [^|]+ \| ([a-z-]+) ([0-9.]+) \|", re.MULTILINE)


def section(page: str, heading: str) -> str:
    sections = re.split(r"^## ", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    (found,) = [part for part in sections if part.splitlines()[0].strip() == heading]
    return found


@pytest.mark.parametrize(
    ("page", "heading"), [("README.md", "In agent frameworks"), ("README.ko.md", "에이전트 프레임워크 안에서")]
)
def test_the_snippets_are_those_that_are_executed(page, heading):
    """Every session runs the snippets of its section of docs/adapters.md; the README starts with parts of them."""
    shown = re.findall(r"^\|.*\| `([^`]+)` \|$", section(page, heading), re.MULTILINE)
    executed = BLOCK.findall((ROOT / "docs" / "adapters.md").read_text(encoding="utf-8"))
    assert len(shown) == 9
    for code in shown:
        assert any(code in block for block in executed), code


@pytest.mark.parametrize(
    ("page", "heading"), [("README.md", "In agent frameworks"), ("README.ko.md", "에이전트 프레임워크 안에서")]
)
def test_the_versions_are_those_of_the_locks(page, heading):
    locked = "\n".join(lock.read_text(encoding="utf-8") for lock in LOCKS.glob("*.txt"))
    tested = TESTED.findall(section(page, heading))
    assert len(tested) == 9
    for name, version in tested:
        assert re.search(rf"^{name}=={re.escape(version)}\b", locked, re.MULTILINE), f"{name} {version}"


def test_every_adapter_has_its_section_its_example_and_its_lock():
    from celestial_engine.adapters import EXPORTS

    document = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
    for name in EXPORTS:
        assert f"`{name}`" in document, name
    for lock in LOCKS.glob("*.txt"):
        if (ROOT / "src" / "celestial_engine" / "adapters" / f"{lock.stem}.py").exists():
            assert (ROOT / "examples" / f"{lock.stem}_agent.py").exists(), lock.stem
