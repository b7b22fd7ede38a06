"""supersede: a newer statement ends the time of an older one that it contradicts. Both are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sameness.supersession import since_when, supersedes
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.comparison_groups import gathered
from celestial_engine.flow.base.placement import course_of, place
from celestial_engine.ports import ItemStore, Progress, Reader, Writer

_AT_ONCE = 200  # the newest of a topic: what is older was looked at before
_MOST_IN_FORCE = 20


class Succession(NamedTuple):
    """Which statement holds no more, and which holds now."""

    older: str
    newer: str


@dataclass(frozen=True)
class SupersessionPlan:
    """Which statements would take the place of which. Nobody leaves."""

    successions: tuple[Succession, ...] = ()

    @property
    def leaving(self) -> tuple[str, ...]:
        return ()


def plan(session: Reader, owner: Owner, now: float, since: float | None = None) -> SupersessionPlan:
    """Each statement ends once, by the first that contradicts it."""
    ends: dict[str, tuple[float, Succession]] = {}
    for group in gathered(session, owner, since, lambda said: said.topics, asking=True):
        for older, newer in _plan_group(session, owner, group):
            moment = since_when(newer)
            if older.id not in ends or moment < ends[older.id][0]:
                ends[older.id] = (moment, Succession(older.id, newer.id))
    return SupersessionPlan(tuple(succession for _, succession in sorted(ends.values())))


def _plan_group(session: Reader, owner: Owner, group: list[str]) -> list[tuple[CelestialItem, CelestialItem]]:
    standings = sorted(session.search.candidates(owner, group), key=lambda one: (one.created_at, one.position))
    items = session.items.get_many(owner, [one.item_id for one in standings[-_AT_ONCE:]])
    called_back = session.ledger.ids_with_event(owner, [item.id for item in items], EventType.UNDONE)
    found: list[tuple[CelestialItem, CelestialItem]] = []
    in_force: list[CelestialItem] = []
    for item in sorted(items, key=since_when):  # stable: those of one moment in the order of storing
        ended = [one for one in in_force if supersedes(item, one)]
        found += [(one, item) for one in ended]
        in_force = [one for one in in_force if one not in ended][-_MOST_IN_FORCE:]
        if item.validity.until is None and item.id not in called_back:
            in_force.append(item)
    return found


def carry_out(
    store: ItemStore,
    law: Law,
    owner: Owner,
    plan: SupersessionPlan,
    now: float,
    progress: Progress | None = None,
) -> Mapping[str, int]:
    """Both are looked at again; what was changed meanwhile may not contradict any more."""
    done = 0
    for part in in_batches(plan.successions, progress):
        with store.write(owner, durable=False) as session:
            done += sum(_supersede(session, law, owner, one, now) for one in part)
    return {"superseded": done}


def _supersede(session: Writer, law: Law, owner: Owner, succession: Succession, now: float) -> bool:
    older, newer = session.items.get(owner, succession.older), session.items.get(owner, succession.newer)
    if older is None or newer is None or not supersedes(newer, older):
        return False
    moment = since_when(newer)
    older.validity = replace(older.validity, until=moment, superseded_by=newer.id)
    _rewrite(session, law, older, now)
    detail = {"by": newer.id, "until": moment}
    session.ledger.record(Event(EventType.SUPERSEDED, owner, now, older.id, detail, memory_refs=(newer.id,)))
    if newer.validity.since is None:
        newer.validity = replace(newer.validity, since=moment)
        _rewrite(session, law, newer, now)
        session.ledger.record(Event(EventType.UPDATED, owner, now, newer.id, {"fields": ["validity"]}))
    return True


def _rewrite(session: Writer, law: Law, item: CelestialItem, now: float) -> None:
    place(session, law, item, now, session.items.key_of(item.owner, item.id))
    session.items.rewrite(item, course_of(law, item, now))
