"""consolidate: merge memories that say the same. The duplicate goes over the cliff and can be restored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sameness.merge import mergeable, merged, preference, retied
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.comparison_groups import comparison_groups
from celestial_engine.flow.base.placement import move_to_cliff, place_again
from celestial_engine.ports import ItemStore, Progress, Reader, Writer

_AT_ONCE = 500  # members of a group that are compared together
_MOST_KEEPERS = 50


class Merge(NamedTuple):
    """The memory that stays and the one that goes."""

    keeper: str
    duplicate: str


@dataclass(frozen=True)
class ConsolidationPlan:
    """Which memories would be merged."""

    merges: tuple[Merge, ...] = ()

    @property
    def leaving(self) -> tuple[str, ...]:
        return tuple(merge.duplicate for merge in self.merges)


def plan(session: Reader, owner: Owner, now: float, since: float | None = None) -> ConsolidationPlan:
    """Plan the merges; each memory goes at most once.

    `since`: only memories that were added or changed after that time, and their duplicates.
    """
    merges: dict[str, Merge] = {}
    for group in comparison_groups(session, owner, since, lambda keys: (keys.key,), asking=False):
        for merge in _plan_group(session, owner, [item_id for item_id in group if item_id not in merges]):
            if merge.duplicate not in merges and merge.keeper not in merges:
                merges[merge.duplicate] = merge
    return ConsolidationPlan(tuple(merges.values()))


def _plan_group(session: Reader, owner: Owner, group: list[str]) -> list[Merge]:
    """Keep the best of those that say the same; a group may hold several statements."""
    merges: list[Merge] = []
    keepers: list[CelestialItem] = []
    restored = {
        item_id
        for kind in (EventType.RESTORED, EventType.UNDONE)
        for item_id in session.ledger.ids_with_event(owner, group, kind)
    }
    ranked = sorted(
        session.search.candidates(owner, group),
        key=lambda candidate: (-candidate.recall_count, candidate.created_at, candidate.item_id),
    )
    for start in range(0, len(ranked), _AT_ONCE):
        part = session.items.get_many(owner, [candidate.item_id for candidate in ranked[start : start + _AT_ONCE]])
        for item in sorted(part, key=preference):
            keeper = next((candidate for candidate in keepers[-_MOST_KEEPERS:] if mergeable(candidate, item)), None)
            if keeper is None or item.id in restored:  # it was restored after a merge: do not merge it again
                keepers.append(item)
            else:
                merges.append(Merge(keeper.id, item.id))
    return merges


def carry_out(
    store: ItemStore, law: Law, owner: Owner, plan: ConsolidationPlan, now: float, progress: Progress | None = None
) -> Mapping[str, int]:
    """Merge. Both are read again: a memory that was changed, protected or forgotten meanwhile stays."""
    merged_count = 0
    for part in in_batches(plan.merges, progress):
        with store.write(owner, durable=False) as session:
            merged_count += sum(_merge(session, law, owner, merge, now) for merge in part)
    return {"merged": merged_count}


def _merge(session: Writer, law: Law, owner: Owner, merge: Merge, now: float) -> bool:
    keeper, duplicate = session.items.get(owner, merge.keeper), session.items.get(owner, merge.duplicate)
    if keeper is None or duplicate is None or not mergeable(keeper, duplicate):
        return False
    result = place_again(session, law, merged(keeper, duplicate), now)
    detail = {
        "from": duplicate.id,
        "recalls": result.recall_count - keeper.recall_count,
        "mentions": result.mention_count - keeper.mention_count,
        "influences": result.influence_count - keeper.influence_count,
    }
    session.ledger.record(Event(EventType.MERGED, owner, now, result.id, detail, memory_refs=(duplicate.id,)))
    for other in session.items.get_many(owner, [tied for tied in duplicate.links.tied if tied != result.id]):
        _retie(session, law, other, duplicate.id, result.id, now)
    move_to_cliff(session, law, duplicate, DepartureReason.MERGED, now)
    return True


def _retie(session: Writer, law: Law, other: CelestialItem, duplicate_id: str, keeper: str, now: float) -> None:
    """Replace the link on the other side too."""
    links = retied(other.links, duplicate_id, keeper)
    if links == other.links or not other.state.in_orbit:
        return
    place_again(session, law, replace(other, links=links), now)
    session.ledger.record(Event(EventType.UPDATED, other.owner, now, other.id, {"fields": ["links"]}))
