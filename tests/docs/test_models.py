"""docs/models.md: what it promises is what is set."""

from __future__ import annotations

from pathlib import Path

from celestial_engine import ModelSettings, ModelUse
from celestial_engine.core.model.understanding import MOST_STATEMENT, UNSURE_ACT, UNSURE_KEEP
from celestial_engine.flow.base.understand import BATCH_SIZE
from celestial_engine.flow.night.understand import MOST_A_NIGHT
from celestial_engine.providers.http import RetryPolicy

PAGE = Path(__file__).parents[2] / "docs" / "models.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_uses_and_limits_are_told():
    assert all(f"| `{use.value}`" in TEXT for use in ModelUse)
    settings, patience = ModelSettings(), RetryPolicy()
    assert f"`CELESTIAL_MODEL_DAILY_CALLS` ({settings.daily_calls})" in TEXT
    assert f"`CELESTIAL_MODEL_DAILY_TOKENS` ({settings.daily_tokens})" in TEXT
    assert f"{patience.timeout:g} s a try, {patience.deadline:g} s in all" in TEXT
    assert f"`Retry-After` up to {patience.longest_pause:g} s" in TEXT
    assert f"more than {patience.most_bytes >> 20} MiB" in TEXT


def test_when_a_turn_is_asked_about_is_told():
    low, high = UNSURE_KEEP
    assert f"between {low:g} and {high:g}" in TEXT.replace("\n", " ")
    assert f"less than {UNSURE_ACT:g} for the kind of turn" in TEXT.replace("\n", " ")
    assert f"longer than {MOST_STATEMENT} characters" in TEXT
    assert f"{MOST_A_NIGHT} memories at most" in TEXT
    assert BATCH_SIZE == 6
