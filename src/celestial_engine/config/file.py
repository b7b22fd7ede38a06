"""celestial.toml: found, read, and every key and type in it checked, all mistakes told at once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from celestial_engine.config.places import default_file
from celestial_engine.config.settings import BY_KEY, FILE_VARIABLE, SETTINGS, Setting, SettingKind
from celestial_engine.errors import ConfigFileError, Expected, Problem, Reason, os_problem, problem

NO_FILE = "none"
_NOT_PATHS = (":memory:", "none")  # what storage.path and storage.ledger may be instead
_EXPECTED = {
    SettingKind.TEXT: Expected.TEXT,
    SettingKind.PATH: Expected.PATH,
    SettingKind.WHOLE: Expected.WHOLE_NUMBER,
    SettingKind.NUMBER: Expected.NUMBER,
    SettingKind.LIMIT: Expected.WHOLE_OR_NONE,
    SettingKind.LIST: Expected.LIST_OF_TEXTS,
}


def file_path(env: Mapping[str, str]) -> str | None:
    """Where celestial.toml is, or would be; None if there shall be none."""
    said = env.get(FILE_VARIABLE) or default_file(env)
    return None if said == NO_FILE else said


def read_file(env: Mapping[str, str]) -> dict[str, str]:
    """What the file sets, in the words of the environment; nothing where there is none."""
    path = file_path(env)
    if path is None or not (env.get(FILE_VARIABLE) or os.path.exists(path)):
        return {}
    tree = _parsed(path)
    problems, said = list[Problem](), dict[str, str]()
    for key, value in _leaves(tree):
        setting = BY_KEY.get(key)
        if setting is None:
            problems.append(_unknown(key))
            continue
        text = _text(setting, value, Path(path).parent)
        if text is None:
            problems.append(wrong_setting(key, setting, value))
        elif text:
            said[key] = text
    if problems:
        raise ConfigFileError(path, *problems)
    return said


def wrong_setting(name: str, setting: Setting, value: object) -> Problem:
    """What may be said of a setting, and what was said; `name` is a key or a variable."""
    if setting.choices:
        return problem(name, Reason.UNKNOWN_CHOICE, got=value, choices=setting.choices)
    return problem(name, Reason.WRONG_VALUE, expected=_EXPECTED[setting.kind], got=value)


def _parsed(path: str) -> dict[str, Any]:
    try:
        reader = import_module("tomllib")  # only whoever has a file loads it
    except ModuleNotFoundError:  # Python 3.10
        raise ConfigFileError(path, Reason.TOML_UNREADABLE) from None
    try:
        tree: dict[str, Any] = reader.loads(Path(path).read_text(encoding="utf-8-sig"))
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


def _text(setting: Setting, value: object, folder: Path) -> str | None:
    """The value as the environment would say it; None where it is of the wrong type."""
    match setting.kind:
        case SettingKind.TEXT:
            return value if isinstance(value, str) else None
        case SettingKind.PATH:
            return _placed(value, folder) if isinstance(value, str) else None
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


def _placed(said: str, folder: Path) -> str:
    """Relative paths are beside the file: it means the same from every working folder."""
    return said if not said or said in _NOT_PATHS else str(folder / os.path.expanduser(said))
