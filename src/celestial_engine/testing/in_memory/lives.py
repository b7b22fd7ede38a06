"""What sleep reads of memories, on dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from celestial_engine.core.night.lives import LIVING, LifetimeRow, lifetime_row_of
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.testing.in_memory.ledger import LedgerNotes
from celestial_engine.testing.in_memory.rows import DictRows


class DictLives(DictRows):
    """The lives of a session on dictionaries."""

    _ledger: LedgerNotes

    def lives(self, owner: Owner) -> Iterator[LifetimeRow]:
        return (lifetime_row_of(row.item, row.key) for row in self._of(owner) if row.item.state in LIVING)

    def told_of(self, owner: Owner, item_ids: Iterable[str], kind: EventType, detail: str = "") -> set[str]:
        named = f'"{detail}":' if detail else ""
        told = {
            entry.item_id
            for entry in self._ledger.entries
            if entry.item_id is not None
            and entry.type == kind.value
            and named in entry.detail
            and (entry.user_id, entry.agent_id) == (owner.user_id, owner.agent_id)
        }
        return told.intersection(item_ids)
