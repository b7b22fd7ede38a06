"""What the dashboard draws, on dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from celestial_engine.core.browse.directory import ALIVE, RelationColumns
from celestial_engine.core.browse.table import MemoryRow
from celestial_engine.core.orbit.picture import (
    DAY,
    LABEL,
    LEAVES,
    RETURNS,
    MoodPoint,
    OrbitPoint,
    PastEvent,
    weighted_emotions,
)
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.recall_event import parts_of
from celestial_engine.core.text.entities import entity
from celestial_engine.testing.in_memory.ledger import DictLedger
from celestial_engine.testing.in_memory.transaction import Transaction


class DictPictures:
    def __init__(self, transaction: Transaction, ledger: DictLedger) -> None:
        self._tx = transaction
        self._ledger = ledger

    def orbit_points(self, owner: Owner, limit: int, *, everywhere: bool = False) -> list[OrbitPoint]:
        items = [row.item for row in self._tx.rows_of(owner) if everywhere or row.item.state.in_orbit]
        items.sort(key=lambda item: (item.zone, -item.last_recalled_at))
        return [_orbit_point(item) for item in items[:limit]]

    def past_events(self, owner: Owner, until: float, limit: int) -> list[PastEvent]:
        events = [
            PastEvent(part.item_id, part.at, part.type.value, float(part.detail.get("context", 0.0)))
            for event in self._ledger.events_since(owner, 0)
            for part in parts_of(event)
            if part.item_id is not None and part.type.value in LEAVES | RETURNS and part.at <= until
        ]
        return events[-limit:]

    def daily_event_counts(self, owner: Owner, first: float, end: float) -> dict[tuple[float, str], int]:
        created_at = {row.item.id: row.item.created_at for row in self._tx.rows_of(owner)}
        counts: Counter[tuple[float, str]] = Counter()
        for event in self._ledger.events_since(owner, 0):
            stored = event.type.value == "stored" and event.item_id in created_at
            moment = created_at[event.item_id or ""] if stored else event.at
            if event.at >= first and first <= moment < end:
                counts[(first + (moment - first) // DAY * DAY, event.type.value)] += 1
        return dict(counts)

    def tiers(self, owner: Owner, item_ids: Sequence[str]) -> dict[str, str]:
        wanted = set(item_ids)
        return {row.item.id: row.item.tier.value for row in self._tx.rows_of(owner) if row.item.id in wanted}

    def moods(self, owner: Owner, first: float, limit: int) -> list[MoodPoint]:
        items = sorted((row.item for row in self._tx.rows_of(owner)), key=lambda item: -item.created_at)
        moods = [MoodPoint(item.created_at, _weighted_emotions(item), item.emotion.sentiment_score) for item in items]
        return [mood for mood in moods if mood.created_at >= first][:limit]

    def memory_rows(self, owner: Owner, item_ids: Sequence[str] | None = None) -> list[MemoryRow]:
        items = [row.item for row in self._tx.rows_of(owner) if row.item.state is not State.PURGED]
        wanted = None if item_ids is None else set(item_ids)
        return [_memory_row(item) for item in items if wanted is None or item.id in wanted]

    def graph_keys(self, owner: Owner) -> set[str]:
        rows = (row for row in self.memory_rows(owner) if row.state in ALIVE)
        return {entity(end) for row in rows for source, _, target in row.triples for end in (source, target)}

    def relation_columns(self, owner: Owner) -> RelationColumns:
        columns = RelationColumns(known_keys=self.graph_keys(owner))
        for row in sorted(self.memory_rows(owner), key=lambda row: (row.created_at, row.id)):
            if row.state in ALIVE:
                columns.add(row.id, row.created_at, row.subject, row.attribute, row.triples)
        return columns


def _memory_row(item: CelestialItem) -> MemoryRow:
    address = item.address
    return MemoryRow(
        item.id, item.content, item.zone, item.state.value, item.tier.value, item.protection.value,
        item.recall_count, item.last_recalled_at, item.arbitrary_importance, item.context_score, item.created_at,
        item.expires_at, None if item.departure is None else item.departure.purge_at,
        None if address is None else address.subject.value, None if address is None else address.attribute.value,
        None if address is None else address.value, item.source.value, item.time.session_id, item.space.project,
        item.tags, tuple(tag.value for tag in item.emotion.tags), item.resolution.triples, item.validity.until,
        item.is_lasting, None if item.lifetime is None else item.lifetime.value,
    )  # fmt: skip


def _weighted_emotions(item: CelestialItem) -> tuple[tuple[str, float], ...]:
    return weighted_emotions([tag.value for tag in item.emotion.tags], item.emotion.intensity)


def _orbit_point(item: CelestialItem) -> OrbitPoint:
    return OrbitPoint(
        item.id, item.zone, item.state.value, item.tier.value, item.protection.value, item.recall_count,
        item.last_recalled_at, item.arbitrary_importance, item.context_score, item.created_at,
        None if item.departure is None else item.departure.at, item.content[:LABEL],
        _weighted_emotions(item),
    )  # fmt: skip
