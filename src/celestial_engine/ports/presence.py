"""Session group `presence`: when each owner was last active, and the clocks that wait for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.record.owner import Owner


class Presence(Protocol):
    """One row per owner. Consistency: the state at the start of the session."""

    def last_active(self, owner: Owner) -> float | None:
        """When the owner was last active; None if that was never noted."""
        ...

    def is_waited_for(self, owner: Owner) -> bool:
        """Whether a rebalance left memories without a next moment until the owner is active again."""
        ...


class PresenceWriter(Presence, Protocol):
    """Reads and writes; reads see what this session wrote."""

    def set_active(self, owner: Owner, at: float) -> None:
        """Inserts or replaces the owner's row; nothing waits for the owner any more."""
        ...

    def wait_for(self, owner: Owner) -> None:
        """Notes that memories wait for this owner; does nothing for one whose activity was never noted."""
        ...

    def shift_clocks(self, owner: Owner, seconds: float, now: float, stale_after: float | None) -> None:
        """Adds `seconds` to the clocks of all the owner's memories: when they expire and are purged, since when they
        are idle, and since when they are faded or inactive. Calendar times (`created_at`, `last_recalled_at`) stay.

        The next moment of a memory on the cliff becomes the time of its purge; that of a memory in orbit that may
        become stale is no later than `stale_after` seconds after it became idle. With negative `seconds` no clock
        runs out: one that would have run out by `now` stays as it is, idle time does not begin before the memory was
        stored, and a recall that `now` lies before counts as one of `now`. With 0 seconds only next moments change.
        """
        ...
