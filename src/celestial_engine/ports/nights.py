"""What sleep asks a store: who there is, and how many of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.night.sleep import Census
    from celestial_engine.core.record.owner import Owner


class Nights(Protocol):
    """Asked before and after a night."""

    def owners(self) -> list[Owner]:
        """Everybody who ever stored anything."""
        ...

    def census(self, owner: Owner) -> Census: ...
    def population(self) -> dict[int, int]:
        """How many are in orbit, of all owners, by zone."""
        ...
