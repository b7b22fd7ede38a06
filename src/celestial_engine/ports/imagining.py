"""What a store keeps for the imagination: how welcome each kind of idea has been."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.imagination.rules import PatternStrength
    from celestial_engine.core.record.owner import Owner


class Patterns(Protocol):
    """Asked before something is imagined."""

    def patterns(self, owner: Owner) -> dict[str, PatternStrength]:
        """By name; a kind of idea that nobody had yet is not among them."""
        ...


class PatternWriting(Protocol):
    """Within one transaction."""

    def put_pattern(self, owner: Owner, strength: PatternStrength) -> None: ...
