"""The ledger on dictionaries: what `storage/sqlite/ledger.py` does with tables."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from celestial_engine.core.ledger.chain import GENESIS, Entry, Fault, Head, event_of, linked
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner


@dataclass
class LedgerNotes:
    entries: list[Entry] = field(default_factory=list)
    versions: dict[int, CelestialItem] = field(default_factory=dict)

    def snapshot(self) -> LedgerNotes:
        return LedgerNotes(list(self.entries), dict(self.versions))


class DictLedger:
    """The ledger port, for a session that has `_ledger`."""

    _ledger: LedgerNotes
    _before: dict[tuple[Owner, str], CelestialItem]

    def events(self, owner: Owner, item_id: str | None, limit: int, until: int | None = None) -> list[Event]:
        chosen = [event for event in self._events(owner, item_id) if until is None or (event.number or 0) <= until]
        return chosen[::-1][:limit]

    def event(self, owner: Owner, number: int) -> Event | None:
        return next((event for event in self._events(owner) if event.number == number), None)

    def events_since(
        self, owner: Owner, number: int, item_id: str | None = None, limit: int | None = None
    ) -> list[Event]:
        return [event for event in self._events(owner, item_id) if (event.number or 0) > number][:limit]

    def latest(self, owner: Owner, kinds: Sequence[EventType], limit: int) -> list[Event]:
        return [event for event in self._events(owner)[::-1] if event.type in kinds][:limit]

    def event_counts(self, owner: Owner, after: int) -> dict[EventType, int]:
        return dict(Counter(event.type for event in self.events_since(owner, after)))

    def version(self, owner: Owner, number: int) -> CelestialItem | None:
        memory = self._ledger.versions.get(number)
        return copy.deepcopy(memory) if memory is not None and memory.owner == owner else None

    def versions_since(self, owner: Owner, number: int) -> list[tuple[int, CelestialItem]]:
        first: dict[str, tuple[int, CelestialItem]] = {}
        for version, memory in self._ledger.versions.items():
            if version > number and memory.owner == owner:
                first.setdefault(memory.id, (version, copy.deepcopy(memory)))
        return list(first.values())

    def number_at(self, moment: float) -> int:
        return next((entry.number for entry in reversed(self._ledger.entries) if entry.at <= moment), 0)

    def head(self) -> Head | None:
        entries = self._ledger.entries
        return Head(entries[-1].number, entries[-1].hash) if entries else None

    def highest_number(self) -> int:
        return len(self._ledger.entries)

    def entries(self, after: int, limit: int) -> list[Entry]:
        return self._ledger.entries[max(after, 0) :][:limit]

    def damaged_versions(self) -> list[Fault]:
        """Nobody else reaches them here, so they are not sealed."""
        return []

    def record(self, event: Event) -> int:
        head = self.head() or Head(0, GENESIS)
        number = head.number + 1
        self._ledger.entries.append(linked(head, number, event, None))
        before = None if event.item_id is None else self._before.pop((event.owner, event.item_id), None)
        if before is not None:
            self._ledger.versions[number] = replace(copy.deepcopy(before), embedding=None, total_score=0.0)
        return number

    def _remember(self, before: CelestialItem) -> None:
        self._before.setdefault((before.owner, before.id), before)

    def _forget_versions(self, owner: Owner, item_id: str) -> None:
        self._before.pop((owner, item_id), None)
        for number, memory in list(self._ledger.versions.items()):
            if (memory.owner, memory.id) == (owner, item_id):
                del self._ledger.versions[number]

    def _events(self, owner: Owner, item_id: str | None = None) -> list[Event]:
        return [
            event_of(entry)
            for entry in self._ledger.entries
            if (entry.user_id, entry.agent_id) == (owner.user_id, owner.agent_id) and item_id in (None, entry.item_id)
        ]
