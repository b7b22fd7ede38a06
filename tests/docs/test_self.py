"""docs/self.md: its example runs and prints what it says, and its numbers are the ones in force."""

from __future__ import annotations

import re
from pathlib import Path

from celestial_engine.core.self import beliefs, islands
from celestial_engine.core.self import self_state as selfhood
from celestial_engine.core.self.proposals import DECIDE_WITHIN, ProposalKind
from celestial_engine.flow.self.reflect import MOST_A_NIGHT

TEXT = (Path(__file__).parents[2] / "docs" / "self.md").read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    for block in blocks:
        exec(compile(block, "self.md", "exec"), {})
    told = re.findall(r"print\(.*\)  # (\w+)", "".join(blocks))
    assert told
    assert capsys.readouterr().out.split() == told


def test_the_numbers_are_told():
    said = re.sub(r"\s+", " ", TEXT)
    assert f"for {DECIDE_WITHIN.days} days" in said
    assert f"starts at {islands.FIRST_STRENGTH:.2f}" in said
    assert f"halves in {islands.HALVES_AFTER.days} days" in said
    assert (
        f"starts at {islands.REBUILT_FROM:.2f}, and each further founder adds {islands.A_LINKED_MEMORY:.2f}" in said
    )
    assert f"({islands.COLLAPSES_AFTER.days} days)" in said
    assert f"{beliefs.STARTS_AT:.2f} when proposed, +{beliefs.APPROVED:.2f} when approved" in said
    assert f"{beliefs.REJECTED:.2f} when rejected" in said
    assert f"{beliefs.LOST_SUPPORT:.2f} for each" in said
    assert f"Below {beliefs.DOUBTFUL_BELOW:.2f}" in said
    assert f"at most {selfhood.MOST_CHANGED:.0%}" in said
    assert (selfhood.MAY_FORM, selfhood.MAY_ALTER, MOST_A_NIGHT) == (5, 1, 3)


def test_every_kind_of_proposal_is_told():
    assert all(f"`{kind.value}`" in TEXT for kind in ProposalKind)
