"""Checks of a whole record that another program or device wrote."""

from __future__ import annotations

from celestial_engine.core.checks import LAST_SECOND, MOST_COUNTED, check_id, check_importance, check_metadata
from celestial_engine.core.record.coordinate import Coordinate, Resolution, Validity
from celestial_engine.core.record.coordinate_checks import check_coordinate, check_facet, check_field
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.errors import Expected, InvalidItemError, Reason


def check_record(item: CelestialItem) -> None:
    """Check the values of an imported record whose types are already right."""
    if not check_id(item.id).strip() or len(item.id) > 200:
        raise InvalidItemError("id", Reason.WRONG_LENGTH, least=1, most=200, got=len(item.id))
    check_importance(item.arbitrary_importance)
    check_metadata(item.metadata)
    _check_numbers(item)
    for name in ("importance_source", "keywords", "tags", "user_rating"):
        check_field(name, name, getattr(item, name))
    check_facet(Resolution, item.resolution, "resolution")
    check_facet(Validity, item.validity, "validity")
    if item.state is State.PURGED:
        raise InvalidItemError(Reason.GONE_FOR_GOOD)
    if (item.state is State.CLIFF) != (item.departure is not None):
        raise InvalidItemError(Reason.CONTRADICTORY)
    check_coordinate(Coordinate(item.time, item.space, item.agent, item.emotion, item.document, item.links))


def _check_numbers(item: CelestialItem) -> None:
    moments = {
        "created_at": item.created_at, "last_recalled_at": item.last_recalled_at, "expires_at": item.expires_at,
        "state_since": item.state_since, "idle_since": item.idle_since,
    }  # fmt: skip
    if item.departure is not None:
        moments |= {"departure.at": item.departure.at, "departure.purge_at": item.departure.purge_at}
    for name, moment in moments.items():
        if moment is not None and not abs(moment) < LAST_SECOND:
            raise InvalidItemError(name, Reason.WRONG_VALUE, expected=Expected.EPOCH_SECONDS, got=moment)
    counts = (item.recall_count, item.mention_count, item.influence_count)
    if not all(0 <= count <= MOST_COUNTED for count in counts):
        raise InvalidItemError(
            "recall_count, mention_count, influence_count", Reason.OUT_OF_RANGE, low=0, high=MOST_COUNTED, got=counts
        )
    if not 0.0 <= item.context_score <= 1.0 or abs(item.zone) > MOST_COUNTED:
        raise InvalidItemError("context_score", Reason.OUT_OF_RANGE, low=0, high=1, got=item.context_score)
