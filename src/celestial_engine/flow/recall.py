"""recall: reinforce what was found: a memory that is used becomes more central."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from celestial_engine.core.events import Event, EventType
from celestial_engine.core.item import CelestialItem
from celestial_engine.core.memory_function import similarity
from celestial_engine.core.owner import Owner
from celestial_engine.core.sky import Sky
from celestial_engine.flow.orbit import course_of, place
from celestial_engine.ports import ItemStore

Closeness = Callable[[float], float]


def reinforce(
    store: ItemStore,
    sky: Sky,
    owner: Owner,
    item_ids: Sequence[str],
    vector: Sequence[float] | None,
    now: float,
    closeness: Closeness = float,
) -> list[CelestialItem]:
    """Counts one recall for each, resets its freshness and finds its new place; one transaction.

    `closeness` brings a cosine of the embedder's to the scale of C(m).
    """
    recalled: list[CelestialItem] = []
    if not item_ids:
        return recalled
    with store.write(durable=False) as session:
        for item_id in item_ids:
            # Read anew, one by one: another process may have recalled or forgotten it, and the one before
            # it in this list may have taken its seat.
            item = session.get(owner, item_id)
            if item is None or not item.state.in_orbit:
                continue
            key = session.key_of(owner, item.id)
            item.recall_count += 1
            item.last_recalled_at = now
            item.context_score = 0.0 if vector is None else closeness(similarity(item.embedding, vector))
            place(session, sky, item, now, key)
            session.reinforce(key, now, item.context_score, item.zone, course_of(sky, item, now))
            detail = {"zone": item.zone, "context": round(item.context_score, 4)}
            session.record(Event(EventType.RECALLED, owner, now, item.id, detail))
            recalled.append(item)
    return recalled
