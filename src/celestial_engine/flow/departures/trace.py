"""trace and retract: everything that was derived from a source, and letting all of it go in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from celestial_engine.core.checks import MOST_RESULTS
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Departure, DepartureReason, Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.batches import all_items
from celestial_engine.flow.base.placement import place_again, rewrite
from celestial_engine.ports import ItemStore, Reader

RETRACTION = "retraction"  # in the detail of the events of one retraction
_EVERY_STATE = (State.ACTIVE, State.FADED, State.INACTIVE, State.CLIFF)
_GOES = (State.ACTIVE, State.FADED, State.INACTIVE)
_REFUSING = (Protection.IMMUTABLE, Protection.CORE)


@dataclass(frozen=True)
class Trace:
    """What came from a source. Memories that are made of other sources too are only listed as `shared`."""

    sources: tuple[CelestialItem, ...] = ()
    distilled: tuple[CelestialItem, ...] = ()
    imagined: tuple[CelestialItem, ...] = ()
    shared: tuple[CelestialItem, ...] = ()
    merged_into: tuple[str, ...] = ()  # memories that counted a duplicate of it
    superseded: tuple[CelestialItem, ...] = ()  # older statements that it ended
    islands: tuple[str, ...] = ()
    beliefs: tuple[str, ...] = ()
    triples: int = 0
    policy_version: int | None = None  # the last version of what was learned before it was here
    learned_since: int = 0  # versions that were learned with it

    @property
    def leaving(self) -> tuple[CelestialItem, ...]:
        """What a retraction lets go; protected memories stay."""
        every = (*self.sources, *self.distilled, *self.imagined)
        return tuple(item for item in every if item.state in _GOES and item.protection not in _REFUSING)

    @property
    def protected(self) -> tuple[CelestialItem, ...]:
        every = (*self.sources, *self.distilled, *self.imagined)
        return tuple(item for item in every if item.protection in _REFUSING)


def sources_of_session(session: Reader, owner: Owner, session_id: str) -> list[str]:
    where = ItemFilter(states=_EVERY_STATE, session_id=session_id)
    return [item.id for item in session.items.newest(owner, where, None)]


def sources_of_import(session: Reader, owner: Owner, origin: str) -> list[str]:
    """Return the memories that were imported from this format, or else in a file of this name."""
    items = list(all_items(session, owner))
    if ids := [item.id for item in items if _provenance(item).get("from") == origin]:
        return ids
    imported = session.ledger.ids_with_event(owner, [item.id for item in items], EventType.STORED, "file")
    return [item.id for item in items if item.id in imported and _came_in(session, owner, item.id, origin)]


def _provenance(item: CelestialItem) -> Mapping[str, Any]:
    provenance = item.metadata.get("imported")
    return provenance if isinstance(provenance, dict) else {}


def _came_in(session: Reader, owner: Owner, item_id: str, file: str) -> bool:
    events = session.ledger.events(owner, item_id, MOST_RESULTS)
    return any(event.type is EventType.STORED and event.detail.get("file") == file for event in events)


def trace(session: Reader, owner: Owner, source_ids: Sequence[str]) -> Trace:
    """Follow distilling, imagining, merging and superseding from these memories."""
    sources = session.items.get_many(owner, list(source_ids))
    ids = {item.id for item in sources}
    whole, shared = _made_from(session, owner, ids)
    imagined = [item for item in whole if item.links.promoted_from == ()]
    distilled = [item for item in whole if item.links.promoted_from]
    derived = ids | {item.id for item in whole}
    ended = [older for item in (*sources, *whole) for older in item.validity.replaces]
    first = min((item.created_at for item in sources), default=0.0)
    checkpoints = session.lessons.checkpoints(owner)
    before = [one.version for one in checkpoints if one.at < first]
    return Trace(
        tuple(sources), tuple(distilled), tuple(imagined), tuple(shared), _keepers(session, owner, derived),
        tuple(item for item in session.items.get_many(owner, ended) if item.validity.superseded_by in derived),
        tuple(one.id for one in session.self.islands(owner) if derived.intersection((*one.founders, *one.lost))),
        tuple(one.id for one in session.self.beliefs(owner) if derived.intersection((*one.supports, *one.lost))),
        sum(len(item.resolution.triples) for item in (*sources, *whole)),
        max(before, default=None), len(checkpoints) - len(before),
    )  # fmt: skip


def retract(store: ItemStore, law: Law, owner: Owner, source_ids: Sequence[str], name: str, now: float) -> list[int]:
    """Move the sources and what was made of them alone to the cliff; statements that they replaced are valid again.

    All or nothing; returns the numbers of the events, which undoing takes back from the last to the first.
    """
    numbers = []
    with store.write(owner) as session:
        traced = trace(session, owner, source_ids)
        for item in traced.leaving:
            departure = Departure.begin(DepartureReason.MANUAL, now)
            rewrite(session, law, replace(item, state=State.CLIFF, departure=departure), now)
            detail = {"reason": DepartureReason.MANUAL.value, RETRACTION: name}
            numbers.append(session.ledger.record(Event(EventType.FORGOTTEN, owner, now, item.id, detail)))
        leaving = {item.id for item in traced.leaving}
        for older in traced.superseded:
            if older.validity.superseded_by in leaving and older.id not in leaving and older.state.in_orbit:
                valid = replace(older.validity, until=None, superseded_by=None)
                place_again(session, law, replace(older, validity=valid), now)
                fields = {"fields": ["validity"], RETRACTION: name}
                numbers.append(session.ledger.record(Event(EventType.UPDATED, owner, now, older.id, fields)))
        session.orbits.settle_again(owner, now)
    return numbers


def events_of_retraction(session: Reader, owner: Owner, number: int) -> list[int]:
    """Return the events of the retraction that this event belongs to, newest first; empty if it belongs to none."""
    event = session.ledger.event(owner, number)
    name = None if event is None else event.detail.get(RETRACTION)
    if name is None:
        return []
    start = number
    while start > 1 and _is_of(session, owner, start - 1, name):
        start -= 1
    later = session.ledger.events_since(owner, start - 1, limit=MOST_RESULTS)
    return [one.number for one in reversed(later) if one.number and one.detail.get(RETRACTION) == name]


def _is_of(session: Reader, owner: Owner, number: int, name: object) -> bool:
    event = session.ledger.event(owner, number)
    return event is not None and event.detail.get(RETRACTION) == name


def _made_from(session: Reader, owner: Owner, sources: set[str]) -> tuple[list[CelestialItem], list[CelestialItem]]:
    """Return what is made of these memories alone, and what is made of others too."""
    imagined = {
        str(event.item_id): set(event.memory_refs)
        for event in session.ledger.latest(owner, (EventType.IMAGINED,), MOST_RESULTS)
    }
    derived, whole, shared = set(sources), dict[str, CelestialItem](), dict[str, CelestialItem]()
    while True:
        into = {
            str(event.detail["into"])
            for item_id in session.ledger.ids_with_event(owner, derived, EventType.PROMOTED, "into")
            for event in session.ledger.events(owner, item_id, MOST_RESULTS)
            if event.type is EventType.PROMOTED and "into" in event.detail
        }
        into |= {item_id for item_id, used in imagined.items() if used & derived}
        new = [item for item in session.items.get_many(owner, sorted(into - derived)) if item.id not in whole]
        before = len(whole)
        for item in new:
            made_of = set(item.links.promoted_from) or imagined.get(item.id, set())
            (whole if made_of <= derived else shared)[item.id] = item
        derived |= set(whole)
        if len(whole) == before:
            return list(whole.values()), [item for item_id, item in shared.items() if item_id not in whole]


def _keepers(session: Reader, owner: Owner, derived: set[str]) -> tuple[str, ...]:
    merges = session.ledger.latest(owner, (EventType.MERGED,), MOST_RESULTS)
    keepers = (str(event.item_id) for event in merges if event.detail.get("from") in derived)
    return tuple(dict.fromkeys(keeper for keeper in keepers if keeper not in derived))
