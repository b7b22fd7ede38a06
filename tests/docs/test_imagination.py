"""docs/imagination.md: its example runs as printed, and its numbers are those in force."""

from __future__ import annotations

import re
from pathlib import Path

from celestial_engine.core.imagination import rules as imagination
from celestial_engine.core.imagination.rules import PatternStrength, Trigger, WhyNot
from celestial_engine.core.imagination.settings import ImaginationSettings, QuietHours

PAGE = Path(__file__).parents[2] / "docs" / "imagination.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_example_runs_as_printed(tmp_path, monkeypatch, capsys):
    code = re.search(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL).group(1)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, PAGE.name, "exec"), {})
    promised = re.findall(r"print\(.*\)\s+# (.*)", code)
    assert capsys.readouterr().out.splitlines() == promised
    assert len(promised) == 3


def test_every_reason_is_told():
    assert all(f"| `{one.value}` |" in TEXT for one in (*Trigger, *WhyNot))


def test_the_numbers_are_true():
    settings, pattern = ImaginationSettings(), PatternStrength("walk")
    assert (settings.most_a_day, settings.idle_minutes, settings.quiet) == (3, 60.0, QuietHours(22, 8))
    liked, disliked = (pattern.answered("x", liked=answer).strength for answer in (True, False))
    assert (pattern.strength, imagination.FAINTEST) == (0.5, 0.15)
    assert abs(liked - (0.5 + 0.3 * 0.5)) < 1e-9
    assert abs(disliked - 0.6 * 0.5) < 1e-9
    assert abs(pattern.used("a", 1.0).used("b", 2.0).strength - 0.9 * 0.5) < 1e-9
