"""What the dictionaries hold, and how it is gone through."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from celestial_engine.core.imagination.rules import PatternStrength
from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.versions import UsedKey
from celestial_engine.ports import ItemFilter
from celestial_engine.testing.in_memory.learning import LessonNotes
from celestial_engine.testing.in_memory.ledger import LedgerNotes
from celestial_engine.testing.in_memory.retention_view import ShelfNotes
from celestial_engine.testing.in_memory.self_state import SelfNotes


@dataclass(frozen=True)
class Row:
    key: int
    item: CelestialItem
    course: Course


@dataclass
class Data:
    rows: dict[int, Row]
    keys: dict[tuple[Owner, str], int]
    settle_at: dict[Owner, float]
    law: str | None = None
    embedder: str | None = None
    last_key: int = 0
    shelves: ShelfNotes = field(default_factory=ShelfNotes)
    ledger: LedgerNotes = field(default_factory=LedgerNotes)
    lessons: LessonNotes = field(default_factory=LessonNotes)
    selfhood: SelfNotes = field(default_factory=SelfNotes)
    request_keys: dict[tuple[Owner, str], tuple[UsedKey, float]] = field(
        default_factory=dict
    )  # replaced, not changed

    imagined: dict[tuple[Owner, str], PatternStrength] = field(default_factory=dict)  # replaced, not changed

    def snapshot(self) -> Data:
        """Rows are replaced, never changed, so shallow copies are enough to go back to."""
        return replace(
            self, rows=dict(self.rows), keys=dict(self.keys), settle_at=dict(self.settle_at),
            ledger=self.ledger.snapshot(), shelves=self.shelves.snapshot(), lessons=self.lessons.snapshot(),
            selfhood=self.selfhood.snapshot(),
        )  # fmt: skip


class DictRows:
    """Rows of an owner, in the order of storing."""

    _data: Data

    def get(self, owner: Owner, item_id: str) -> CelestialItem | None:
        key = self._data.keys.get((owner, item_id))
        return None if key is None else copy.deepcopy(self._data.rows[key].item)

    def get_many(self, owner: Owner, item_ids: Sequence[str]) -> list[CelestialItem]:
        found = (self.get(owner, item_id) for item_id in item_ids)
        return [item for item in found if item is not None]

    def _of(self, owner: Owner) -> list[Row]:
        return [row for row in self._data.rows.values() if row.item.owner == owner]

    def _orbiting(self, owner: Owner, where: ItemFilter | None = None) -> list[Row]:
        rows = [row for row in self._of(owner) if row.item.state.in_orbit]
        return rows if where is None else [row for row in rows if where.accepts(row.item)]
