"""Session group `ideas`: how well each kind of imagined idea was received."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.imagination.rules import PatternStrength
    from celestial_engine.core.record.owner import Owner


class Ideas(Protocol):
    """One row per owner and pattern. Consistency: the state at the start of the session."""

    def patterns(self, owner: Owner) -> dict[str, PatternStrength]:
        """The owner's patterns by name, in the order of their names; a pattern that was never used has no entry."""
        ...


class IdeaWriter(Ideas, Protocol):
    """Reads and writes; reads see what this session wrote."""

    def put_pattern(self, owner: Owner, strength: PatternStrength) -> None:
        """Inserts or replaces the row of `strength.pattern`.

        When the memory in `strength.waiting` is purged, the store sets that field to None.
        """
        ...
