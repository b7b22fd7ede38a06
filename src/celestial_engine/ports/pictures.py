"""Session group `pictures`: what the dashboard draws, a few columns of very many memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.browse.directory import RelationColumns
    from celestial_engine.core.browse.table import MemoryRow
    from celestial_engine.core.orbit.picture import MoodPoint, OrbitPoint, PastEvent
    from celestial_engine.core.record.owner import Owner


class Pictures(Protocol):
    """Read-only in every session. Consistency: the state at the start of the session, and its own writes."""

    def orbit_points(self, owner: Owner, limit: int, *, everywhere: bool = False) -> list[OrbitPoint]:
        """Memories in orbit by zone, innermost first; within a zone the last recalled first.

        `everywhere`: also those out of orbit.
        """
        ...

    def past_events(self, owner: Owner, until: float, limit: int) -> list[PastEvent]:
        """The newest `limit` events up to `until` that moved a memory in or out of orbit, or recalled it.

        Oldest first.
        """
        ...

    def daily_event_counts(self, owner: Owner, first: float, end: float) -> Mapping[tuple[float, str], int]:
        """How many events of each type happened from `first` until before `end`, by (start of day, type).

        Days begin at `first` and last 24 hours. A memory counts as stored on the day it was created, even if it
        was imported later. A day without events of a type has no entry.
        """
        ...

    def moods(self, owner: Owner, first: float, limit: int) -> list[MoodPoint]:
        """The emotions of memories created at `first` or later, newest first; purged memories are not included."""
        ...

    def tiers(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, str]:
        """The tier of each of these memories by id, whatever its state; a missing memory has no entry."""
        ...

    def memory_rows(self, owner: Owner, item_ids: Sequence[str] | None = None) -> list[MemoryRow]:
        """Every memory of the owner that is not purged, or those among some, in any order. Texts of archived ones may
        be empty."""
        ...

    def graph_keys(self, owner: Owner) -> Set[str]:
        """The keys of everybody and everything that the memories relate; some may be missing."""
        ...

    def relation_columns(self, owner: Owner) -> RelationColumns:
        """What the memories that are still there relate, oldest first; those out of use are among them."""
        ...
