"""SOUL.md on disk: read completely, replaced atomically."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile

from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.errors import InvalidInputError, Reason, SoulError, os_problem

_MOST_BYTES = 1 << 20


class DiskSoulFile:
    def __init__(self, path: str) -> None:
        self.path = path

    def read(self) -> str | None:
        try:
            with open(self.path, "rb") as file:
                raw = file.read(_MOST_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SoulError(self.path, os_problem(error)) from error
        if len(raw) > _MOST_BYTES:
            raise SoulError(self.path, Reason.TOO_LARGE, most=_MOST_BYTES, got=len(raw))
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise SoulError(self.path, Reason.NOT_UTF8, position=error.start) from error
        if "\0" in text:
            raise SoulError(self.path, Reason.ZERO_BYTES)
        return text.replace("\r\n", "\n")

    def write(self, text: str) -> None:
        folder = os.path.dirname(os.path.abspath(self.path))
        try:
            os.makedirs(folder, exist_ok=True)
            handle, beside = tempfile.mkstemp(prefix=".SOUL.", suffix=".tmp", dir=folder)
        except OSError as error:
            raise SoulError(self.path, os_problem(error)) from error
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise SoulError(self.path, os_problem(error)) from error


def soul_path(database: str, owner: Owner) -> str:
    """Returns the path beside the database; every owner but the local user has a separate file."""
    if database.startswith((":", "(")):
        raise InvalidInputError("path", Reason.SOUL_NEEDS_PATH)
    name = "SOUL.md"
    if owner != LOCAL_OWNER:
        owner_name = f"{owner.user_id}-{owner.agent_id}"
        digest = hashlib.sha256(repr((owner.user_id, owner.agent_id)).encode()).hexdigest()[:8]
        name = f"SOUL-{re.sub(r'[^A-Za-z0-9_-]+', '_', owner_name)[:60]}-{digest}.md"
    return os.path.join(os.path.dirname(os.path.abspath(database)), name)
