"""Which model is asked, for what and how often: names and settings, right and wrong."""

from __future__ import annotations

import pytest

from celestial_engine import CelestialMemory, ModelSettings, ModelUse
from celestial_engine.bootstrap import open_model
from celestial_engine.config import Environment
from celestial_engine.errors import ConfigError

KEY = "sk-live-0123456789abcdefXYZ"


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        ("openai:gpt-4o-mini", "api.openai.com/gpt-4o-mini"),
        ("anthropic:claude-haiku-4-5", "api.anthropic.com/claude-haiku-4-5"),
        ("http://localhost:11434/v1#llama3:8b", "localhost:11434/llama3:8b"),
    ],
)
def test_models_by_name(choice, name):
    model = open_model(choice, KEY)
    assert model is not None
    assert model.name == name


def test_no_model_is_the_default():
    assert open_model("none") is None
    assert Environment.read({"HOME": "/h"}).model == "none"


@pytest.mark.parametrize("choice", ["gpt-4o", "openai:", "http://host/v1", KEY, "auto", "openai:gpt", "anthropic:x"])
def test_a_wrong_choice_is_told_before_anything_is_opened(choice, tmp_path):
    """It is not quoted: a key may have gone into the wrong variable."""
    with pytest.raises(ConfigError) as caught:
        CelestialMemory(tmp_path / "m.db", language_model=choice, rebalance_interval=None)
    assert KEY not in str(caught.value)
    assert not (tmp_path / "m.db").exists()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CELESTIAL_MODEL_USE", "importance,poetry"),
        ("CELESTIAL_MODEL_DAILY_CALLS", "many"),
        ("CELESTIAL_MODEL_DAILY_TOKENS", "-1"),
    ],
)
def test_settings_that_are_none(variable, value):
    with pytest.raises(ConfigError):
        Environment.read({variable: value, "HOME": "/h"})


def test_settings_from_the_environment():
    env = {"CELESTIAL_MODEL_USE": "importance, emotion", "CELESTIAL_MODEL_DAILY_CALLS": "none", "HOME": "/h"}
    assert Environment.read(env).model_settings == ModelSettings({ModelUse.IMPORTANCE, ModelUse.EMOTION}, None)
    assert Environment.read({"HOME": "/h"}).model_settings == ModelSettings()
    assert Environment.read({"CELESTIAL_MODEL_USE": "none", "HOME": "/h"}).model_settings.uses == frozenset()
