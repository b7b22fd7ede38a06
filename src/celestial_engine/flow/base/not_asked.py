"""The memories about which no language model was asked yet, for the nightly stages that ask."""

from __future__ import annotations

from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import Reader

_MOST_LOOKED_AT = 500


def newest_not_asked(session: Reader, owner: Owner, detail: str) -> list[CelestialItem]:
    """Return the newest memories about which no language model was asked, as an event with this detail would tell."""
    rows = [row for row in session.night.lifetime_rows(owner) if row.state.in_orbit and row.trusted]
    newest = [row.item_id for row in sorted(rows, key=lambda row: -row.created_at)[:_MOST_LOOKED_AT]]
    asked = {
        item_id
        for kind in (EventType.STORED, EventType.APPRAISED)
        for item_id in session.ledger.ids_with_event(owner, newest, kind, detail)
    }
    items = {item.id: item for item in session.items.get_many(owner, newest)}
    return [items[item_id] for item_id in newest if item_id in items and item_id not in asked]
