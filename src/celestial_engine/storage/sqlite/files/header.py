"""Identify an SQLite file by its first hundred bytes, without opening it.

Opening another program's database, even to read, may clean up its write-ahead log.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass

_MAGIC = b"SQLite format 3\0"

FileId = tuple[int, int]


@dataclass(frozen=True)
class Header:
    """The header of an SQLite file, as of its last checkpoint."""

    schema_cookie: int  # 0: no table was ever created
    user_version: int
    application_id: int


def read_header(path: str) -> Header | None:
    """Reads the header; None for an empty file. Raises ValueError if it is not an SQLite file."""
    with open(path, "rb") as file:
        head = file.read(100)
    if not head:
        return None
    if len(head) < 100 or not head.startswith(_MAGIC):
        raise ValueError("it is not an SQLite file")
    (cookie,) = struct.unpack_from(">I", head, 40)
    (version,) = struct.unpack_from(">i", head, 60)
    (application,) = struct.unpack_from(">i", head, 68)
    return Header(cookie, version, application)


def has_log(path: str) -> bool:
    """Returns whether changes wait in a write-ahead log or a rollback journal beside the file."""
    return any(os.path.exists(path + end) and os.path.getsize(path + end) > 0 for end in ("-wal", "-journal"))


def file_id(path: str) -> FileId | None:
    """Identifies the file behind a path, so that a replaced or moved file is noticed; None if it is gone.

    Windows does not move a file that is open, so there every file is the same.
    """
    if os.name == "nt":
        return (0, 0)
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
