"""Files that are complete or not there."""

from __future__ import annotations

import contextlib
import os
import secrets


def write_whole(path: str, text: str) -> None:
    """Writes under another name first, readable by its owner alone, then replaces the file."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    unfinished = f"{path}.{secrets.token_hex(4)}.part"
    try:
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise
