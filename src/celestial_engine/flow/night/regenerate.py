"""regenerate: rebuild gists and triples that are missing or do not match their text, and read what never was.

Memories from before texts were read have no lifetime: without one a name would expire like a passing remark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from celestial_engine.core.model.faithful import unsaid_words
from celestial_engine.core.night.lifetime_rows import LIVING
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.coordinate import Resolution
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.text.gist import gist_of
from celestial_engine.core.text.perception import Perception
from celestial_engine.flow.base.batches import all_items, in_batches
from celestial_engine.flow.base.placement import rewrite
from celestial_engine.flow.base.read import read_text
from celestial_engine.flow.turn.record import with_longer_life, with_reading
from celestial_engine.ports import ItemStore, Progress, Reader

Perceive = Callable[[str], Perception]


@dataclass(frozen=True)
class RegeneratePlan:
    """The memories whose gist or triples are missing or stale, or whose text was never read."""

    item_ids: tuple[str, ...] = ()
    leaving: ClassVar[tuple[str, ...]] = ()


def plan(session: Reader, owner: Owner, now: float, *, thorough: bool = False) -> RegeneratePlan:
    """Plan the memories without a gist or a lifetime. A thorough plan reads every text to find stale gists too."""
    if thorough:
        items = (item for item in all_items(session, owner) if item.state in LIVING)
        return RegeneratePlan(tuple(item.id for item in items if _is_due(item)))
    rows = session.night.lifetime_rows(owner)
    due = (life for life in rows if not life.has_gist or (life.trusted and not life.was_read))
    return RegeneratePlan(tuple(life.item_id for life in due))


def carry_out(
    store: ItemStore,
    law: Law,
    owner: Owner,
    plan: RegeneratePlan,
    now: float,
    perceive: Perceive,
    progress: Progress | None = None,
) -> Mapping[str, int]:
    """Rebuild them. `perceive` runs outside transactions; a memory that was reworded meanwhile is skipped."""
    changed = 0
    for part in in_batches(plan.item_ids, progress):
        with store.read() as reader:
            before = {item.id: item for item in reader.items.get_many(owner, part) if _is_due(item)}
        resolutions = {item.id: _read(perceive, item.content) for item in before.values() if _is_stale(item)}
        readings = {item.id: read_text(item.content) for item in before.values() if _is_unread(item)}
        with store.write(owner, durable=False) as session:
            for item in session.items.get_many(owner, list(before)):
                if item.content != before[item.id].content or item.state not in LIVING:
                    continue
                fresh, fields = item, list[str]()
                if item.id in resolutions:
                    fresh, fields = replace(fresh, resolution=resolutions[item.id]), ["gist", "triples"]
                if item.id in readings:
                    fresh, fields = (
                        with_longer_life(with_reading(fresh, readings[item.id]), now),
                        [*fields, "lifetime"],
                    )
                rewrite(session, law, fresh, now)
                session.ledger.record(Event(EventType.APPRAISED, owner, now, item.id, {"fields": fields}))
                changed += 1
    return {"regenerated": changed}


def _read(perceive: Perceive, content: str) -> Resolution:
    """Read the text again; if the model invents again, use the text itself."""
    resolution = perceive(content).resolution
    if resolution.gist is None or unsaid_words(resolution.gist, content):
        return replace(resolution, gist=gist_of(content))
    return resolution


def _is_due(item: CelestialItem) -> bool:
    return _is_unread(item) or _is_stale(item)


def _is_unread(item: CelestialItem) -> bool:
    # What nobody said, such as the answers of personas, has low trust: it must not become a fact about the user.
    return item.lifetime is None and item.trust is not Trust.LOW


def _is_stale(item: CelestialItem) -> bool:
    gist = item.resolution.gist
    # The rules quote the text, but may cut a word that is too long.
    return gist is None or (bool(unsaid_words(gist, item.content)) and gist != gist_of(item.content))
