"""Default paths of the user's files, on each system. pathlib is not used: every command would wait for its import."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def default_path(env: Mapping[str, str]) -> str:
    """Returns the database path in the user's data folder, independent of the working folder."""
    home = _home(env)
    if sys.platform == "win32":
        base = env.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    else:
        base = env.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(base, "celestial", "memory.db")


def default_file(env: Mapping[str, str]) -> str:
    """Returns the path of celestial.toml in the user's configuration folder."""
    home = _home(env)
    if sys.platform == "win32":
        base = env.get("APPDATA") or os.path.join(home, "AppData", "Roaming")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    else:
        base = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return os.path.join(base, "celestial", "celestial.toml")


def _home(env: Mapping[str, str]) -> str:
    return env.get("HOME") or env.get("USERPROFILE") or os.path.expanduser("~")
