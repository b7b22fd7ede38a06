"""docs/personas.md: its examples run, and it tells of every backend, validator and registry."""

from __future__ import annotations

import json
import re
from pathlib import Path

from celestial_engine import PersonaRegistry
from celestial_engine.core.personas.persona import BackendType, ValidatorType
from celestial_engine.core.personas.phase import STEPS_TO_RETURN
from celestial_engine.core.personas.prompt import BUDGET
from celestial_engine.core.personas.run import MOST_DEPTH
from celestial_engine.personas.backends import MOST_ANSWER_BYTES
from celestial_engine.personas.files import ready_names

PAGE = Path(__file__).parents[2] / "docs" / "personas.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_the_examples_run_as_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert len(EXAMPLES) == 2
    for code in EXAMPLES:
        exec(compile(code, PAGE.name, "exec"), {})
        assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*\)\s+# (.*)", code)


def test_the_registry_is_valid():
    (registry,) = re.findall(r"^```json\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert PersonaRegistry.read(json.loads(registry), trusted=True).cycle == ("thesis", "antithesis")


def test_every_choice_is_told_of():
    for kind in (*BackendType, *ValidatorType):
        assert f"`{kind.value}`" in TEXT, kind
    for name in ready_names():
        assert f"| `{name}`" in TEXT, name


def test_the_numbers_are_true():
    assert f"depth is 1 to {MOST_DEPTH}" in TEXT
    assert f"at most {STEPS_TO_RETURN} answers" in TEXT
    assert f"{BUDGET:,} tokens" in TEXT
    assert f"over {MOST_ANSWER_BYTES >> 10} KiB" in TEXT
