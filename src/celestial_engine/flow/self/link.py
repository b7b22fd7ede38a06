"""link: note in ordinary memories which island they belong to, by the words that they share with its founders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from celestial_engine.core.night.lifetime_rows import LifetimeRow
from celestial_engine.core.night.promotion import MOST_SOURCES
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.reflection import island_for
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.placement import rewrite
from celestial_engine.ports import ItemStore, Reader


def link(store: ItemStore, law: Law, owner: Owner, now: float) -> int:
    """Link memories to islands, and unlink them from islands that are gone; return how many changed."""
    with store.read() as session:
        islands = _islands_by_memory(session, owner, now)
    changed = 0
    for part in in_batches(list(islands)):
        with store.write(owner, durable=False) as session:
            count = 0
            for item in session.items.get_many(owner, part):
                if item.links.island != islands[item.id] and item.tier is not Tier.M0:
                    linked = replace(item, links=replace(item.links, island=islands[item.id]))
                    rewrite(session, law, linked, now)
                    count += 1
            if count:  # one entry with the count: the links can be found again
                detail = {"fields": ["island"], "memories": count}
                session.ledger.record(Event(EventType.APPRAISED, owner, now, None, detail))
        changed += count
    return changed


def _islands_by_memory(session: Reader, owner: Owner, now: float) -> Mapping[str, str | None]:
    """Return the new island of each memory whose link changes. A word of many memories links none of them."""
    islands = {island.id: island for island in session.self.islands(owner) if island.in_behaviour}
    lives = [life for life in session.night.lifetime_rows(owner) if life.tier is not Tier.M0]
    if not islands:
        return {life.item_id: None for life in lives if life.island is not None}
    width = Counter(word for life in lives for word in set(life.keywords))
    changes = dict[str, str | None]()
    for life in lives:
        if life.island in islands:
            continue
        narrow = [word for word in life.keywords if width[word] <= MOST_SOURCES]
        island = island_for(narrow, islands.values()) if _may_belong(life, now) else None
        if (None if island is None else island.id) != life.island:
            changes[life.item_id] = None if island is None else island.id
    return changes


def _may_belong(life: LifetimeRow, now: float) -> bool:
    return life.state.in_orbit and life.trusted and (life.valid_until is None or life.valid_until > now)
