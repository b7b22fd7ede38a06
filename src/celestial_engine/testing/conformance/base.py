"""Test data for the suite: small memories, courses, owners, and a store that is closed after each test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.ports import ItemStore

SOMEBODY = LOCAL_OWNER
SOMEBODY_ELSE = Owner("somebody-else", "default")
NOON = 1_750_000_000.0
FAST, SLOW, FLAT = 0, 1, 2


def an_item(
    item_id: str, content: str = "커피를 좋아한다", *, zone: int = 2, owner: Owner = SOMEBODY
) -> CelestialItem:
    return CelestialItem(item_id, content, NOON, NOON, zone=zone, owner=owner)


def a_course(level: float = 0.5, piece: int = FAST, moment: float | None = None) -> Course:
    return Course(piece, level, moment)


class StorePromises:
    def make_store(self) -> ItemStore:
        raise NotImplementedError("say how a store is made")

    @contextmanager
    def opened(self) -> Iterator[ItemStore]:
        store = self.make_store()
        try:
            yield store
        finally:
            store.close()
