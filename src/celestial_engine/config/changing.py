"""Change one setting in celestial.toml: comments and everything else in the file stay as they are.

Only settings that name no file, address or secret can be changed this way: whoever may change them from afar must not
be able to send memories elsewhere. A change that would keep the engine from starting is refused.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from celestial_engine.config.environment import Environment
from celestial_engine.config.file import file_path, read_file, wrong_setting
from celestial_engine.config.places import without_password
from celestial_engine.config.settings import BY_KEY, FILE_VARIABLE, Setting, SettingKind
from celestial_engine.config.sources import SettingSource, Value, choose
from celestial_engine.core.model.settings import ModelUse
from celestial_engine.errors import ConfigError, ConfigFileError, Reason, os_problem

_BY_HAND_SECTIONS = ("storage", "owner", "embedding", "self", "sync", "personas")
_BY_HAND = ("model.name", "gossip.transport_port")
_AT_NEXT_COMMAND = ("interface.language",)  # read by each command, not by a process that stays
_HEADER = re.compile(r"\s*\[\s*([A-Za-z0-9_-]+)\s*\]\s*(#.*)?")


class Lock(str, Enum):
    """Why a setting cannot be changed this way."""

    BY_HAND = "by_hand"  # it names a file, an address or a secret
    ENVIRONMENT = "environment"  # a variable overrides the file
    NO_FILE = "no_file"  # the file is switched off


class SettingState(NamedTuple):
    """A setting as the next start finds it; `waiting`: this process still runs with another value."""

    setting: Setting
    text: str | None  # None: it depends, or there is none; secrets are never told
    source: SettingSource
    by: str | None
    choices: tuple[str, ...]
    lock: Lock | None
    waiting: bool


def setting_states(env: Mapping[str, str], started_with: Mapping[str, str | None]) -> list[SettingState]:
    """All settings; `started_with` are the values that this process read when it started."""
    states = []
    for key, value in choose(env).values.items():
        setting, text = value.setting, value.text
        shown = None if text is None or setting.secret else without_password(text)
        waiting = needs_restart(setting) and key in started_with and started_with[key] != text
        states.append(
            SettingState(setting, shown, value.source, value.by, choices_of(setting), lock_of(value, env), waiting)
        )
    return states


def choices_of(setting: Setting) -> tuple[str, ...]:
    """The values to choose from; empty if there are others. Several of them may be chosen for a list."""
    if setting.key == "interface.language":
        return ("en", "ko")
    if setting.key == "retention.preset":
        from celestial_engine.core.keeping.retention import PRESETS  # slow to import

        return tuple(PRESETS)
    if setting.key == "model.use":
        return tuple(use.value for use in ModelUse)
    return setting.choices


def lock_of(value: Value, env: Mapping[str, str]) -> Lock | None:
    setting = value.setting
    named = setting.secret or setting.kind is SettingKind.PATH or setting.key in _BY_HAND
    if named or setting.section in _BY_HAND_SECTIONS:
        return Lock.BY_HAND
    if setting.variable is not None and env.get(setting.variable):
        return Lock.ENVIRONMENT
    return Lock.NO_FILE if file_path(env) is None else None


def needs_restart(setting: Setting) -> bool:
    """Whether a process that stays, such as a server, uses the old value until it is started again."""
    return setting.key not in _AT_NEXT_COMMAND


def change_setting(env: Mapping[str, str], key: str, text: str | None) -> None:
    """Writes the value into the file, which is made if there is none; None: the default holds again."""
    setting = BY_KEY.get(key)
    if setting is None:
        raise ConfigError(key, Reason.UNKNOWN_CHOICE, got=key, choices=tuple(BY_KEY))
    path, lock = file_path(env), lock_of(choose(env).values[key], env)
    if lock is not None or path is None:
        raise ConfigError(key, Reason.SETTING_LOCKED, variable=setting.variable or FILE_VARIABLE)
    literal = None if text is None else _literal(setting, text)
    path = os.path.realpath(path)  # a link to the file stays one
    before = read_file({**env, FILE_VARIABLE: path}) if os.path.exists(path) else {}
    expected = {other: value for other, value in before.items() if other != key}
    try:
        _replace_file(env, path, _edited(_file_text(path), setting, literal), setting, expected)
    except OSError as error:
        raise ConfigFileError(path, os_problem(error)) from None


def _literal(setting: Setting, text: str) -> str:
    """The value as TOML. Strings of JSON without control characters are strings of TOML."""
    choices = () if setting.kind is SettingKind.LIST else choices_of(setting)
    wrong = ConfigError(wrong_setting(setting.key, setting._replace(choices=choices), text))
    if not text or not text.isprintable() or (choices and text not in choices):
        raise wrong
    try:
        if setting.kind is SettingKind.WHOLE or (setting.kind is SettingKind.LIMIT and text != "none"):
            return str(int(text))
        if setting.kind is SettingKind.NUMBER:
            return repr(float(text))
    except ValueError:
        raise wrong from None
    if setting.kind is SettingKind.LIST:
        parts = [part.strip() for part in text.split(",") if part.strip() not in ("", "none")]
        return json.dumps(parts, ensure_ascii=False)
    return json.dumps(text, ensure_ascii=False)


def _file_text(path: str) -> str:
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8-sig", newline="") as file:
        return file.read()


def _edited(text: str, setting: Setting, literal: str | None) -> str:
    """The text with the setting on a line of its own in its section, or without it."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines()
    section, header = "", None
    own = re.compile(rf"\s*{re.escape(setting.name)}\s*=")
    for number, line in enumerate(lines):
        if found := _HEADER.fullmatch(line):
            section = found[1]
            header = number if section == setting.section else header
        elif section == setting.section and own.match(line):
            lines[number : number + 1] = [] if literal is None else [f"{setting.name} = {literal}"]
            return end.join(lines) + end
    if literal is not None:
        if header is None:
            lines += [*([""] if lines else []), f"[{setting.section}]"]
            header = len(lines) - 1
        lines.insert(header + 1, f"{setting.name} = {literal}")
    return end.join(lines) + end


def _replace_file(
    env: Mapping[str, str], path: str, text: str, setting: Setting, expected: Mapping[str, str]
) -> None:
    """Replaces the file if the new one says the same but for this setting, and an engine can start with it."""
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    handle, beside = tempfile.mkstemp(prefix=".celestial-", suffix=".toml", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        trial = {**env, FILE_VARIABLE: beside}
        if _without(trial, setting.key) != expected:
            raise ConfigFileError(path, Reason.SETTING_NOT_ON_A_LINE, setting=setting.key)
        _check_start(Environment.read(trial))
        if os.path.exists(path):
            os.chmod(beside, os.stat(path).st_mode & 0o777)
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.remove(beside)


def _without(env: Mapping[str, str], key: str) -> dict[str, str] | None:
    """The other settings of the file; None if it cannot be read."""
    try:
        return {other: value for other, value in read_file(env).items() if other != key}
    except ConfigFileError:
        return None


def _check_start(environment: Environment) -> None:
    """Raises if the numbers are out of range; the classes that check them are slow to import."""
    from celestial_engine.core.federation.settings import GossipConfig
    from celestial_engine.core.learning.settings import LearningSettings
    from celestial_engine.core.night.sleep import SleepSettings
    from celestial_engine.core.retrieval.ranking import RecallSettings

    RecallSettings(**environment.recall_tuning)
    LearningSettings(**environment.learning_tuning)
    SleepSettings(**environment.sleep_tuning)
    GossipConfig(dp_enabled=environment.gossip_noise, **environment.gossip_tuning)
