"""docs/policy.md: its example runs, and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

from celestial_engine.core.turn.features import WEIGHTS

PAGE = Path(__file__).parents[2] / "docs" / "policy.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_says(tmp_path, monkeypatch, capsys):
    code = re.search(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL).group(1)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, PAGE.name, "exec"), {})
    told = re.search(r"It prints (.*?)\.", TEXT, re.DOTALL).group(1)
    assert capsys.readouterr().out.splitlines() == re.findall(r"`([^`]+)`", told)


def test_the_weights_are_told():
    for name, weight in WEIGHTS:
        assert f"{weight:.2f} {name.replace('_', ' ')}" in re.sub(r"\s+", " ", TEXT)
