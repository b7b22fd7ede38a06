"""docs/learning.md: its examples run and print what they say, and its numbers are the ones in force."""

from __future__ import annotations

import re
from pathlib import Path

from celestial_engine.core.learning import rewards
from celestial_engine.core.learning.learned_policy import EXAMS_KEPT, LearningSettings
from celestial_engine.core.learning.rewards import reward_of
from celestial_engine.flow.base.read import read_text

TEXT = (Path(__file__).parents[2] / "docs" / "learning.md").read_text(encoding="utf-8")


def test_the_examples_print_what_the_page_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    scope: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "learning.md", "exec"), scope)
    told = re.findall(r"print\(.*\)  # (\w+)", "".join(blocks))
    assert told
    assert capsys.readouterr().out.split() == told


def test_the_numbers_are_told():
    settings = LearningSettings()
    said = re.sub(r"\s+", " ", TEXT)
    assert f"the newest version takes {settings.updates_a_checkpoint} rewards" in said
    assert f"{settings.checkpoints_kept} are kept" in said
    assert f"among the newest {settings.turns_kept}," in said
    assert f"out of {settings.rich_turns_kept:,} turns" in said
    assert f"over the last {EXAMS_KEPT} exams" in said
    for value in (rewards.GOES_ON, rewards.GOES_ON + rewards.PICKED_UP, rewards.DISINTEREST):
        assert f"| {value:+g} |" in TEXT
    for word in ("exactly", "that's right", "정확해", "맞아 그거야"):
        assert word in TEXT
        assert reward_of(word, read_text(word)).value == 1.0
