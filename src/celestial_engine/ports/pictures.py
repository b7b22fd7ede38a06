"""What the dashboard asks a store: a little of very many memories, and what happened to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.orbit.picture import Mood, OrbitPoint, PastEvent
    from celestial_engine.core.record.owner import Owner


class Pictures(Protocol):
    """Everything is asked for by owner first, and with a limit."""

    def spots(self, owner: Owner, limit: int, *, everywhere: bool = False) -> list[OrbitPoint]:
        """Those in orbit, zone by zone from the innermost, the last recalled first; `everywhere`: the others too."""
        ...

    def deeds(self, owner: Owner, until: float, limit: int) -> list[PastEvent]:
        """What changed where memories are, up to that moment, oldest first; with a limit the newest of it."""
        ...

    def happened(self, owner: Owner, first: float, end: float) -> Mapping[tuple[float, str], int]:
        """How many events of each type there were in each day from `first` on, by the day's first second.

        A memory counts as stored on the day it was made, though it was brought here later.
        """
        ...

    def moods(self, owner: Owner, first: float, limit: int) -> list[Mood]:
        """How memories that were made since then feel, newest first, those that are gone excepted."""
        ...

    def tiers_of(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, str]:
        """The lifetimes of those of these memories that are still there, in whatever state."""
        ...

    def words_in_force(self) -> str | None:
        """What made the words that memories are found by; None where there is no index."""
        ...
