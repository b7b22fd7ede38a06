"""Merge the sources of settings: options over environment over file over foreign variables over defaults."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from celestial_engine.config.file import read_file, wrong_setting
from celestial_engine.config.foreign import Notice, read_foreign
from celestial_engine.config.places import default_path
from celestial_engine.config.settings import BY_KEY, SETTINGS, Setting, SettingKind
from celestial_engine.errors import ConfigError

_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")


class SettingSource(str, Enum):
    """Where a value comes from."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"
    OPTION = "option"


class Value(NamedTuple):
    """The value of a setting; `by` names the variable or option that set it."""

    setting: Setting
    text: str | None
    source: SettingSource = SettingSource.DEFAULT
    by: str | None = None


class EffectiveSettings(NamedTuple):
    """All settings by key, and notices for the user."""

    values: dict[str, Value]
    notices: tuple[Notice, ...]

    def said(self, key: str) -> str | None:
        return self.values[key].text

    def tuned(self, section: str) -> dict[str, Any]:
        """Returns the section's numbers from the file, as arguments for the class of that section."""
        return {
            value.setting.name: float(value.text) if value.setting.kind is SettingKind.NUMBER else int(value.text)
            for value in self.values.values()
            if value.setting.section == section and value.setting.variable is None and value.text is not None
            and value.source is SettingSource.FILE
        }  # fmt: skip


def process_environment() -> Mapping[str, str]:
    return os.environ


def share_metrics(folder: str) -> None:
    """Makes prometheus_client count in files of this folder, for all processes; call it before that is imported."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder


def choose(env: Mapping[str, str]) -> EffectiveSettings:
    """Returns all effective settings."""
    in_file = read_file(env)
    in_environment = {setting.key: text for setting in SETTINGS if (text := env.get(setting.variable or ""))}
    fallbacks, notices = read_foreign(env, frozenset({*in_file, *in_environment}))
    values = {setting.key: Value(setting, setting.default) for setting in SETTINGS}
    values["storage.path"] = Value(BY_KEY["storage.path"], default_path(env))
    values["interface.language"] = _spoken(env)
    for key, fallback in fallbacks.items():
        values[key] = Value(BY_KEY[key], fallback.text, SettingSource.ENVIRONMENT, fallback.variable)
    for key, text in in_file.items():
        values[key] = Value(BY_KEY[key], text, SettingSource.FILE)
    for key, text in in_environment.items():
        setting = BY_KEY[key]
        if setting.choices and text not in setting.choices:
            raise ConfigError(wrong_setting(str(setting.variable), setting, text))
        values[key] = Value(setting, text, SettingSource.ENVIRONMENT, setting.variable)
    return EffectiveSettings(values, notices)


def language_code(said: str | None) -> str:
    return "ko" if (said or "").lower().startswith("ko") else "en"


def spoken_language() -> str:
    """Returns the environment's language, to report problems of the file in."""
    env = process_environment()
    return language_code(env.get("CELESTIAL_LANG") or _spoken(env).text)


def _spoken(env: Mapping[str, str]) -> Value:
    setting = BY_KEY["interface.language"]
    variable = next((name for name in _LOCALES if env.get(name)), None)
    if variable is None:
        return Value(setting, setting.default)
    return Value(setting, language_code(env[variable]), SettingSource.ENVIRONMENT, variable)
