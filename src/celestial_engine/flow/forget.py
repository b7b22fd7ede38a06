"""forget and restore: every departure goes over the cliff, and comes back from it for seven days."""

from __future__ import annotations

from celestial_engine.core.events import Event, EventType
from celestial_engine.core.forgetting import Reason, State
from celestial_engine.core.item import UNPLACED, CelestialItem
from celestial_engine.core.lifetimes import expiry
from celestial_engine.core.owner import Owner
from celestial_engine.core.sky import Sky
from celestial_engine.errors import NotFoundError, WrongStateError
from celestial_engine.flow.orbit import changeable, course_of, over_the_cliff, place
from celestial_engine.ports import ItemFilter, ItemStore

ON_THE_CLIFF = ItemFilter(states=(State.CLIFF,))


def forget(
    store: ItemStore, sky: Sky, owner: Owner, item_id: str, now: float, reason: Reason = Reason.MANUAL
) -> CelestialItem:
    """Lets one memory go, on the user's word. Pinned ones too; immutable and core ones refuse."""
    with store.write() as session:
        return over_the_cliff(session, sky, changeable(session, owner, item_id, "be forgotten"), reason, now)


def restore(store: ItemStore, sky: Sky, owner: Owner, item_id: str, now: float) -> CelestialItem:
    """Back into orbit, in its tier, with that tier's time set anew. Coming back counts as being thought of."""
    with store.write() as session:
        item = session.get(owner, item_id)
        if item is None:
            raise NotFoundError(item_id=item_id)
        if item.state is State.ACTIVE:
            raise WrongStateError(item_id=item_id, state="active", action="be restored")
        item.state = State.ACTIVE
        item.departure = None
        item.zone = UNPLACED  # its old seat may be taken
        item.last_recalled_at = now
        item.context_score = 0.0
        item.expires_at = expiry(item.tier, now)
        place(session, sky, item, now, session.key_of(owner, item_id))
        session.rewrite(item, course_of(sky, item, now))
        session.record(Event(EventType.RESTORED, owner, now, item_id))
    return item
