"""Default paths of the user's files, on each system."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path


def default_path(env: Mapping[str, str]) -> str:
    """Returns the database path in the user's data folder, independent of the working folder."""
    home = _home(env)
    if sys.platform == "win32":
        base = Path(env.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(env.get("XDG_DATA_HOME") or home / ".local" / "share")
    return str(base / "celestial" / "memory.db")


def default_file(env: Mapping[str, str]) -> str:
    """Returns the path of celestial.toml in the user's configuration folder."""
    home = _home(env)
    if sys.platform == "win32":
        base = Path(env.get("APPDATA") or home / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(env.get("XDG_CONFIG_HOME") or home / ".config")
    return str(base / "celestial" / "celestial.toml")


def _home(env: Mapping[str, str]) -> Path:
    return Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())
