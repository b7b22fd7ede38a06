"""The file that shows the self to its owner."""

from __future__ import annotations

from typing import Protocol


class SoulFile(Protocol):
    """SOUL.md. Whatever keeps it from being read or written is a SoulError."""

    @property
    def path(self) -> str: ...
    def read(self) -> str | None:
        """The text; None if there is no file."""
        ...

    def write(self, text: str) -> None:
        """Replaces the file atomically: it is there completely or not at all."""
        ...
