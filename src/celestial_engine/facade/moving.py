"""Moving: memories out to another place and in from one, whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from celestial_engine.core.checks import check_limit, check_text
from celestial_engine.core.forgetting import State
from celestial_engine.core.guard import Guard, trust_in
from celestial_engine.core.item import CelestialItem, Trust
from celestial_engine.core.paging import Page, cursor_of, number_at
from celestial_engine.facade.keeping import Keeping
from celestial_engine.flow import bring_in

_EXPORT = "x"
_BATCH = 500


@dataclass(frozen=True)
class Imported:
    """How many records came in; those whose id is here already are passed over."""

    added: int
    known: int


class Moving(Keeping):
    """What leaves as records and comes back as the same memories."""

    def export_page(
        self, limit: int = 100, cursor: str | None = None, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Page[dict[str, Any]]:
        """Every memory as a JSON object, oldest first, those on the cliff and in archives too."""
        owner, limit = self._owner.but(user_id, agent_id), check_limit(limit)
        after = -1 if cursor is None else number_at(_EXPORT, cursor)
        with self._store.read() as session:
            rows = session.page(owner, after, limit + 1)
        items = self._scored(item for _, item in rows[:limit])
        told = [(self._unpacked(item) if item.state is State.ARCHIVED else item).to_dict() for item in items]
        more = 0 < limit < len(rows)
        return Page(told, cursor_of(_EXPORT, rows[limit - 1][0]) if more else None)

    def import_memories(
        self, records: Iterable[object], *, user_id: str | None = None, agent_id: str | None = None
    ) -> Imported:
        """The records of an export as memories of this owner, with their ids, times and lives.

        Batch by batch: a record that cannot be read ends it, and what came before it stays.
        """
        owner, added, known, rest = self._owner.but(user_id, agent_id), 0, 0, iter(records)
        while batch := [self._arriving(record) for record in islice(rest, _BATCH)]:
            items = [replace(item, owner=owner) for item in batch]
            for item, vector in zip(items, self._embedding.passages([item.content for item in items]), strict=True):
                item.embedding = vector  # by this memory's own model
            new = bring_in.bring_in(self._store, self._zones.sky, items, self._now())
            added, known = added + new, known + len(items) - new
        return Imported(added, known)

    def _arriving(self, record: object) -> CelestialItem:
        item = CelestialItem.from_dict(record)
        check_text(item.content)
        item = Guard(self._guard_policy).item(item)
        if item.trust is not Trust.LOW:
            item.trust = trust_in(item.content)
        if item.state is State.ARCHIVED:  # its archive lies elsewhere; the text came with the record
            item.state = State.ACTIVE
        return item
