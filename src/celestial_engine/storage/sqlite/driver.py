"""Opens every SQLite connection of the store, so that there is one place to choose the library that does it."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from celestial_engine.storage.vault import Vault

_STATEMENTS_CACHED = 256  # of a connection; preparing a join takes longer than running it


def connect(path: str, *, timeout: float = 5.0, options: str = "", vault: Vault | None = None) -> sqlite3.Connection:
    """Opens a connection without implicit transactions; any thread may use it, one at a time.

    `options` are those of SQLite's URIs, such as "mode=ro"; with a `vault` the file is encrypted.
    """
    address = path
    if options:
        # Not by urllib: it is slow to import, and a process that gave up its rights may not be able to.
        escaped = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        address = f"file:{escaped}?{options}"
    if vault is not None:
        from celestial_engine.storage.sqlite import encrypted  # an extra, and slow to import

        return cast(sqlite3.Connection, encrypted.connect(path, address, vault, timeout=timeout, uri=bool(options)))
    return sqlite3.connect(
        address, timeout=timeout, uri=bool(options), isolation_level=None, check_same_thread=False,
        cached_statements=_STATEMENTS_CACHED,
    )  # fmt: skip
