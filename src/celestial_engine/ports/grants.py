"""Where tokens are kept, by their digests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.access import Grant
    from celestial_engine.core.record.owner import Owner


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

    def drop_ended(self, before: float) -> None:
        """Lets go of sessions whose time was over by that moment; tokens have no end, and stay listed."""
        ...

    def add_key(self, digest: str, owner: Owner, expires_at: float) -> None:
        """A key that opens one session; keys that nobody used in time are forgotten."""
        ...

    def take_key(self, digest: str, now: float) -> Owner | None:
        """Whose sessions the key opens; None if it is unknown, too old, or was taken before."""
        ...
