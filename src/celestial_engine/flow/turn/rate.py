"""rate: store the user's stars for a memory and update its importance."""

from __future__ import annotations

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.importance import Evaluation
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import Action, InvalidInputError, NotFoundError, Reason, WrongStateError
from celestial_engine.flow.base.placement import course_of, place, state_name
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
        item = session.items.get(owner, item_id)
        if item is None:
            raise NotFoundError(item_id=item_id)
        if not item.state.in_orbit:
            raise WrongStateError(item_id=item_id, state=state_name(item), action=Action.RATE)
        item.user_rating = stars
        if item.importance_source != "given":
            item.arbitrary_importance, item.importance_source = judged.score, judged.source
        place(session, law, item, now, session.items.key_of(owner, item_id))
        session.items.rewrite(item, course_of(law, item, now))
        detail = {"rating": stars, "importance": item.arbitrary_importance}
        session.ledger.record(Event(EventType.RATED, owner, now, item_id, detail))
    return item
