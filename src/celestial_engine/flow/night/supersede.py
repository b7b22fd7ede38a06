"""supersede: a newer statement ends the validity of an older one that it contradicts. Both are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sameness.supersession import since_when, supersedes
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.comparison_groups import comparison_groups
from celestial_engine.flow.base.placement import place_again
from celestial_engine.flow.base.succession import succeed
from celestial_engine.ports import ItemStore, Progress, Reader, Writer

_AT_ONCE = 200  # the newest of a topic: older ones were compared before
_MOST_IN_FORCE = 20


class Succession(NamedTuple):
    """Which statement ended, and which replaces it."""

    older: str
    newer: str


@dataclass(frozen=True)
class SupersessionPlan:
    """Which statements would replace which. None of them leaves."""

    successions: tuple[Succession, ...] = ()
    leaving: ClassVar[tuple[str, ...]] = ()


def plan(session: Reader, owner: Owner, now: float, since: float | None = None) -> SupersessionPlan:
    """Plan the replacements. Each statement ends once, by the first that contradicts it."""
    ends: dict[str, tuple[float, Succession]] = {}
    for group in comparison_groups(session, owner, since, lambda keys: keys.topics, asking=True):
        for older, newer in _plan_group(session, owner, group):
            moment = since_when(newer)
            if older.id not in ends or moment < ends[older.id][0]:
                ends[older.id] = (moment, Succession(older.id, newer.id))
    return SupersessionPlan(tuple(succession for _, succession in sorted(ends.values())))


def _plan_group(session: Reader, owner: Owner, group: list[str]) -> list[tuple[CelestialItem, CelestialItem]]:
    candidates = sorted(
        session.search.candidates(owner, group), key=lambda statement: (statement.created_at, statement.position)
    )
    items = session.items.get_many(owner, [statement.item_id for statement in candidates[-_AT_ONCE:]])
    undone = session.ledger.ids_with_event(owner, [item.id for item in items], EventType.UNDONE)
    pairs: list[tuple[CelestialItem, CelestialItem]] = []
    in_force: list[CelestialItem] = []
    for item in sorted(items, key=since_when):  # stable sort: equal times keep the order of storing
        ended = [statement for statement in in_force if supersedes(item, statement)]
        pairs += [(statement, item) for statement in ended]
        in_force = [statement for statement in in_force if statement not in ended][-_MOST_IN_FORCE:]
        if item.validity.until is None and item.id not in undone:
            in_force.append(item)
    return pairs


def carry_out(
    store: ItemStore, law: Law, owner: Owner, plan: SupersessionPlan, now: float, progress: Progress | None = None
) -> Mapping[str, int]:
    """Apply the plan. Both are read again: a statement that changed meanwhile may no longer contradict."""
    superseded = 0
    for part in in_batches(plan.successions, progress):
        with store.write(owner, durable=False) as session:
            superseded += sum(_supersede(session, law, owner, succession, now) for succession in part)
    return {"superseded": superseded}


def _supersede(session: Writer, law: Law, owner: Owner, succession: Succession, now: float) -> bool:
    older, newer = session.items.get(owner, succession.older), session.items.get(owner, succession.newer)
    if older is None or newer is None or not supersedes(newer, older):
        return False
    place_again(session, law, succeed(session, law, newer, [older], now), now)
    session.ledger.record(Event(EventType.UPDATED, owner, now, newer.id, {"fields": ["validity"]}))
    return True
