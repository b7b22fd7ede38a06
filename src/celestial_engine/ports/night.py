"""Session group `night`: what the nightly jobs read, counts and small rows of very many memories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.night.lifetime_rows import LifetimeRow
    from celestial_engine.core.night.sleep import Census
    from celestial_engine.core.record.owner import Owner


class Night(Protocol):
    """Read-only in every session. Consistency: the state at the start of the session, and its own writes."""

    def owners(self) -> list[Owner]:
        """Every owner who ever stored a memory, in an order that does not change between calls."""
        ...

    def census(self, owner: Owner) -> Census:
        """How many memories the owner has by state, and how many in orbit by zone and by tier."""
        ...

    def population(self) -> dict[int, int]:
        """How many memories of all owners are in orbit, by zone; an empty zone has no entry."""
        ...

    def lifetime_rows(self, owner: Owner) -> Iterator[LifetimeRow]:
        """One row for each active, faded or inactive memory, in the order of storing.

        The rows are read one by one: iterate before the session ends.
        """
        ...
