"""rebalance: move every memory to the zone of its score. The cost grows with the moves, not with the store.

A memory is visited when it is due: it crossed a zone bound, its score line bends, it went stale, or its time on the
cliff is over. Then owners whose bounded zones may have changed get new seats.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import Course, Piece
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason, State, stale_moment
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.placement import move_to_cliff, settle
from celestial_engine.ports import Due, ItemStore, Writer

_BATCH = 2_000  # memories per transaction, so that the write lock is never held long
_MOST_PURGED = 100  # of these: purging one memory takes as long as twenty visits


@dataclass(frozen=True)
class RebalanceResult:
    """What a rebalance did. `evicted` counts memories that left a zone because it was full."""

    moved: int = 0
    evicted: int = 0
    forgotten: int = 0
    total_items: int = 0
    duration_ms: float = 0.0
    purged: int = 0
    visited: int = 0


def rebalance(
    store: ItemStore,
    law: Law,
    now: float,
    *,
    most: int | None = None,
) -> RebalanceResult:
    """Visit the due memories in batches; `most` limits the visits, the rest stays due."""
    started = time.perf_counter()
    counts: Counter[str] = Counter()
    while True:
        room = _BATCH if most is None else min(_BATCH, most - counts["visited"])
        with store.read() as session:
            needed = bool(session.orbits.due(now, 1) or session.orbits.unsettled(now, 1))
        if room <= 0 or not needed:  # nothing is due: do not take the write lock
            break
        with store.write(None, durable=False) as session:
            _batch(session, law, now, room, counts)
    return RebalanceResult(
        moved=counts["moved"],
        evicted=counts["evicted"],
        forgotten=counts["forgotten"],
        purged=counts["purged"],
        visited=counts["visited"],
        duration_ms=(time.perf_counter() - started) * 1000,
    )


def _batch(session: Writer, law: Law, now: float, room: int, counts: Counter[str]) -> None:
    rows = session.orbits.due(now, room)
    due = _up_to_purge_limit(rows)
    tallies: dict[Owner, Counter[str]] = {}
    courses: dict[Owner, list[tuple[int, int, Course]]] = {}
    for memory in due:
        tally = tallies.setdefault(memory.owner, Counter())
        if memory.state is State.CLIFF:
            _purge(session, memory, now)
            tally["purged"] += 1
        elif memory.state.in_orbit:
            _visit(session, law, memory, now, courses.setdefault(memory.owner, []), tally)
        else:
            courses.setdefault(memory.owner, []).append((memory.key, memory.zone, Course(Piece.FLAT, 0.0, None)))
    for owner, owner_courses in courses.items():
        session.orbits.set_courses(owner, owner_courses)
    for owner in tallies:
        session.orbits.settle_again(owner, now)
    # Seats depend on every memory's line, so assign them only after the last line is up to date.
    if len(due) == len(rows) < room:
        for owner in session.orbits.unsettled(now, _BATCH):
            moves = settle(session, law, owner, now)
            tally = tallies.setdefault(owner, Counter())
            tally["moved"] += len(moves)
            tally["evicted"] += sum(move.displaced and move.to_zone > move.from_zone for move in moves)
    for owner, tally in tallies.items():
        if +tally:
            session.ledger.record(Event(EventType.REBALANCED, owner, now, None, dict(+tally)))
        counts.update(tally)
    counts["visited"] += len(due)


def _up_to_purge_limit(rows: Sequence[Due]) -> Sequence[Due]:
    """Cut the batch where the purge limit of one transaction is reached; the rest stays due."""
    purged = [place for place, memory in enumerate(rows) if memory.state is State.CLIFF]
    return rows if len(purged) <= _MOST_PURGED else rows[: purged[_MOST_PURGED]]


def _visit(
    session: Writer,
    law: Law,
    memory: Due,
    now: float,
    courses: list[tuple[int, int, Course]],
    tally: Counter[str],
) -> None:
    zones = law.function.zones
    target = zones.zone_of(law.function.score(memory, now))
    stale = stale_moment(memory.tier, memory.protection, memory.last_recalled_at, law.stale_after)
    if target == zones.outermost and stale is not None and stale <= now:
        item = session.items.get(memory.owner, memory.item_id)
        if item is not None:
            move_to_cliff(session, law, item, DepartureReason.STALE, now)
            tally["forgotten"] += 1
        return
    # An open zone is entered at once; a bounded one only when seats are assigned.
    zone = target if target >= zones.overflow_zone else min(memory.zone, zones.overflow_zone)
    tally["moved"] += zone != memory.zone
    courses.append((memory.key, zone, law.course(memory, memory.tier, memory.protection, now)))


def _purge(session: Writer, memory: Due, now: float) -> None:
    session.items.purge(memory.owner, memory.item_id)
    reason = memory.departure.reason.value if memory.departure else None
    session.ledger.record(Event(EventType.PURGED, memory.owner, now, memory.item_id, {"reason": reason}))
