"""docs/importing.md: its example runs as printed, and its numbers are those in force."""

from __future__ import annotations

import re
from pathlib import Path

from celestial_engine.core.checks import MOST_CONTENT_BYTES
from celestial_engine.core.keeping.imported_record import IDLEST_ARRIVAL
from celestial_engine.importers import FORMATS, MEANINGS, moving_in, reading

PAGE = Path(__file__).parents[2] / "docs" / "importing.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_example_runs_as_printed(tmp_path, monkeypatch, capsys):
    code = re.search(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL).group(1)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, PAGE.name, "exec"), {})
    promised = re.findall(r"print\(.*\)  # (.*)", code)
    assert capsys.readouterr().out.splitlines() == promised
    assert len(promised) == 3


def test_every_format_and_every_meaning_is_told():
    assert all(f"\n| `{name}` |" in TEXT for name in FORMATS)
    assert all(f"`{name}`" in TEXT for name in MEANINGS)


def test_the_numbers_are_true():
    assert (IDLEST_ARRIVAL.days, moving_in.BATCH) == (90, 200)
    bounds = (reading.MOST_LINE_BYTES >> 20, reading.MOST_DOCUMENT_BYTES >> 20, MOST_CONTENT_BYTES >> 20)
    assert (*bounds, reading.MOST_UNPACKED_BYTES >> 30) == (8, 256, 1, 4)
