"""recall: reinforce what was found: a memory that is used becomes more central, and whole again if it had faded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import similarity
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import UNPLACED, CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.search_result import as_shown
from celestial_engine.errors import Action, NotFoundError, WrongStateError
from celestial_engine.flow.base.placement import course_of, place, whereabouts
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
    """Counts one recall for each, resets its freshness and finds its new place; one transaction.

    `closeness` brings a cosine of the embedder's to the scale of C(m). Who had faded is given as it was found.
    """
    recalled: list[CelestialItem] = []
    if not item_ids:
        return recalled
    with store.write(owner, durable=False) as session:
        for item_id in item_ids:
            # Read anew, one by one: another process may have recalled or forgotten it, and the one before
            # it in this list may have taken its seat.
            item = session.items.get(owner, item_id)
            if item is None or not item.state.in_orbit:
                continue
            context = 0.0 if vector is None else closeness(similarity(item.embedding, vector))
            shown = as_shown(item).content
            _recalled(session, law, item, context, now)
            recalled.append(replace(item, content=shown))
    return recalled


def remind(store: ItemStore, law: Law, owner: Owner, item_id: str, now: float) -> CelestialItem:
    """A recall by name, which also reaches who is searched no more."""
    with store.write(owner) as session:
        item = session.items.get(owner, item_id)
        if item is None:
            raise NotFoundError(item_id=item_id)
        if item.state is not State.INACTIVE and not item.state.in_orbit:
            raise WrongStateError(item_id=item_id, state=whereabouts(item), action=Action.RECALL)
        _recalled(session, law, item, 0.0, now)
    return item


def _recalled(session: Writer, law: Law, item: CelestialItem, context: float, now: float) -> None:
    """One more recall, and active from now on."""
    key = session.items.key_of(item.owner, item.id)
    before, item.state, item.state_since = item.state, State.ACTIVE, None
    if not before.in_orbit:
        item.zone = UNPLACED  # its old seat may be taken
    item.recall_count += 1
    item.last_recalled_at = now
    item.context_score = context
    place(session, law, item, now, key)
    if before is State.ACTIVE:
        session.items.reinforce(item.owner, key, now, context, item.zone, course_of(law, item, now))
    else:
        session.items.rewrite(item, course_of(law, item, now))
    detail = {"zone": item.zone, "context": round(context, 4)}
    session.ledger.record(Event(EventType.RECALLED, item.owner, now, item.id, detail))
