"""Databases that cannot be written: on a read-only mount, or without permission."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

from celestial_engine.storage.sqlite import driver
from celestial_engine.storage.sqlite.files.header import has_log

if TYPE_CHECKING:
    from celestial_engine.storage.vault import Vault


def is_read_only(path: str) -> bool:
    """Returns whether the file or its folder, where SQLite keeps its log, cannot be written."""
    return not (os.access(path, os.W_OK) and os.access(os.path.dirname(path) or ".", os.W_OK))


def open_read_only(path: str, busy_timeout: float, vault: Vault | None = None) -> sqlite3.Connection:
    """Opens a connection that writes nothing.

    A file with a log is read through it, which needs the files of a process that has the database open. Without a log
    nobody is writing, and SQLite is told not to look for one.
    """
    options = "mode=ro" if has_log(path) else "mode=ro&immutable=1"
    return driver.connect(path, options=options, timeout=busy_timeout, vault=vault)
