"""celestial.toml: find and read it, and check every key and type; all mistakes are reported at once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from celestial_engine.config.places import default_file, is_server
from celestial_engine.config.settings import BY_KEY, FILE_VARIABLE, SETTINGS, Setting, SettingKind
from celestial_engine.errors import ConfigFileError, Expected, Problem, Reason, os_problem, problem

NO_FILE = "none"
_NOT_PATHS = (":memory:", "none")  # allowed instead of a path in storage.path and storage.ledger
_EXPECTED = {
    SettingKind.TEXT: Expected.TEXT,
    SettingKind.PATH: Expected.PATH,
    SettingKind.WHOLE: Expected.WHOLE_NUMBER,
    SettingKind.NUMBER: Expected.NUMBER,
    SettingKind.LIMIT: Expected.WHOLE_OR_NONE,
    SettingKind.LIST: Expected.LIST_OF_TEXTS,
}


def file_path(env: Mapping[str, str]) -> str | None:
    """Returns the path of celestial.toml, existing or not; None if it is switched off."""
    path = env.get(FILE_VARIABLE) or default_file(env)
    return None if path == NO_FILE else path


def read_file(env: Mapping[str, str]) -> dict[str, str]:
    """Returns the file's settings as environment texts; empty if there is no file."""
    path = file_path(env)
    if path is None or not (env.get(FILE_VARIABLE) or os.path.exists(path)):
        return {}
    tree = parsed_toml(path)
    problems, values = list[Problem](), dict[str, str]()
    for key, value in _leaves(tree):
        setting = BY_KEY.get(key)
        if setting is None:
            problems.append(_unknown(key))
            continue
        text = _text(setting, value, os.path.dirname(path))
        if text is None:
            problems.append(wrong_setting(key, setting, value))
        elif text:
            values[key] = text
    if problems:
        raise ConfigFileError(path, *problems)
    return values


def wrong_setting(name: str, setting: Setting, value: object) -> Problem:
    """Returns a problem with the allowed and the actual value; `name` is a key or a variable."""
    if setting.choices:
        return problem(name, Reason.UNKNOWN_CHOICE, got=value, choices=setting.choices)
    return problem(name, Reason.WRONG_VALUE, expected=_EXPECTED[setting.kind], got=value)


def parsed_toml(path: str) -> dict[str, Any]:
    try:
        reader = import_module("tomllib")  # imported only if there is a file
    except ModuleNotFoundError:  # Python 3.10
        raise ConfigFileError(path, Reason.TOML_UNREADABLE) from None
    try:
        with open(path, encoding="utf-8-sig") as file:
            tree: dict[str, Any] = reader.loads(file.read())
    except OSError as error:
        raise ConfigFileError(path, os_problem(error)) from None
    except (ValueError, RecursionError) as error:
        raise ConfigFileError(path, Reason.NOT_TOML, cause=str(error)) from None
    return tree


def _leaves(tree: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for section, value in tree.items():
        if isinstance(value, dict):
            yield from ((f"{section}.{name}", inner) for name, inner in value.items())
        else:
            yield section, value


def _unknown(key: str) -> Problem:
    section = key.partition(".")[0]
    names = [setting.name for setting in SETTINGS if setting.section == section]
    if names:
        return problem(key, Reason.UNKNOWN_SETTING, got=key, section=section, choices=tuple(names))
    sections = dict.fromkeys(setting.section for setting in SETTINGS)
    return problem(key, Reason.UNKNOWN_SECTION, got=key, choices=tuple(sections))


def _text(setting: Setting, value: object, folder: str) -> str | None:
    """Returns the value as an environment text; None if its type is wrong."""
    match setting.kind:
        case SettingKind.TEXT:
            return value if isinstance(value, str) else None
        case SettingKind.PATH:
            return _resolved(value, folder) if isinstance(value, str) else None
        case SettingKind.CHOICE:
            if isinstance(value, bool):
                return setting.choices[0] if value else "off"
            return value if isinstance(value, str) and value in setting.choices else None
        case SettingKind.WHOLE:
            return str(value) if type(value) is int else None
        case SettingKind.NUMBER:
            return str(value) if type(value) in (int, float) else None
        case SettingKind.LIMIT:
            return str(value) if value == "none" or (type(value) is int and value >= 0) else None
        case SettingKind.LIST:
            if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
                return None
            return ",".join(value) or "none"


def _resolved(path: str, folder: str) -> str:
    """Resolves relative paths against the file's folder, so that the working folder does not matter."""
    return (
        path if not path or path in _NOT_PATHS or is_server(path) else os.path.join(folder, os.path.expanduser(path))
    )
