"""docs/sleep.md tells the night as it is."""

from __future__ import annotations

import re
from pathlib import Path

from celestial_engine.core.night.sleep import Duty, SleepSettings

DOCUMENT = Path(__file__).parents[2] / "docs" / "sleep.md"
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_every_duty_stands_in_its_order_with_its_rhythm():
    rows = re.findall(r"^\| `([\w-]+)` \| (\w+) \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(duty.value, duty.rhythm.value) for duty in Duty]


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    example = FENCE.search(DOCUMENT.read_text(encoding="utf-8")).group(1)
    exec(compile(example + "\nmemory.close()\n", "docs/sleep.md", "exec"), {})
    assert capsys.readouterr().out == "0 0 0\n"


def test_the_guard_is_told_as_it_is():
    assert "more than a fifth" in DOCUMENT.read_text(encoding="utf-8")
    assert SleepSettings() == SleepSettings(max_leaving_share=0.2, always_allowed=5)
