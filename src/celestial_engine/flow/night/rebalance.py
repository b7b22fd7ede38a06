"""rebalance: move every memory to the zone of its score. The cost grows with the moves, not with the store.

A memory is visited when it is due: it crossed a zone bound, its score line bends, it went stale, or its time on the
cliff is over. Then owners whose bounded zones may have changed get new seats. Zones follow the calendar; going stale
and being purged follow the owner's time, so both wait while the owner is away, and if too many would leave at once.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from celestial_engine.core.night.brake import SleepSettings
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.orbit.memory_function import RESTING, Course, Piece
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason, State, stale_moment
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.owner_time import DAY_SECONDS
from celestial_engine.flow.base.owner_time import owner_time
from celestial_engine.flow.base.placement import move_to_cliff, settle
from celestial_engine.ports import Due, ItemStore, Reader, Writer

logger = logging.getLogger(__name__)

_BATCH = 2_000  # memories per transaction, so that the write lock is never held long
_MOST_PURGED = 100  # of these: purging one memory takes as long as twenty visits
_HELD_FOR = DAY_SECONDS  # then the brake is asked again
_BY_TIME_ALONE = (DepartureReason.EXPIRED, DepartureReason.STALE)  # the others left by a decision


@dataclass(frozen=True)
class RebalanceResult:
    """What a rebalance did. `evicted` counts memories that left a zone because it was full.

    `held` counts memories that would have gone stale or been purged, but were too many to leave without the user's
    word.
    """

    moved: int = 0
    evicted: int = 0
    forgotten: int = 0
    total_items: int = 0
    duration_ms: float = 0.0
    purged: int = 0
    visited: int = 0
    held: int = 0


def rebalance(
    store: ItemStore,
    law: Law,
    now: float,
    *,
    most: int | None = None,
    brake: SleepSettings | None = None,
    allow_large: bool = False,
) -> RebalanceResult:
    """Visit the due memories in batches; `most` limits the visits, the rest stays due.

    `brake` limits how many may leave at once; with `allow_large`, those that it held before leave too.
    """
    started = time.perf_counter()
    run = _Run(law, now, None if allow_large else brake or SleepSettings())
    if allow_large:
        _release(store, law, now)
    while True:
        room = _BATCH if most is None else min(_BATCH, most - run.counts["visited"])
        if room <= 0 or not run.batch(store, room):
            break
    counts = run.counts
    if counts["held"]:
        logger.warning(
            "rebalance: %d memories would leave at once, and wait for your word: "
            "rebalance(allow_large=True) or `celestial rebalance --allow-large`",
            counts["held"],
        )
    return RebalanceResult(
        moved=counts["moved"],
        evicted=counts["evicted"],
        forgotten=counts["forgotten"],
        purged=counts["purged"],
        visited=counts["visited"],
        held=counts["held"],
        duration_ms=(time.perf_counter() - started) * 1000,
    )


def leaving(session: Reader, law: Law, owner: Owner, now: float) -> list[Due]:
    """Return the memories that a rebalance would send over the cliff or purge, if there were no brake."""
    at = owner_time(session, law, owner, now)
    overdue = session.orbits.overdue(owner, at, law.stale_seconds)
    return [memory for memory in overdue if memory.state is State.CLIFF or _is_outermost(law, memory, now)]


def _is_outermost(law: Law, memory: Due, now: float) -> bool:
    zones = law.function.zones
    return zones.zone_of(law.function.score(memory, now)) == zones.outermost


def _release(store: ItemStore, law: Law, now: float) -> None:
    """Make the memories due that were held or wait: the brake no longer applies."""
    with store.read() as session:
        owners = session.night.owners()
    for owner in owners:
        with store.write(owner, durable=False) as session:
            due_now = [
                (memory.key, memory.zone, law.function.course(memory, now)._replace(next_moment=now))
                for memory in leaving(session, law, owner, now)
            ]
            session.orbits.set_courses(owner, due_now)


@dataclass
class _Run:
    """One rebalance. What it knows about an owner is read once, when their first memory is visited."""

    law: Law
    now: float
    brake: SleepSettings | None  # None: any number may leave
    counts: Counter[str] = field(default_factory=Counter)
    times: dict[Owner, float] = field(default_factory=dict)
    held: dict[Owner, frozenset[int]] = field(default_factory=dict)

    def batch(self, store: ItemStore, room: int) -> bool:
        """Visit at most `room` memories, in a transaction for each owner; return False if nothing was due."""
        with store.read() as reader:
            rows = reader.orbits.due(self.now, room)
            due = _up_to_purge_limit(rows)
            # Seats depend on every memory's line, so assign them only after the last line is up to date.
            complete = len(due) == len(rows) < room
            unsettled = reader.orbits.unsettled(self.now, _BATCH) if complete else []
        keys: dict[Owner, list[int]] = {memory.owner: [] for memory in due}
        for memory in due:
            keys[memory.owner].append(memory.key)
        for owner in dict.fromkeys((*keys, *unsettled)):
            with store.write(owner, durable=False) as session:
                self._batch_of(session, owner, keys.get(owner, []), complete=complete)
        return bool(due or unsettled)

    def _batch_of(self, session: Writer, owner: Owner, keys: Sequence[int], *, complete: bool) -> None:
        tally, courses = Counter[str](), list[tuple[int, int, Course]]()
        due = session.orbits.still_due(owner, keys, self.now)
        for memory in due:
            self._visit(session, memory, courses, tally)
        session.orbits.set_courses(owner, courses)
        if complete:
            moves = settle(session, self.law, owner, self.now)
            tally["moved"] += len(moves)
            tally["evicted"] += sum(move.displaced and move.to_zone > move.from_zone for move in moves)
        else:
            session.orbits.settle_again(owner, self.now)
        if +tally:
            session.ledger.record(Event(EventType.REBALANCED, owner, self.now, None, dict(+tally)))
        self.counts.update(tally)
        self.counts["visited"] += len(due)

    def _visit(
        self, session: Writer, memory: Due, courses: list[tuple[int, int, Course]], tally: Counter[str]
    ) -> None:
        if memory.state is State.CLIFF:
            self._visit_on_the_cliff(session, memory, courses, tally)
            return
        if not memory.state.in_orbit:
            courses.append((memory.key, memory.zone, RESTING))
            return
        law, zones, now = self.law, self.law.function.zones, self.now
        target = zones.zone_of(law.function.score(memory, now))
        stale = stale_moment(memory.tier, memory.protection, memory.idle_from, law.stale_after)
        course = law.course(memory, memory.tier, memory.protection, now)
        if stale is not None and stale <= now and target == zones.outermost:
            if stale > self._owner_time(session, memory.owner):
                # It waits for the owner, whose return reschedules it; until then only its zone may change.
                course = law.function.course(memory, now)
                session.presence.wait_for(memory.owner)
            elif memory.key in self._held_of(session, memory.owner):
                course = course._replace(next_moment=now + _HELD_FOR)
                tally["held"] += 1
            else:
                item = session.items.get(memory.owner, memory.item_id)
                if item is not None:
                    move_to_cliff(session, law, item, DepartureReason.STALE, now)
                    tally["forgotten"] += 1
                return
        # An open zone is entered at once; a bounded one only when seats are assigned.
        zone = target if target >= zones.overflow_zone else min(memory.zone, zones.overflow_zone)
        tally["moved"] += zone != memory.zone
        courses.append((memory.key, zone, course))

    def _visit_on_the_cliff(
        self, session: Writer, memory: Due, courses: list[tuple[int, int, Course]], tally: Counter[str]
    ) -> None:
        purge_at = None if memory.departure is None else memory.departure.purge_at
        if purge_at is not None and purge_at > self._owner_time(session, memory.owner):
            # While the owner is away it waits; their return reschedules it.
            moment = purge_at if purge_at > self.now else None
            if moment is None:
                session.presence.wait_for(memory.owner)
            courses.append((memory.key, memory.zone, Course(Piece.FLAT, 0.0, moment)))
        elif memory.key in self._held_of(session, memory.owner):
            courses.append((memory.key, memory.zone, Course(Piece.FLAT, 0.0, self.now + _HELD_FOR)))
            tally["held"] += 1
        else:
            _purge(session, memory, self.now)
            tally["purged"] += 1

    def _owner_time(self, session: Reader, owner: Owner) -> float:
        if owner not in self.times:
            self.times[owner] = owner_time(session, self.law, owner, self.now)
        return self.times[owner]

    def _held_of(self, session: Reader, owner: Owner) -> frozenset[int]:
        """Return the keys of the owner's memories that must not leave: too many would at once."""
        if owner not in self.held:
            self.held[owner] = frozenset() if self.brake is None else self._too_many(session, owner, self.brake)
        return self.held[owner]

    def _too_many(self, session: Reader, owner: Owner, brake: SleepSettings) -> frozenset[int]:
        going = leaving(session, self.law, owner, self.now)
        stale = [memory.key for memory in going if memory.state is not State.CLIFF]
        purged = [
            memory.key
            for memory in going
            if memory.state is State.CLIFF and memory.departure and memory.departure.reason in _BY_TIME_ALONE
        ]
        in_orbit = session.orbits.count(owner)
        too_many = [] if brake.allows(len(stale), in_orbit) else stale
        too_many += [] if brake.allows(len(purged), in_orbit + len(purged)) else purged
        return frozenset(too_many)


def _up_to_purge_limit(rows: Sequence[Due]) -> Sequence[Due]:
    """Cut the batch where the purge limit of one transaction is reached; the rest stays due."""
    purged = [place for place, memory in enumerate(rows) if memory.state is State.CLIFF]
    return rows if len(purged) <= _MOST_PURGED else rows[: purged[_MOST_PURGED]]


def _purge(session: Writer, memory: Due, now: float) -> None:
    session.items.purge(memory.owner, memory.item_id)
    reason = memory.departure.reason.value if memory.departure else None
    session.ledger.record(Event(EventType.PURGED, memory.owner, now, memory.item_id, {"reason": reason}))
