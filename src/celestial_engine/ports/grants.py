"""Where tokens are kept, by their digests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.access import Grant


class Grants(Protocol):
    """Every token that was ever given; revoked ones stay listed."""

    def add(self, grant: Grant, digest: str) -> None: ...
    def of_digest(self, digest: str) -> Grant | None: ...
    def all(self) -> list[Grant]:
        """Oldest first."""
        ...

    def used(self, grant_id: str, now: float) -> None: ...
    def revoke(self, grant_id: str, now: float) -> bool:
        """False if there is no such token, or it was revoked before."""
        ...
