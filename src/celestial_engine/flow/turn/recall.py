"""recall: reinforce the memories that were found; a used memory becomes more central, a faded one whole again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import similarity
from celestial_engine.core.record.events import Event
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import UNPLACED, CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.recall_event import DisplacedMemory, RecalledMemory, recall_event, recalled_event
from celestial_engine.core.retrieval.search_result import shown_form_of
from celestial_engine.errors import Action, WrongStateError
from celestial_engine.flow.base.placement import (
    Placed,
    course_of,
    get_item,
    place,
    place_in_turn,
    record_moves,
    rewrite,
    state_name,
)
from celestial_engine.ports import ItemStore, Recalled, Writer

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
        # Read the items again: another process may have recalled or forgotten one.
        items = [item for item in session.items.get_many(owner, item_ids) if item.state.in_orbit]
        keys = session.items.keys_of(owner, [item.id for item in items])
        contexts = [0.0 if vector is None else closeness(similarity(item.embedding, vector)) for item in items]
        counted = [_recalled(item, context, now) for item, context in zip(items, contexts, strict=True)]
        placed = place_in_turn(session, law, owner, [(keys[item.id], item) for item in counted], now)
        session.items.reinforce(
            owner,
            now,
            [
                Recalled(keys[item.id], item.context_score, last_zone, course_of(law, item, now))
                for before, (item, _, last_zone) in zip(items, placed, strict=True)
                if before.state is State.ACTIVE
            ],
        )
        for before, (item, displaced, last_zone) in zip(items, placed, strict=True):
            if before.state is not State.ACTIVE:
                rewrite(session, law, replace(item, zone=last_zone), now)
                # An entry of its own: it holds the memory's state before.
                record_moves(session, item, displaced, now)
                session.ledger.record(_event(replace(item, zone=last_zone), now))
            recalled.append(replace(item, content=shown_form_of(before).content))
        active = [one for before, one in zip(items, placed, strict=True) if before.state is State.ACTIVE]
        if active:
            session.ledger.record(_question_event(session, owner, active, set(keys.values()), now))
    return recalled


def _question_event(
    session: Writer, owner: Owner, placed: Sequence[Placed], recalled_keys: Collection[int], now: float
) -> Event:
    """Return one event for all of them. Of memories that moved several times, only the last zone matters."""
    moved = {
        move.key: (move, one.item.id) for one in placed for move in one.displaced if move.key not in recalled_keys
    }
    displaced = [
        DisplacedMemory(session.items.id_of(owner, key), move.to_zone, by) for key, (move, by) in moved.items()
    ]
    hits = [RecalledMemory(one.item.id, one.last_zone, one.item.context_score) for one in placed]
    return recall_event(owner, now, hits, displaced)


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
    item = place(session, law, _recalled(item, context, now), now, key)
    if before is State.ACTIVE:
        session.items.reinforce(item.owner, now, [Recalled(key, context, item.zone, course_of(law, item, now))])
    else:
        rewrite(session, law, item, now)
    session.ledger.record(_event(item, now))
    return item


def _recalled(item: CelestialItem, context: float, now: float) -> CelestialItem:
    """Return it as recalled now, not placed yet."""
    return replace(
        item,
        state=State.ACTIVE,
        state_since=None,
        zone=item.zone if item.state.in_orbit else UNPLACED,  # its old seat may be taken
        recall_count=item.recall_count + 1,
        last_recalled_at=now,
        idle_since=None,
        context_score=context,
    )


def _event(item: CelestialItem, now: float) -> Event:
    return recalled_event(item.owner, now, RecalledMemory(item.id, item.zone, item.context_score))
