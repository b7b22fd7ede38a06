"""docs/models.md: its examples run and print what they say, and what it promises is what is set."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from celestial_engine import ModelSettings, ModelUse
from celestial_engine.providers.http import Patience

PAGE = Path(__file__).parents[2] / "docs" / "models.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES)
def test_examples_run_as_printed(code, capsys):
    exec(compile(code, PAGE.name, "exec"), {})
    promised = re.findall(r"print\(.*\)\s+# (.*)", code)
    assert promised
    assert capsys.readouterr().out.splitlines() == promised


def test_uses_and_limits_are_told():
    assert all(f"| `{use.value}`" in TEXT for use in ModelUse)
    settings, patience = ModelSettings(), Patience()
    assert f"`CELESTIAL_MODEL_DAILY_CALLS` ({settings.daily_calls})" in TEXT
    assert f"`CELESTIAL_MODEL_DAILY_TOKENS` ({settings.daily_tokens})" in TEXT
    assert f"{patience.timeout:g} s a try, {patience.deadline:g} s in all" in TEXT
    assert f"`Retry-After` up to {patience.longest_pause:g} s" in TEXT
    assert f"more than {patience.most_bytes >> 20} MiB" in TEXT
