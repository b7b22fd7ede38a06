"""What sleep reads of memories: numbers by the thousand, and what the ledger has told of them already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from celestial_engine.core.night.lives import LifetimeRow
    from celestial_engine.core.record.events import EventType
    from celestial_engine.core.record.owner import Owner


class Lives(Protocol):
    """Asked by the duties of a night."""

    def lives(self, owner: Owner) -> Iterator[LifetimeRow]:
        """Every memory that is active, faded or inactive, in the order of storing; one by one, within the session."""
        ...

    def told_of(self, owner: Owner, item_ids: Iterable[str], kind: EventType, detail: str = "") -> set[str]:
        """Those of these memories that the ledger has an event of this type of, with a detail of this name."""
        ...
