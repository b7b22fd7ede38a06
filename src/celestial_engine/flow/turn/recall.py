"""recall: reinforce the memories that were found; a used memory becomes more central, a faded one whole again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import similarity
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import UNPLACED, CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.search_result import shown_form_of
from celestial_engine.errors import Action, WrongStateError
from celestial_engine.flow.base.placement import course_of, get_item, place, rewrite, state_name
from celestial_engine.ports import ItemStore, Writer

Closeness = Callable[[float], float]


def reinforce(
    store: ItemStore,
    law: Law,
    owner: Owner,
    item_ids: Sequence[str],
    vector: Sequence[float] | None,
    now: float,
    closeness: Closeness = float,
) -> list[CelestialItem]:
    """Count one recall for each, reset its freshness and place it again, in one transaction.

    `closeness` maps the embedder's cosine to the scale of C(m). A faded memory is returned as it was found.
    """
    recalled: list[CelestialItem] = []
    if not item_ids:
        return recalled
    with store.write(owner, durable=False) as session:
        for item_id in item_ids:
            # Read each item again: another process may have recalled or forgotten it, or the previous item of this
            # list may have taken its seat.
            item = session.items.get(owner, item_id)
            if item is None or not item.state.in_orbit:
                continue
            context = 0.0 if vector is None else closeness(similarity(item.embedding, vector))
            shown = shown_form_of(item).content
            recalled.append(replace(_count_recall(session, law, item, context, now), content=shown))
    return recalled


def remind(store: ItemStore, law: Law, owner: Owner, item_id: str, now: float) -> CelestialItem:
    """Recall one memory by id; also works for memories that left search."""
    with store.write(owner) as session:
        item = get_item(session, owner, item_id)
        if item.state is not State.INACTIVE and not item.state.in_orbit:
            raise WrongStateError(item_id=item_id, state=state_name(item), action=Action.RECALL)
        return _count_recall(session, law, item, 0.0, now)


def _count_recall(session: Writer, law: Law, item: CelestialItem, context: float, now: float) -> CelestialItem:
    """Count one more recall and make the memory active."""
    key, before = session.items.key_of(item.owner, item.id), item.state
    item = replace(
        item,
        state=State.ACTIVE,
        state_since=None,
        zone=item.zone if before.in_orbit else UNPLACED,  # its old seat may be taken
        recall_count=item.recall_count + 1,
        last_recalled_at=now,
        idle_since=None,
        context_score=context,
    )
    item = place(session, law, item, now, key)
    if before is State.ACTIVE:
        session.items.reinforce(item.owner, key, now, context, item.zone, course_of(law, item, now))
    else:
        rewrite(session, law, item, now)
    detail = {"zone": item.zone, "context": round(context, 4)}
    session.ledger.record(Event(EventType.RECALLED, item.owner, now, item.id, detail))
    return item
