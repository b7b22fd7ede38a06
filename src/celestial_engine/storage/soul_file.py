"""SOUL.md on disk: read completely, replaced atomically."""

from __future__ import annotations

import contextlib
import os
import tempfile

from celestial_engine.errors import Reason, SoulError, os_problem
from celestial_engine.storage.vault import SealedError, Vault

_MOST_BYTES = 1 << 20
UNFINISHED_SOUL = ".SOUL."


class DiskSoulFile:
    def __init__(self, path: str, vault: Vault | None = None) -> None:
        """With a vault it is written sealed; a file that the user wrote is read as it is."""
        self.path = path
        self._vault = vault

    def read(self) -> str | None:
        try:
            with open(self.path, "rb") as file:
                raw = file.read(_MOST_BYTES + 1)
            if self._vault is not None:
                raw = self._vault.open(raw)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SoulError(self.path, os_problem(error)) from error
        except SealedError as error:
            raise SoulError(self.path, Reason.WRONG_KEY) from error
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
            handle, beside = tempfile.mkstemp(prefix=UNFINISHED_SOUL, suffix=".tmp", dir=folder)
        except OSError as error:
            raise SoulError(self.path, os_problem(error)) from error
        try:
            with os.fdopen(handle, "wb") as file:
                data = text.encode("utf-8")
                file.write(data if self._vault is None else self._vault.seal(data))
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise SoulError(self.path, os_problem(error)) from error
