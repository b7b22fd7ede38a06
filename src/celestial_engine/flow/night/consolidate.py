"""consolidate: memories that say the same become one. The other goes over the cliff, and can be called back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sameness.merge import mergeable, merged, preference, retied
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.comparison_groups import gathered
from celestial_engine.flow.base.placement import course_of, over_the_cliff, place
from celestial_engine.ports import ItemStore, Progress, Reader, Writer

_AT_ONCE = 500  # so many of a group are looked at together
_MOST_KEEPERS = 50


class Merge(NamedTuple):
    """Who stays, and who goes."""

    keeper: str
    gone: str


@dataclass(frozen=True)
class ConsolidationPlan:
    """Which memories would become one."""

    merges: tuple[Merge, ...] = ()

    @property
    def leaving(self) -> tuple[str, ...]:
        return tuple(merge.gone for merge in self.merges)


def plan(session: Reader, owner: Owner, now: float, since: float | None = None) -> ConsolidationPlan:
    """Each memory goes at most once; `since`: only those that came or changed after that moment, and their twins."""
    merges: dict[str, Merge] = {}
    for group in gathered(session, owner, since, lambda said: (said.key,), asking=False):
        for merge in _plan_group(session, owner, [item_id for item_id in group if item_id not in merges]):
            if merge.gone not in merges and merge.keeper not in merges:
                merges[merge.gone] = merge
    return ConsolidationPlan(tuple(merges.values()))


def _plan_group(session: Reader, owner: Owner, group: list[str]) -> list[Merge]:
    """The best of those that say the same stays, also where the group has several sayings."""
    merges: list[Merge] = []
    keepers: list[CelestialItem] = []
    called_back = {
        item_id
        for kind in (EventType.RESTORED, EventType.UNDONE)
        for item_id in session.ledger.ids_with_event(owner, group, kind)
    }
    ranked = sorted(
        session.search.candidates(owner, group), key=lambda one: (-one.recall_count, one.created_at, one.item_id)
    )
    for start in range(0, len(ranked), _AT_ONCE):
        part = session.items.get_many(owner, [one.item_id for one in ranked[start : start + _AT_ONCE]])
        for item in sorted(part, key=preference):
            keeper = next((one for one in keepers[-_MOST_KEEPERS:] if mergeable(one, item)), None)
            if keeper is None or item.id in called_back:  # somebody wanted it back: it is not taken again
                keepers.append(item)
            else:
                merges.append(Merge(keeper.id, item.id))
    return merges


def carry_out(
    store: ItemStore,
    law: Law,
    owner: Owner,
    plan: ConsolidationPlan,
    now: float,
    progress: Progress | None = None,
) -> Mapping[str, int]:
    """Both are looked at again: who was changed, protected or forgotten meanwhile stays as it is."""
    done = 0
    for part in in_batches(plan.merges, progress):
        with store.write(owner, durable=False) as session:
            done += sum(_merge(session, law, owner, merge, now) for merge in part)
    return {"merged": done}


def _merge(session: Writer, law: Law, owner: Owner, merge: Merge, now: float) -> bool:
    keeper, gone = session.items.get(owner, merge.keeper), session.items.get(owner, merge.gone)
    if keeper is None or gone is None or not mergeable(keeper, gone):
        return False
    one = merged(keeper, gone)
    place(session, law, one, now, session.items.key_of(owner, one.id))
    session.items.rewrite(one, course_of(law, one, now))
    detail = {
        "from": gone.id,
        "recalls": one.recall_count - keeper.recall_count,
        "mentions": one.mention_count - keeper.mention_count,
        "influences": one.influence_count - keeper.influence_count,
    }
    session.ledger.record(Event(EventType.MERGED, owner, now, one.id, detail, memory_refs=(gone.id,)))
    for other in session.items.get_many(owner, [tied for tied in gone.links.tied if tied != one.id]):
        _retie(session, law, other, gone.id, one.id, now)
    over_the_cliff(session, law, gone, DepartureReason.MERGED, now)
    return True


def _retie(session: Writer, law: Law, other: CelestialItem, gone: str, keeper: str, now: float) -> None:
    """A link is kept on both sides."""
    links = retied(other.links, gone, keeper)
    if links == other.links or not other.state.in_orbit:
        return
    other.links = links
    place(session, law, other, now, session.items.key_of(other.owner, other.id))
    session.items.rewrite(other, course_of(law, other, now))
    session.ledger.record(Event(EventType.UPDATED, other.owner, now, other.id, {"fields": ["links"]}))
