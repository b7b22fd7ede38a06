"""Access over a network: tokens, by their digests, and rate limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.access import Grant
    from celestial_engine.core.rate_limits import Allowance
    from celestial_engine.core.record.owner import Owner


class Grants(Protocol):
    """Every token that was ever granted; revoked ones stay listed."""

    def add(self, grant: Grant, digest: str) -> None: ...
    def of_digest(self, digest: str) -> Grant | None: ...
    def all(self) -> list[Grant]:
        """Returns all tokens, oldest first."""
        ...

    def used(self, grant_id: str, now: float) -> None: ...
    def revoke(self, grant_id: str, now: float) -> bool:
        """Revokes a token; False if there is none or it was revoked before."""
        ...

    def drop_ended(self, before: float) -> None:
        """Deletes sessions that expired before that moment; tokens do not expire and stay listed."""
        ...

    def add_key(self, digest: str, owner: Owner, expires_at: float) -> None:
        """Adds a key that opens one session, and deletes expired unused keys."""
        ...

    def take_key(self, digest: str, now: float) -> Owner | None:
        """Uses up a key and returns its owner; None if it is unknown, expired or used."""
        ...


class RateLimits(Protocol):
    """A token bucket per caller, for all servers of a store. Not durable: a power cut may fill the buckets."""

    def take(self, caller: str, now: float, rate: float, burst: int) -> Allowance:
        """Takes some of what the caller has left, for the server that calls; two never take the same.

        `now` is what the clock of the server says: a store on one machine takes it, a store on a server uses its own
        clock instead. `rate` is in requests per second.
        """
        ...
