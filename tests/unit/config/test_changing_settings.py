"""One setting is changed in celestial.toml, and nothing else there."""

from __future__ import annotations

import os
import sys

import pytest

from celestial_engine.config import SETTINGS
from celestial_engine.config.changing import Lock, change_setting, lock_of, setting_states
from celestial_engine.config.settings import SettingKind
from celestial_engine.config.sources import choose
from celestial_engine.errors import ConfigError, ConfigFileError

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no reader for TOML")
WRITTEN = """# mine
[storage]
path = "here.db" # keep

[learning] # how
mode = "rich"
epsilon = 0.05
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "config" / "celestial" / "celestial.toml"


@pytest.fixture
def env(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    return {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}


def test_a_file_is_made_and_a_default_holds_again(env, file):
    change_setting(env, "sleep.nightly", "off")
    assert file.read_text() == '[sleep]\nnightly = "off"\n'
    change_setting(env, "sleep.always_allowed", "9")
    change_setting(env, "model.use", "distillation, importance")
    change_setting(env, "model.daily_calls", "none")
    assert choose(env).said("model.use") == "distillation,importance"
    assert choose(env).said("model.daily_calls") == "none"
    change_setting(env, "sleep.nightly", None)
    assert choose(env).said("sleep.nightly") == "daily"
    assert choose(env).said("sleep.always_allowed") == "9"
    assert [one.name for one in file.parent.iterdir()] == ["celestial.toml"]


def test_comments_and_everything_else_stay(env, file):
    file.parent.mkdir(parents=True)
    file.write_bytes(WRITTEN.replace("\n", "\r\n").encode())
    file.chmod(0o640)
    change_setting(env, "learning.epsilon", "0.2")
    change_setting(env, "learning.rate", "0.01")
    text = file.read_bytes().decode().replace("\r\n", "\n")
    assert text == WRITTEN.replace("epsilon = 0.05", "epsilon = 0.2").replace("# how\n", "# how\nrate = 0.01\n")
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_to_the_file_stays_one(env, file, tmp_path):
    file.parent.mkdir(parents=True)
    (tmp_path / "dotfiles.toml").write_text(WRITTEN)
    os.symlink(tmp_path / "dotfiles.toml", file)
    change_setting(env, "learning.mode", "off")
    assert file.is_symlink()
    assert 'mode = "off"' in (tmp_path / "dotfiles.toml").read_text()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("learning.mode", "sometimes"),
        ("learning.epsilon", "much"),
        ("learning.epsilon", "7"),
        ("sleep.max_leaving_share", "nan"),
        ("recall.pool", "0"),
        ("recall.pool", "1.5"),
        ("imagination.quiet", "99-4"),
        ("imagination.time_zone", "Nowhere/Land"),
        ("imagination.time_zone", 'UTC"\n[storage]\npath = "/tmp/x'),
        ("model.use", "everything"),
        ("retention.preset", "forever"),
        ("interface.language", "tlh"),
        ("sleep.nightly", ""),
        ("no.such", "1"),
    ],
)
def test_what_would_keep_the_engine_from_starting_is_refused(env, file, key, value):
    file.parent.mkdir(parents=True)
    file.write_text(WRITTEN)
    with pytest.raises(ConfigError):
        change_setting(env, key, value)
    assert file.read_text() == WRITTEN


@pytest.mark.parametrize("text", ["[model]\nuse = [\n  'importance',\n]\n", "model.use = ['importance']\n"])
def test_a_value_that_is_written_otherwise_is_left_to_its_author(env, file, text):
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with pytest.raises(ConfigFileError):
        change_setting(env, "model.use", "distillation")
    assert file.read_text() == text


def test_files_addresses_and_secrets_are_set_at_the_machine(env):
    for setting in SETTINGS:
        if setting.secret or setting.kind is SettingKind.PATH or setting.key in ("model.name", "embedding.model"):
            assert lock_of(choose(env).values[setting.key], env) is Lock.BY_HAND
            with pytest.raises(ConfigError, match="where the engine runs"):
                change_setting(env, setting.key, "elsewhere")
    with pytest.raises(ConfigError):
        change_setting({**env, "CELESTIAL_SLEEP": "off"}, "sleep.nightly", "daily")
    with pytest.raises(ConfigError):
        change_setting({**env, "CELESTIAL_CONFIG": "none"}, "sleep.nightly", "daily")


def test_what_waits_for_a_restart_is_told_and_no_secret(env):
    started_with = {key: value.text for key, value in choose(env).values.items()}
    change_setting(env, "sleep.nightly", "off")
    change_setting(env, "interface.language", "ko")
    states = setting_states({**env, "CELESTIAL_MODEL_KEY": "sk-very-secret"}, started_with)
    assert [state.setting.key for state in states if state.waiting] == ["sleep.nightly", "model.key"]
    assert "sk-very-secret" not in str(states)
