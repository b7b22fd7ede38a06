"""Default paths of the user's files, on each system. pathlib is not used: every command would wait for its import."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def default_path(env: Mapping[str, str]) -> str:
    """Returns the database path in the user's data folder, independent of the working folder."""
    base = _folder(env, ("LOCALAPPDATA", "AppData", "Local"), ("XDG_DATA_HOME", ".local", "share"))
    return os.path.join(base, "celestial", "memory.db")


def default_file(env: Mapping[str, str]) -> str:
    """Returns the path of celestial.toml in the user's configuration folder."""
    base = _folder(env, ("APPDATA", "AppData", "Roaming"), ("XDG_CONFIG_HOME", ".config"))
    return os.path.join(base, "celestial", "celestial.toml")


def _folder(env: Mapping[str, str], windows: tuple[str, ...], other: tuple[str, ...]) -> str:
    """Returns the folder that a variable names, else the one with this path in the home folder."""
    if sys.platform == "darwin":
        return os.path.join(_home(env), "Library", "Application Support")
    variable, *path = windows if sys.platform == "win32" else other
    return env.get(variable) or os.path.join(_home(env), *path)


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or env.get("USERPROFILE") or os.path.expanduser("~")
