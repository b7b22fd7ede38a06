"""The ledger on a list, and the versions in a dictionary."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from celestial_engine.core.ledger.anchors import Anchor, AnchoredHead, next_anchor
from celestial_engine.core.ledger.chain import (
    START,
    CarriedSeal,
    Entry,
    Fault,
    Head,
    Written,
    canonical,
    event_of,
    linked,
)
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.recall_event import part_about, parts_of
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
            part.item_id
            for event in self._events(owner)
            for part in parts_of(event)
            if part.item_id is not None and part.type is kind and detail_key in canonical(part.detail)
        }
        return ids.intersection(item_ids)

    def version(self, owner: Owner, number: int) -> CelestialItem | None:
        memory = self._tx.data.versions.get((owner, number))
        return None if memory is None else copy.deepcopy(memory)

    def versions_since(self, owner: Owner, number: int) -> list[tuple[int, CelestialItem]]:
        first: dict[str, tuple[int, CelestialItem]] = {}
        for (whose, version), memory in self._tx.data.versions.items():
            if version > number and whose == owner:
                first.setdefault(memory.id, (version, copy.deepcopy(memory)))
        return list(first.values())

    def number_at(self, owner: Owner, moment: float) -> int:
        return next((entry.number for entry in reversed(self._chain(owner)) if entry.at <= moment), 0)

    def head(self, owner: Owner) -> Head | None:
        chain = self._chain(owner)
        return Head(chain[-1].number, chain[-1].hash) if chain else None

    def sealed_head(self) -> Head:
        return START

    def carried(self, owner: Owner) -> CarriedSeal | None:
        return None

    def sealed_entries(self, after: int, limit: int) -> list[Entry]:
        return []

    def entries(self, owner: Owner, after: int, limit: int) -> list[Entry]:
        return [entry for entry in self._chain(owner) if entry.number > after][:limit]

    def entry_count(self, owner: Owner, until: int) -> int:
        return sum(entry.number <= until for entry in self._chain(owner))

    def chains(self) -> Iterator[tuple[Owner | None, Head | None]]:
        owners = dict.fromkeys(Owner(entry.user_id, entry.agent_id) for entry in self._tx.data.entries)
        return ((owner, self.head(owner)) for owner in owners)

    def written(self, after: int, limit: int) -> list[Written]:
        return [Written(*one) for one in enumerate(self._tx.data.entries, 1)][max(after, 0) :][:limit]

    def last_written(self) -> Head | None:
        entries = self._tx.data.entries
        return Head(len(entries), entries[-1].hash) if entries else None

    def anchors(self, after: int, limit: int) -> list[Anchor]:
        return self._tx.data.anchors[max(after, 0) :][:limit]

    def newest_anchor(self) -> Head | None:
        anchors = self._tx.data.anchors
        return Head(anchors[-1].number, anchors[-1].hash) if anchors else None

    def total(self) -> int:
        return len(self._tx.data.entries)

    def damaged_versions(self, owner: Owner | None = None) -> list[Fault]:
        """Nobody else reaches them here, so they are not sealed."""
        return []

    def record(self, event: Event) -> int:
        self._tx.check_writes(event.owner)
        head = self.head(event.owner) or START
        number = head.number + 1
        self._tx.data.entries.append(linked(head, number, event, None))
        before = None if event.item_id is None else self._before.pop((event.owner, event.item_id), None)
        if before is not None:
            self._tx.data.versions[event.owner, number] = replace(
                copy.deepcopy(before), embedding=None, total_score=0.0
            )
        return number

    def anchor(self, at: float, only: Owner | None = None) -> Anchor | None:
        self._tx.check_writes(None)
        anchored = {(head.user_id, head.agent_id, head.number) for one in self._tx.data.anchors for head in one.heads}
        heads = [
            AnchoredHead(owner.user_id, owner.agent_id, *head) for owner, head in self.chains() if owner and head
        ]
        changed = [head for head in heads if head[:3] not in anchored]
        if only is not None:
            changed = [head for head in heads if head[:2] == (only.user_id, only.agent_id)]
        if not changed:
            return None
        self._tx.data.anchors.append(next_anchor(self.newest_anchor() or START, at, changed))
        return self._tx.data.anchors[-1]

    def keep_version(self, before: CelestialItem) -> None:
        self._before.setdefault((before.owner, before.id), before)

    def forget_item(self, owner: Owner, item_id: str) -> None:
        self._before.pop((owner, item_id), None)
        for key, memory in list(self._tx.data.versions.items()):
            if (memory.owner, memory.id) == (owner, item_id):
                del self._tx.data.versions[key]

    def _events(self, owner: Owner, item_id: str | None = None) -> list[Event]:
        events = (event_of(entry) for entry in self._chain(owner))
        if item_id is None:
            return list(events)
        return [part for event in events if (part := part_about(event, item_id)) is not None]

    def _chain(self, owner: Owner) -> list[Entry]:
        names = (owner.user_id, owner.agent_id)
        return [entry for entry in self._tx.data.entries if (entry.user_id, entry.agent_id) == names]
