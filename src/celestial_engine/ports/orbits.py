"""Session group `orbits`: which memory is in which zone, and when that must be checked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.orbit.memory_function import Course
    from celestial_engine.core.orbit.zones import Body, Move
    from celestial_engine.core.record.forgetting import Departure, Protection, State
    from celestial_engine.core.record.lifetimes import Tier
    from celestial_engine.core.record.owner import Owner


class Due(NamedTuple):
    """A memory that is due: the inputs of its next course, without its text."""

    key: int
    owner: Owner
    item_id: str
    state: State
    zone: int
    tier: Tier
    protection: Protection
    recall_count: int
    last_recalled_at: float
    arbitrary_importance: float
    context_score: float
    departure: Departure | None
    idle_from: float  # on the owner's clock


class Orbits(Protocol):
    """What placing and rebalancing read. Only `count`, `due`, `law` and `unsettled` span several owners.

    Consistency: the state at the start of the session. A store may answer `due` and `unsettled` from a slightly older
    state: callers check again in a writing session.
    """

    def zone_counts(self, owner: Owner, zones: Sequence[int]) -> dict[int, int]:
        """How many memories are in each of these zones; an empty zone counts 0."""
        ...

    def count(self, owner: Owner | None = None) -> int:
        """How many memories are in orbit; without an owner, of all owners."""
        ...

    def lowest(self, owner: Owner, zone: int, count: int = 1) -> list[Body]:
        """Of each piece of the memory function, the `count` memories in this zone that are lowest, in no order.

        Of equal levels those with the lowest keys. A piece that no memory in the zone is on has no entry.
        """
        ...

    def occupants(self, owner: Owner, zones: Sequence[int]) -> list[Body]:
        """Every memory in these zones, in no order."""
        ...

    def waiting(self, owner: Owner, zone: int, piece: int, at_least: float, limit: int) -> list[Body]:
        """Memories of one zone and piece with a level of at least `at_least`; highest level first, then key."""
        ...

    def due(self, now: float, limit: int) -> list[Due]:
        """Memories of all owners whose next moment is `now` or earlier; the earliest first."""
        ...

    def still_due(self, owner: Owner, keys: Sequence[int], now: float) -> list[Due]:
        """Those of these memories of the owner whose next moment is `now` or earlier; the earliest first."""
        ...

    def overdue(self, owner: Owner, at: float, stale_after: float | None) -> list[Due]:
        """Memories that may leave by `at`, whatever their next moment: on the cliff and to be purged by then, or in
        orbit, not protected, of M30 or M90 and idle for `stale_after` seconds (None: never); in the order of keys.
        """
        ...

    def law(self) -> str | None:
        """The law, as text, that the stored courses were computed with; None if none was adopted yet."""
        ...

    def unsettled(self, now: float, limit: int) -> list[Owner]:
        """Owners whose bounded zones need new seats by `now`."""
        ...


class OrbitWriter(Orbits, Protocol):
    """Reads and writes; reads see what this session wrote. A key that the owner does not have is skipped."""

    def set_courses(self, owner: Owner, courses: Iterable[tuple[int, int, Course]]) -> None:
        """Overwrites the zone and course of memories of this owner, by key."""
        ...

    def move(self, owner: Owner, moves: Iterable[Move]) -> None:
        """Sets the zone of each moved memory of this owner; the last move of a memory counts."""
        ...

    def settle_again(self, owner: Owner, at: float | None) -> None:
        """Sets when `unsettled` lists this owner next; None: not before this is called again.

        Does nothing for an owner who never stored a memory.
        """
        ...

    def adopt_law(self, law: str) -> None:
        """Stores another law, and makes every memory in orbit or on the cliff due at once.

        Needs a session of all owners.

        Does nothing if this law is in force.
        """
        ...
