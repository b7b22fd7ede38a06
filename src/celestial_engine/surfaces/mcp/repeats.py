"""Whether a text that was just saved had been saved before: models forget that they did."""

from __future__ import annotations

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine import CelestialMemory

_COMPARED = 5


def earlier_same(memory: CelestialMemory, item_id: str) -> CelestialItem | None:
    """Returns an active memory that says the same as this one, whatever its case and spacing."""
    saved = memory.get(item_id)
    text = _plain(saved.content)
    found = memory.search(saved.content, _COMPARED, floor=0.0)
    return next((item for item in found if item.id != saved.id and _plain(item.content) == text), None)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".!?")
