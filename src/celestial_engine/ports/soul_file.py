"""The file that shows the self to its owner."""

from __future__ import annotations

from typing import Protocol


class SoulFile(Protocol):
    """SOUL.md. Any failure to read or write it raises SoulError."""

    @property
    def path(self) -> str: ...
    def read(self) -> str | None:
        """Returns the text; None if there is no file."""
        ...

    def write(self, text: str) -> None:
        """Replaces the file atomically."""
        ...
