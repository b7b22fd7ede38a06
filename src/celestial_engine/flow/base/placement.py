"""Shared by the stages: place a memory in a zone, move it out of orbit, check whether it may be changed.

Not a stage itself: store, recall, forget and rebalance use it to connect the memory function with the store's orbits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import RESTING, Course
from celestial_engine.core.orbit.zones import Body, Move, ZoneView, rank
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Departure, DepartureReason, Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import Action, NotFoundError, ProtectedError, WrongStateError
from celestial_engine.flow.base.seats import Seats
from celestial_engine.ports import Reader, Writer

NEWCOMER = 0  # no store assigns this key


def course_until(moment: float) -> Course:
    """Return the course of a memory out of orbit: nothing happens until that moment."""
    return Course(piece=2, level=0.0, next_moment=moment)


def course_of(law: Law, item: CelestialItem, now: float) -> Course:
    """Return the course of an item in its current state: in orbit, out of orbit, or on the cliff."""
    if item.state is State.CLIFF and item.departure is not None:
        return course_until(item.departure.purge_at)
    if item.state is State.INACTIVE:
        return RESTING
    return law.course(item, item.tier, item.protection, now)


def by_owner(items: Iterable[CelestialItem]) -> dict[Owner, list[CelestialItem]]:
    """Group items by owner, because a transaction writes for one; owners and items keep their order."""
    groups: dict[Owner, list[CelestialItem]] = {}
    for item in items:
        groups.setdefault(item.owner, []).append(item)
    return groups


def place(session: Writer, law: Law, item: CelestialItem, now: float, key: int = NEWCOMER) -> CelestialItem:
    """Return the item with its score and zone; memories that must make room move outward, with an event each.

    The caller writes the item itself. `key` is the item's own key if it is stored already.
    """
    zones, score = law.function.zones, law.function.score(item, now)
    zone = zones.zone_of(score)
    if zone < zones.overflow_zone and zone != item.zone:  # where it is, it displaces nobody
        moves = zones.plan_arrival(key, score, item.zone, _views(session, law, item.owner, now))
        zone = next((move.to_zone for move in moves if move.key == key), item.zone)
        displaced = [move for move in moves if move.key != key]
        session.orbits.move(item.owner, displaced)
        record_moves(session, item, displaced, now)
    # The other seats are assigned at the next rebalance, which must know that it is needed.
    session.orbits.settle_again(item.owner, now)
    return replace(item, total_score=score, zone=zone)


def record_moves(session: Writer, item: CelestialItem, displaced: Iterable[Move], now: float) -> None:
    """Record which memories made room for this one."""
    for move in displaced:
        detail = {"zone": move.to_zone, "by": item.id}
        session.ledger.record(
            Event(EventType.MOVED, item.owner, now, session.items.id_of(item.owner, move.key), detail)
        )


class Placed(NamedTuple):
    """A memory with its score and zone, the memories that made room for it, and its zone after all have arrived."""

    item: CelestialItem
    displaced: Sequence[Move]
    last_zone: int


def place_in_turn(
    session: Writer, law: Law, owner: Owner, arriving: Sequence[tuple[int, CelestialItem]], now: float
) -> list[Placed]:
    """Place stored memories one after the other, as `place` does, with as many statements as for one.

    `arriving`: their keys, and the items with their old zones. The caller writes the items and the events.
    """
    zones, scores = law.function.zones, [law.function.score(item, now) for _, item in arriving]
    competing = any(
        zones.zone_of(score) < zones.overflow_zone and zones.zone_of(score) != item.zone
        for score, (_, item) in zip(scores, arriving, strict=True)
    )
    seats = Seats.read(session, law, owner, now, len(arriving)) if competing else None
    moved: dict[int, Move] = {}
    placed: list[Placed] = []
    for score, (key, item) in zip(scores, arriving, strict=True):
        zone, origin, displaced = zones.zone_of(score), item.zone, list[Move]()
        if key in moved:
            origin = moved.pop(key).to_zone
        if seats is not None and zone < zones.overflow_zone and zone != origin:
            moves = zones.plan_arrival(key, score, origin, seats.views())
            zone = next((move.to_zone for move in moves if move.key == key), origin)
            displaced = [move for move in moves if move.key != key]
            moved.update((move.key, move) for move in displaced)
        placed.append(Placed(replace(item, total_score=score, zone=zone), displaced, zone))
        if seats is not None:
            seats.move(displaced)
            course = course_of(law, placed[-1].item, now)
            seats.put(Body(key, zone, int(course.piece), course.level), origin)
    session.orbits.move(owner, list(moved.values()))
    session.orbits.settle_again(owner, now)
    return [
        each._replace(last_zone=moved[key].to_zone) if key in moved else each
        for each, (key, _) in zip(placed, arriving, strict=True)
    ]


def place_again(session: Writer, law: Law, item: CelestialItem, now: float) -> CelestialItem:
    """Place a stored memory by its new score and write it."""
    return rewrite(session, law, place(session, law, item, now, session.items.key_of(item.owner, item.id)), now)


def rewrite(session: Writer, law: Law, item: CelestialItem, now: float) -> CelestialItem:
    """Write a changed memory in the zone that it has."""
    session.items.rewrite(item, course_of(law, item, now))
    return item


def add(session: Writer, law: Law, item: CelestialItem, now: float, **detail: Any) -> CelestialItem:
    """Place a new memory and write it, with its ledger event."""
    item = place(session, law, item, now)
    session.items.add(item, course_of(law, item, now))
    session.ledger.record(stored_event(item, now, **detail))
    return item


def stored_event(item: CelestialItem, now: float, **more: Any) -> Event:
    """Return the event of a new memory; of `more`, what is not empty becomes part of its detail."""
    detail = {
        "zone": item.zone,
        "tier": item.tier.value,
        "importance": item.arbitrary_importance,
        "importance_source": item.importance_source,
        **{name: value for name, value in more.items() if value},
    }
    return Event(EventType.STORED, item.owner, now, item.id, detail)


def unseated(law: Law, item: CelestialItem, now: float) -> CelestialItem:
    """Return the item in the open zone of its score: it has no seat until the next rebalance."""
    zones, score = law.function.zones, law.function.score(item, now)
    return replace(item, total_score=score, zone=max(zones.zone_of(score), zones.overflow_zone))


def settle(session: Writer, law: Law, owner: Owner, now: float) -> list[Move]:
    """Assign the seats of the bounded zones, and store when that may change by itself."""
    zones, function = law.function.zones, law.function
    bodies = session.orbits.occupants(owner, [zone.zone_id for zone in zones.bounded])
    for piece, slope in enumerate(function.slopes):
        floor = zones.capacity_floor() - slope * now
        bodies += session.orbits.waiting(owner, zones.overflow_zone, piece, floor, zones.slots)
    ranked = rank((body, function.score_at(body.piece, body.level, now)) for body in bodies)
    moves = zones.plan_capacity(ranked)
    session.orbits.move(owner, moves)
    session.orbits.settle_again(owner, zones.next_overtaking(ranked, function.slopes, now))
    return moves


def get_item(session: Reader, owner: Owner, item_id: str) -> CelestialItem:
    """Return the memory; raise if there is none."""
    item = session.items.get(owner, item_id)
    if item is None:
        raise NotFoundError(item_id=item_id)
    return item


def get_in_orbit(session: Reader, owner: Owner, item_id: str, action: Action) -> CelestialItem:
    """Return the memory if it is in orbit; raise otherwise."""
    item = get_item(session, owner, item_id)
    if not item.state.in_orbit:
        raise WrongStateError(item_id=item_id, state=state_name(item), action=action)
    return item


def get_changeable(session: Reader, owner: Owner, item_id: str, action: Action) -> CelestialItem:
    """Return the memory if it may be changed or deleted; raise otherwise."""
    item = get_in_orbit(session, owner, item_id, action)
    if item.protection in (Protection.IMMUTABLE, Protection.CORE):
        raise ProtectedError(item_id=item_id, protection=item.protection.value, action=action)
    return item


def state_name(item: CelestialItem) -> str:
    """Return where a memory is, as a word."""
    return "on the cliff" if item.state is State.CLIFF else item.state.value


def move_to_cliff(
    session: Writer, law: Law, item: CelestialItem, reason: DepartureReason, now: float
) -> CelestialItem:
    """Move a memory out of orbit and every search, without deleting it yet. The caller checks protection."""
    item = rewrite(session, law, replace(item, state=State.CLIFF, departure=Departure.begin(reason, now)), now)
    session.orbits.settle_again(item.owner, now)  # a seat may have become free
    session.ledger.record(Event(EventType.FORGOTTEN, item.owner, now, item.id, {"reason": reason.value}))
    return item


def _views(session: Reader, law: Law, owner: Owner, now: float) -> dict[int, ZoneView]:
    counts = session.orbits.zone_counts(owner, [zone.zone_id for zone in law.function.zones.bounded])
    views = {}
    for zone in law.function.zones.bounded:
        scored: list[tuple[Body, float]] = [
            (body, law.function.score_at(body.piece, body.level, now))
            for body in session.orbits.lowest(owner, zone.zone_id)
        ]
        lowest = rank(scored)[-1] if scored else None
        views[zone.zone_id] = ZoneView(counts[zone.zone_id], lowest)
    return views
