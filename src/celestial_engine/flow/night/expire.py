"""expire: send a memory over the cliff when its tier's time is over or it was inactive for thirty days.

Both count days with the owner; lasting facts and protected memories stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from celestial_engine.core.night.lifetime_rows import LIVING, lifetime_row_of
from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.record.owner import Owner
from celestial_engine.flow.base.batches import in_batches
from celestial_engine.flow.base.owner_time import owner_time
from celestial_engine.flow.base.placement import move_to_cliff
from celestial_engine.ports import ItemStore, Progress, Reader


@dataclass(frozen=True)
class ExpirePlan:
    """The memories whose time is over."""

    expired: tuple[str, ...] = ()  # past their tier's time
    unused: tuple[str, ...] = ()  # inactive for thirty days

    @property
    def leaving(self) -> tuple[str, ...]:
        return self.expired + self.unused


def plan(session: Reader, owner: Owner, now: float) -> ExpirePlan:
    """Plan for every tier; `now` is the owner's time."""
    going = [
        (life.item_id, reason)
        for life in session.night.lifetime_rows(owner)
        if (reason := life.leaves_for(now)) is not None
    ]
    return ExpirePlan(
        tuple(item_id for item_id, reason in going if reason is DepartureReason.EXPIRED),
        tuple(item_id for item_id, reason in going if reason is not DepartureReason.EXPIRED),
    )


def carry_out(
    store: ItemStore, law: Law, owner: Owner, plan: ExpirePlan, now: float, progress: Progress | None = None
) -> Mapping[str, int]:
    """Forget them. Each is read again: one that was pinned, promoted or recalled meanwhile stays."""
    counts: Counter[str] = Counter()
    for part in in_batches(plan.leaving, progress):
        with store.write(owner, durable=False) as session:
            at = owner_time(session, law, owner, now)
            for item in session.items.get_many(owner, part):
                reason = lifetime_row_of(item).leaves_for(at) if item.state in LIVING else None
                if reason is not None:
                    move_to_cliff(session, law, item, reason, now)
                    counts[reason.value] += 1
    return counts
