"""Past: one owner's memories as they were at a moment, read-only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from celestial_engine.core.checks import check_id, check_limit
from celestial_engine.core.record.events import Event
from celestial_engine.engine import asking, reading
from celestial_engine.engine.departures import on_the_cliff
from celestial_engine.engine.parts import Items, Parts
from celestial_engine.engine.transfer import exported
from celestial_engine.flow.base.law import LawInForce
from celestial_engine.flow.ledger.past import PastMemories, write_past
from celestial_engine.ports import ItemStore


class Past:
    """Memories as of a moment. Nothing here changes anything, not even recalling.

    `gone`: ids of memories that existed then and were purged since; nothing is left of them.
    """

    def __init__(self, moment: float, then: PastMemories, parts: Parts, present: ItemStore) -> None:
        """`parts` use a temporary store that holds the past memories."""
        self.moment = moment
        self.number = then.number
        self.gone = then.gone
        self.parts = parts
        self._present = present

    get = reading.get
    related = reading.related
    explain = reading.explain
    stats = reading.stats
    recall = asking.recall
    search = asking.search
    compose = asking.compose
    profile = asking.profile
    list = reading.list_newest  # last, because the name hides the builtin

    def cliff(self, limit: int = 100) -> Items:
        """Returns what was on the cliff then."""
        return on_the_cliff(self.parts, limit)

    def export(self) -> Iterator[dict[str, Any]]:
        """Yields every memory of that time as a JSON object, oldest first."""
        return exported(self.parts)

    def history(self, item_id: str | None = None, limit: int = 100) -> Sequence[Event]:
        """Returns the ledger entries up to that time, newest first."""
        with self._present.read() as session:
            return session.ledger.events(
                self.parts.owner, item_id and check_id(item_id), check_limit(limit), self.number
            )


def open_past(parts: Parts, moment: float, then: PastMemories) -> Past:
    """Writes the memories of that moment into an empty store."""
    room, law = parts.empty_store(), parts.law()
    write_past(room, law, then.items, moment)
    past_parts = replace(
        parts,
        store=room,
        laws=LawInForce(room, law, parts.owner, moment),
        clock=lambda: moment,
        reinforces=False,
    )
    return Past(moment, then, past_parts, parts.store)
