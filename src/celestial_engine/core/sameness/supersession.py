"""Supersession: a newer statement ends the validity of an older one it contradicts. Nothing is deleted."""

from __future__ import annotations

from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.item import CelestialItem, Trust

_DAY = 86_400.0
_NEVER_SUPERSEDED = (Protection.IMMUTABLE, Protection.CORE)


def since_when(item: CelestialItem) -> float:
    """Returns since when a statement is known to be valid."""
    return item.created_at if item.validity.since is None else item.validity.since


def supersedes(newer: CelestialItem, older: CelestialItem) -> bool:
    """Whether the newer statement replaces the older one, by the rules of comparison."""
    from celestial_engine.core.sameness.compare import Sameness, compare  # slow to import; a search does not need it

    return may_supersede(newer, older) and compare(older.content, newer.content) is Sameness.CONFLICT


def is_partly_true(item: CelestialItem) -> bool:
    """Whether a statement was superseded that tells something else, too: its successor does not tell all of it."""
    if item.validity.superseded_by is None:
        return False
    from celestial_engine.core.text.triples import tells_several  # slow to import; few of the found are superseded

    return tells_several(item.content)


def may_supersede(newer: CelestialItem, older: CelestialItem) -> bool:
    """Whether the newer statement could replace the older one at all. Texts with low trust replace nothing."""
    return (
        newer.id != older.id
        and newer.owner == older.owner
        and newer.state.in_orbit
        and older.state.in_orbit
        and newer.trust is not Trust.LOW
        and (older.is_claim or not newer.is_claim)  # a web page does not correct the user
        and older.protection not in _NEVER_SUPERSEDED
        and older.validity.until is None
        and since_when(newer) > since_when(older)
        and _context(newer) == _context(older)
        and _same_reference_day(newer, older)
    )


def _context(item: CelestialItem) -> tuple[object, ...]:
    return item.space.project, item.agent.persona_id, item.document.type, item.metadata.get("speaker")


def _same_reference_day(newer: CelestialItem, older: CelestialItem) -> bool:
    """A "tomorrow at four" said on another day does not contradict "tomorrow at three"."""
    from celestial_engine.core.sameness.values import spans_relative_time

    relative = spans_relative_time(newer.content) and spans_relative_time(older.content)
    return not relative or newer.created_at - older.created_at < _DAY
