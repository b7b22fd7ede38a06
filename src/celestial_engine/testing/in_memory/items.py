"""Records in a dictionary."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.paging import PagePosition
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.labels import Attribute, Lifetime, Subject
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import NotFoundError
from celestial_engine.ports import ItemFilter, LastingFact, Recalled, SessionSpan
from celestial_engine.testing.in_memory.archives import DictArchives
from celestial_engine.testing.in_memory.ledger import DictLedger
from celestial_engine.testing.in_memory.transaction import Row, Transaction


class ForgetsItems(Protocol):
    """A group of the store that holds data about memories."""

    def forget_item(self, owner: Owner, item_id: str) -> None:
        """Remove its data about a memory that is being purged."""
        ...


class DictItems:
    """Records. Takes the groups it also writes to: the ledger, the archives, and those that forget purged items."""

    def __init__(
        self, transaction: Transaction, ledger: DictLedger, archives: DictArchives, others: Sequence[ForgetsItems]
    ) -> None:
        self._tx = transaction
        self._ledger = ledger
        self._archives = archives
        self._others = others

    def get(self, owner: Owner, item_id: str) -> CelestialItem | None:
        key = self._tx.data.keys.get((owner, item_id))
        return None if key is None else copy.deepcopy(self._tx.data.rows[key].item)

    def get_many(self, owner: Owner, item_ids: Sequence[str]) -> list[CelestialItem]:
        items = (self.get(owner, item_id) for item_id in item_ids)
        return [item for item in items if item is not None]

    def ids_starting(self, owner: Owner, prefix: str, limit: int) -> list[str]:
        ids = sorted(
            item_id for row_owner, item_id in self._tx.data.keys if row_owner == owner and item_id.startswith(prefix)
        )
        return ids[:limit]

    def newest(
        self, owner: Owner, chosen: ItemFilter, limit: int | None, before: PagePosition | None = None
    ) -> list[CelestialItem]:
        rows = [row for row in self._tx.rows_of(owner) if chosen.accepts(row.item)]
        if before is not None:
            bound = (before.created_at, self._tx.data.keys.get((owner, before.item_id), 0))
            rows = [row for row in rows if (row.item.created_at, row.key) < bound]
        rows.sort(key=lambda row: (row.item.created_at, row.key), reverse=True)
        return [copy.deepcopy(row.item) for row in rows[:limit]]

    def lasting(self, owner: Owner, each: int) -> list[LastingFact]:
        ids: dict[tuple[Subject, Attribute], list[str]] = defaultdict(list)
        for row in sorted(self._tx.in_orbit(owner), key=lambda row: (row.item.created_at, row.key), reverse=True):
            address = row.item.address
            if address is not None and row.item.lifetime is Lifetime.LASTING:
                ids[address.subject, address.attribute].append(row.item.id)
        return [
            LastingFact(subject, attribute, item_id)
            for (subject, attribute), found in ids.items()
            for item_id in found[:each]
        ]

    def session_span(self, owner: Owner, session_id: str) -> SessionSpan | None:
        of_session = ItemFilter(states=tuple(State), session_id=session_id)
        rows = [row.item for row in self._tx.rows_of(owner) if of_session.accepts(row.item)]
        if not rows:
            return None
        minutes = rows[0].time.relative_time_minutes or 0.0
        return SessionSpan(rows[0].created_at - 60.0 * minutes, rows[-1].time.sequence or 0)

    def session_ids(self, owner: Owner, chosen: ItemFilter) -> list[str]:
        return sorted({row.item.time.session_id for row in self._tx.rows_of(owner)
                       if row.item.time.session_id is not None and chosen.accepts(row.item)})  # fmt: skip

    def page(self, owner: Owner, after: int, limit: int) -> list[tuple[int, CelestialItem]]:
        rows = [row for row in self._tx.rows_of(owner) if row.key > after]
        return [(row.key, copy.deepcopy(row.item)) for row in rows[:limit]]

    def state_counts(self, owner: Owner) -> dict[State, int]:
        return dict(Counter(row.item.state for row in self._tx.rows_of(owner)))

    def category_counts(self, owner: Owner) -> dict[Category, int]:
        categories = (row.item.category for row in self._tx.in_orbit(owner))
        return dict(Counter(category for category in categories if category is not None))

    def key_of(self, owner: Owner, item_id: str) -> int:
        try:
            return self._tx.data.keys[(owner, item_id)]
        except KeyError:
            raise NotFoundError(item_id=item_id) from None

    def keys_of(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, int]:
        keys = self._tx.data.keys
        return {item_id: keys[owner, item_id] for item_id in item_ids if (owner, item_id) in keys}

    def id_of(self, owner: Owner, key: int) -> str:
        row = self._tx.row(owner, key)
        if row is None:
            raise KeyError(key)
        return row.item.id

    def add(self, item: CelestialItem, course: Course) -> int:
        self._tx.check_writes(item.owner)
        self._tx.data.last_key += 1
        key = self._tx.data.last_key
        self._tx.data.rows[key] = Row(key, copy.deepcopy(item), course)
        self._tx.data.keys[(item.owner, item.id)] = key
        return key

    def add_many(self, items: Sequence[tuple[CelestialItem, Course]]) -> list[int]:
        return [self.add(item, course) for item, course in items]

    def rewrite(self, item: CelestialItem, course: Course) -> None:
        self._tx.check_writes(item.owner)
        key = self.key_of(item.owner, item.id)
        self._ledger.keep_version(self._tx.data.rows[key].item)
        self._tx.data.rows[key] = Row(key, copy.deepcopy(item), course)
        if item.state is not State.ARCHIVED:
            self._archives.take_out(key)

    def reinforce(self, owner: Owner, now: float, recalled: Sequence[Recalled]) -> None:
        self._tx.check_writes(owner)
        for key, context, zone, course in recalled:
            row = self._tx.row(owner, key)
            if row is not None:
                count = row.item.recall_count + 1
                item = replace(
                    row.item, recall_count=count, last_recalled_at=now, idle_since=None, context_score=context,
                    zone=zone,
                )  # fmt: skip
                self._tx.data.rows[key] = Row(key, item, course)

    def mention(self, owner: Owner, item_id: str) -> None:
        self._tx.check_writes(owner)
        key = self._tx.data.keys.get((owner, item_id))
        if key is not None:
            row = self._tx.data.rows[key]
            mentioned = replace(row.item, mention_count=row.item.mention_count + 1)
            self._tx.data.rows[key] = replace(row, item=mentioned)

    def purge(self, owner: Owner, item_id: str) -> None:
        self._tx.check_writes(owner)
        key = self.key_of(owner, item_id)
        self._archives.take_out(key)
        for other_id in self._tx.data.rows[key].item.links.tied:
            other_key = self._tx.data.keys.get((owner, other_id))
            if other_key is not None:
                row = self._tx.data.rows[other_key]
                untied = replace(row.item, links=row.item.links.without(item_id))
                self._tx.data.rows[other_key] = replace(row, item=untied)
        del self._tx.data.rows[key]
        del self._tx.data.keys[(owner, item_id)]
        self._ledger.forget_item(owner, item_id)
        for group in self._others:
            group.forget_item(owner, item_id)
