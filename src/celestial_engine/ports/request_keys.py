"""Session group `keys`: idempotency keys, so that a retried request gets the first answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.record.owner import Owner
    from celestial_engine.core.record.versions import UsedKey


class RequestKeys(Protocol):
    """Keys of one owner at a time. Consistency: the state at the start of the session."""

    def get(self, owner: Owner, key: str, since: float) -> UsedKey | None:
        """The request and memory of this key; None if the key is unused, or last used before `since`."""
        ...


class RequestKeyWriter(RequestKeys, Protocol):
    """Reads and writes; reads see what this session wrote. Purging a memory deletes the keys that name it."""

    def put(self, owner: Owner, key: str, used: UsedKey, now: float, forget_before: float) -> None:
        """Inserts or replaces the key with the time `now`, and deletes the owner's keys older than `forget_before`.

        A store may also delete such keys of other owners.
        """
        ...
