"""forget and restore: every departing memory goes over the cliff and can be restored for seven days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason, Protection, State
from celestial_engine.core.record.item import UNPLACED, CelestialItem
from celestial_engine.core.record.lifetimes import expiry
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.versions import check_version
from celestial_engine.errors import Action, WrongStateError
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.placement import (
    get_changeable,
    get_item,
    move_to_cliff,
    place_again,
    rewrite,
    unseated,
)
from celestial_engine.ports import ItemFilter, ItemStore, Reader

ON_THE_CLIFF = ItemFilter(states=(State.CLIFF,))
_AWAY = (State.CLIFF, State.FADED, State.INACTIVE)


def forget(
    store: ItemStore,
    law: Law,
    owner: Owner,
    item_id: str,
    now: float,
    reason: DepartureReason = DepartureReason.MANUAL,
    if_version: str | None = None,
) -> CelestialItem:
    """Forget one memory at the user's request.

    Works for pinned and inactive memories; immutable and core memories raise.
    """
    with store.write(owner) as session:
        item = session.items.get(owner, item_id)
        if item is None or item.state is not State.INACTIVE or item.protection in _REFUSING:
            item = get_changeable(session, owner, item_id, Action.FORGET)
        check_version(item, if_version)
        return move_to_cliff(session, law, item, reason, now)


_REFUSING = (Protection.IMMUTABLE, Protection.CORE)


def restore(store: ItemStore, law: Law, owner: Owner, item_id: str, now: float) -> CelestialItem:
    """Return a memory to orbit in its tier, with the tier's time restarted. This counts as a recall."""
    with store.write(owner) as session:
        item = get_item(session, owner, item_id)
        if item.state is State.ACTIVE:
            raise WrongStateError(item_id=item_id, state="active", action=Action.RESTORE)
        item = place_again(session, law, _come_back(item, now), now)
        session.ledger.record(Event(EventType.RESTORED, owner, now, item_id))
    return item


def on_the_cliff(session: Reader, owner: Owner, reason: DepartureReason | None = None) -> list[str]:
    """Return the ids that can be restored, optionally only those that left for one reason."""
    items = session.items.newest(owner, ON_THE_CLIFF, None)
    return [item.id for item in items if reason is None or (item.departure and item.departure.reason is reason)]


def restore_many(
    store: ItemStore, law: Law, owner: Owner, item_ids: Sequence[str], now: float
) -> list[CelestialItem]:
    """Restore those of these memories that are on the cliff, in batches. The next rebalance assigns seats."""
    back: list[CelestialItem] = []
    for part in in_batches(list(dict.fromkeys(item_ids))):
        with store.write(owner) as session:
            for item in session.items.get_many(owner, part):
                if item.state not in _AWAY:
                    continue
                back.append(rewrite(session, law, unseated(law, _come_back(item, now), now), now))
                session.ledger.record(Event(EventType.RESTORED, owner, now, item.id))
            session.orbits.settle_again(owner, now)
    return back


def _come_back(item: CelestialItem, now: float) -> CelestialItem:
    return replace(
        item,
        state=State.ACTIVE,
        state_since=None,
        departure=None,
        zone=UNPLACED,  # its old seat may be taken
        last_recalled_at=now,
        idle_since=None,
        context_score=0.0,
        expires_at=expiry(item.tier, now),
    )
