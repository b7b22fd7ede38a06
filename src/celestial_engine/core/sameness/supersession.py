"""Which statement holds now: a newer one ends an older one that it contradicts, and nobody is deleted for it."""

from __future__ import annotations

from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.sameness.compare import Sameness, compare
from celestial_engine.core.sameness.values import spans_relative_time

_DAY = 86_400.0
_ANSWERS_TO_NOBODY = (Protection.IMMUTABLE, Protection.CORE)


def since_when(item: CelestialItem) -> float:
    """The moment from which a statement is known to hold."""
    return item.created_at if item.validity.since is None else item.validity.since


def supersedes(newer: CelestialItem, older: CelestialItem) -> bool:
    """Whether the newer statement takes the place of the older one. What reads like an instruction ends nothing."""
    return (
        newer.id != older.id
        and newer.owner == older.owner
        and newer.state.in_orbit
        and older.state.in_orbit
        and newer.trust is Trust.NORMAL
        and older.protection not in _ANSWERS_TO_NOBODY
        and older.validity.until is None
        and since_when(newer) > since_when(older)
        and _place(newer) == _place(older)
        and _of_one_time(newer, older)
        and compare(older.content, newer.content) is Sameness.CONFLICT
    )


def _place(item: CelestialItem) -> tuple[object, ...]:
    return item.space.project, item.agent.persona_id, item.document.type, item.metadata.get("speaker")


def _of_one_time(newer: CelestialItem, older: CelestialItem) -> bool:
    """Another day's "tomorrow at four" does not contradict this one's "tomorrow at three"."""
    relative = spans_relative_time(newer.content) and spans_relative_time(older.content)
    return not relative or newer.created_at - older.created_at < _DAY
