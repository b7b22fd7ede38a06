"""The ledger on a list, and the versions in a dictionary."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from celestial_engine.core.ledger.chain import GENESIS, Entry, Fault, Head, event_of, linked
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.testing.in_memory.transaction import Transaction


class DictLedger:
    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction
        self._before: dict[tuple[Owner, str], CelestialItem] = {}

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

    def ids_with_event(self, owner: Owner, item_ids: Iterable[str], kind: EventType, detail: str = "") -> set[str]:
        detail_key = f'"{detail}":' if detail else ""
        ids = {
            entry.item_id
            for entry in self._tx.data.entries
            if entry.item_id is not None
            and entry.type == kind.value
            and detail_key in entry.detail
            and (entry.user_id, entry.agent_id) == (owner.user_id, owner.agent_id)
        }
        return ids.intersection(item_ids)

    def version(self, owner: Owner, number: int) -> CelestialItem | None:
        memory = self._tx.data.versions.get(number)
        return copy.deepcopy(memory) if memory is not None and memory.owner == owner else None

    def versions_since(self, owner: Owner, number: int) -> list[tuple[int, CelestialItem]]:
        first: dict[str, tuple[int, CelestialItem]] = {}
        for version, memory in self._tx.data.versions.items():
            if version > number and memory.owner == owner:
                first.setdefault(memory.id, (version, copy.deepcopy(memory)))
        return list(first.values())

    def number_at(self, moment: float) -> int:
        return next((entry.number for entry in reversed(self._tx.data.entries) if entry.at <= moment), 0)

    def head(self) -> Head | None:
        entries = self._tx.data.entries
        return Head(entries[-1].number, entries[-1].hash) if entries else None

    def highest_number(self) -> int:
        return len(self._tx.data.entries)

    def entries(self, after: int, limit: int) -> list[Entry]:
        return self._tx.data.entries[max(after, 0) :][:limit]

    def damaged_versions(self) -> list[Fault]:
        """Nobody else reaches them here, so they are not sealed."""
        return []

    def record(self, event: Event) -> int:
        self._tx.check_writes(event.owner)
        head = self.head() or Head(0, GENESIS)
        number = head.number + 1
        self._tx.data.entries.append(linked(head, number, event, None))
        before = None if event.item_id is None else self._before.pop((event.owner, event.item_id), None)
        if before is not None:
            self._tx.data.versions[number] = replace(copy.deepcopy(before), embedding=None, total_score=0.0)
        return number

    def keep_version(self, before: CelestialItem) -> None:
        self._before.setdefault((before.owner, before.id), before)

    def forget_item(self, owner: Owner, item_id: str) -> None:
        self._before.pop((owner, item_id), None)
        for number, memory in list(self._tx.data.versions.items()):
            if (memory.owner, memory.id) == (owner, item_id):
                del self._tx.data.versions[number]

    def _events(self, owner: Owner, item_id: str | None = None) -> list[Event]:
        return [
            event_of(entry)
            for entry in self._tx.data.entries
            if (entry.user_id, entry.agent_id) == (owner.user_id, owner.agent_id) and item_id in (None, entry.item_id)
        ]
