"""docs/policy.md: its example runs, and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

from celestial_engine.core.turn.policy import SURE_SAVE, SURE_SKIP

PAGE = Path(__file__).parents[2] / "docs" / "policy.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_says(tmp_path, monkeypatch, capsys):
    code = re.search(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL).group(1)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, PAGE.name, "exec"), {})
    told = re.search(r"It prints (.*?)\.", TEXT, re.DOTALL).group(1)
    assert capsys.readouterr().out.splitlines() == re.findall(r"`([^`]+)`", told)


def test_the_limits_are_told():
    told = re.sub(r"\s+", " ", TEXT)
    assert f"a probability of {SURE_SAVE} or more: save; of {SURE_SKIP} or less: skip" in told
