"""Default paths of the user's files, on each system. pathlib is not used: every command would wait for its import."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping

_SERVER_ADDRESSES = ("postgresql://", "postgres://")
_PASSWORD = re.compile(r"^(\w+://[^:/?#]*):[^/?#]*@")
_PASSWORD_PARAMETER = re.compile(r"([?&](?:ssl)?password=)[^&#]*")


def default_path(env: Mapping[str, str]) -> str:
    """Returns the database path in the user's data folder, independent of the working folder."""
    base = _folder(env, ("LOCALAPPDATA", "AppData", "Local"), ("XDG_DATA_HOME", ".local", "share"))
    return os.path.join(base, "celestial", "memory.db")


def default_file(env: Mapping[str, str]) -> str:
    """Returns the path of celestial.toml in the user's configuration folder."""
    base = _folder(env, ("APPDATA", "AppData", "Roaming"), ("XDG_CONFIG_HOME", ".config"))
    return os.path.join(base, "celestial", "celestial.toml")


def is_server(path: str) -> bool:
    """Returns whether this is the address of a database server and not the path of a file."""
    return path.startswith(_SERVER_ADDRESSES)


def without_password(path: str) -> str:
    """Returns the path or address as it may be shown."""
    if not is_server(path):
        return path
    shown = _PASSWORD.sub(r"\1:***@", path)
    return _PASSWORD_PARAMETER.sub(r"\1***", shown)


def _folder(env: Mapping[str, str], windows: tuple[str, ...], other: tuple[str, ...]) -> str:
    """Returns the folder that a variable names, else the one with this path in the home folder."""
    if sys.platform == "darwin":
        return os.path.join(_home(env), "Library", "Application Support")
    variable, *path = windows if sys.platform == "win32" else other
    return env.get(variable) or os.path.join(_home(env), *path)


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or env.get("USERPROFILE") or os.path.expanduser("~")
