"""rate: store the user's stars for a memory and update its importance."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.importance import Evaluation
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import Action, InvalidInputError, Reason
from celestial_engine.flow.base.placement import get_in_orbit, place_again
from celestial_engine.flow.turn.record import with_importance
from celestial_engine.ports import ItemStore

STARS = range(1, 6)


def check_stars(stars: object) -> int:
    if isinstance(stars, bool) or not isinstance(stars, int) or stars not in STARS:
        raise InvalidInputError("rating", Reason.WHOLE_OUT_OF_RANGE, low=1, high=5, got=stars)
    return stars


def rate(
    store: ItemStore, law: Law, owner: Owner, item_id: str, stars: int, judged: Evaluation, now: float
) -> CelestialItem:
    """Store the stars. An importance that a caller gave outranks the judged one."""
    with store.write(owner) as session:
        item = replace(get_in_orbit(session, owner, item_id, Action.RATE), user_rating=stars)
        item = place_again(session, law, with_importance(item, judged), now)
        detail = {"rating": stars, "importance": item.arbitrary_importance}
        session.ledger.record(Event(EventType.RATED, owner, now, item_id, detail))
    return item
